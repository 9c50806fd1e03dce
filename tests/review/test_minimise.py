"""What a winner does not need is put back, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from skygit.domain.candidate import Candidate
from skygit.domain.draft import Change, Draft
from skygit.review.minimise import assembled, minimise, pieces
from skygit.testing.memory_ports import MemoryExecutor
from skygit.testing.memory_store import MemoryRepository, MemoryTree

TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"\x0c\r\n", b"\xff\n", b"tail"]), max_size=9).map(b"".join)


@given(old=TEXTS, new=TEXTS)
def test_all_pieces_together_give_the_winner_and_none_gives_nothing(old: bytes, new: bytes) -> None:
    before, after = MemoryTree({"f": old}), MemoryTree({"f": new})
    draft = assembled(before, after, pieces(before, after, ["f"]))
    assert (draft.changes[0].content if draft else old) == new
    assert assembled(before, after, []) is None


@given(old=TEXTS, new=TEXTS, data=st.data())
def test_pieces_left_out_leave_the_old_lines(old: bytes, new: bytes, data: st.DataObject) -> None:
    before, after = MemoryTree({"f": old}), MemoryTree({"f": new})
    change = pieces(before, after, ["f"])
    kept = [piece for piece in change if data.draw(st.booleans())]
    draft = assembled(before, after, kept)
    text = draft.changes[0].content if draft and draft.changes[0].content is not None else old
    again = pieces(before, MemoryTree({"f": text}), ["f"])
    assert sum(piece.high - piece.low for piece in again) <= sum(piece.high - piece.low for piece in kept)


def candidate(repository: MemoryRepository, files: dict[str, bytes | None]) -> Candidate:
    changes = tuple(Change(path=path, content=content) for path, content in sorted(files.items()))
    tree = repository.write_tree(repository.base, Draft(changes=changes))
    commit = repository.commit(tree, [repository.base], "winner", clock=1)
    parents = (repository.base,)
    return Candidate(commit=commit, tree=tree, parents=parents, island=0, generation=3, summary="winner", operator="")


def test_neutral_pieces_go_and_needed_ones_stay() -> None:
    repository = MemoryRepository({"program": b"one\ntwo\nthree\nfour\n", "other": b"x\n", "gone": b"y\n"})
    winner = candidate(
        repository, {"program": b"ONE\ntwo\nTHREE\nfour\n", "other": b"z\n", "gone": None, "new": b"made\n"}
    )
    executor = MemoryExecutor(repository, lambda text: float(b"ONE" in text))
    found = minimise(repository, executor, repository.base, winner)
    assert found is not None and (found.pieces, found.dropped) == (5, 4)
    assert repository.changed(repository.base, found.candidate.commit) == ["program"]
    assert repository.tree(found.candidate.commit).read("program") == b"ONE\ntwo\nthree\nfour\n"


def test_pieces_that_only_help_together_stay() -> None:
    repository = MemoryRepository({"program": b"one\ntwo\nthree\n"})
    winner = candidate(repository, {"program": b"ONE\ntwo\nTHREE\n"})
    executor = MemoryExecutor(repository, lambda text: float(b"ONE" in text and b"THREE" in text))
    found = minimise(repository, executor, repository.base, winner)
    assert found is not None and found.dropped == 0 and found.candidate == winner


def test_a_piece_without_which_it_crashes_stays() -> None:
    repository = MemoryRepository({"program": b"one\ntwo\nthree\n"})
    winner = candidate(repository, {"program": b"ONE\ntwo\nTHREE\n"})
    executor = MemoryExecutor(repository, lambda text: 1.0 if b"THREE" in text else None)
    found = minimise(repository, executor, repository.base, winner)
    assert found is not None and found.dropped == 1


def test_with_a_noisy_measure_nothing_is_tried() -> None:
    repository = MemoryRepository({"program": b"one\n"})
    noise = iter(range(100))
    executor = MemoryExecutor(repository, lambda text: float(next(noise)))
    assert minimise(repository, executor, repository.base, candidate(repository, {"program": b"ONE\n"})) is None


def test_what_only_a_dropped_piece_needed_goes_too() -> None:
    repository = MemoryRepository({"program": b"one\ntwo\nthree\nfour\nfive\n"})
    winner = candidate(repository, {"program": b"DEFINED\ntwo\nUSED\nfour\nFAST\n"})

    def score(text: bytes) -> float | None:
        return None if b"USED" in text and b"DEFINED" not in text else float(b"FAST" in text)

    found = minimise(repository, MemoryExecutor(repository, score), repository.base, winner)
    assert found is not None and (found.pieces, found.dropped) == (3, 2)
