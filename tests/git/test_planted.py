"""The contracts are laws only if they catch whoever breaks them: faults planted, and seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from skygit.domain.draft import Change, Draft
from skygit.git.evaluationtree import EvaluationTree, Plan
from skygit.git.follower import Follower
from skygit.git.journal import GitJournal
from skygit.git.repository import GitRepository, open_repository
from skygit.git.treeobject import Item
from skygit.ports import Entry, Journal, Recorded, Repository
from skygit.testing.journals import JournalContract
from skygit.testing.memory_store import MemoryJournal, MemoryRepository
from skygit.testing.repositories import FILES as REPOSITORY_FILES
from skygit.testing.slots import FILES as SLOT_FILES
from skygit.testing.slots import SEALED, guarded
from tests.git import test_journal, test_repository, test_slots
from tests.git.conftest import new_checkout

Broken = (AssertionError, pytest.fail.Exception, KeyError, ValueError, OSError)


class Reversed(MemoryJournal):
    def events(self) -> Sequence[Recorded]:
        return tuple(reversed(self.recorded))


class Forgetful(MemoryJournal):
    def events(self) -> Sequence[Recorded]:
        return tuple(self.recorded[:-1])


class Stripping(MemoryJournal):
    def paper(self, at: str, name: str) -> bytes:
        return super().paper(at, name).strip()


class Lenient(MemoryJournal):
    def append(
        self, entries: Sequence[Entry], *, keep: Sequence[str] = (), refs: Mapping[str, str] | None = None
    ) -> str:
        merged = {name: data for entry in entries for name, data in entry.papers.items()}
        plain = [Entry(event=entry.event, papers=merged if entry is entries[0] else {}) for entry in entries]
        return super().append(plain, keep=keep, refs=refs)

    def paper(self, at: str, name: str) -> bytes:
        return self.papers.get((at, name), b"")


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        (Reversed, JournalContract.test_reads_back_in_order),
        (Forgetful, JournalContract.test_reads_back_in_order),
        (Forgetful, JournalContract.test_one_append_is_one_place),
        (Stripping, JournalContract.test_papers_come_back_byte_for_byte),
        (Lenient, JournalContract.test_two_papers_of_one_name_are_refused),
        (Lenient, JournalContract.test_an_unknown_paper_is_a_key_error),
    ],
)
def test_journals_that_fail(fault: type[MemoryJournal], law: Callable[[JournalContract, Journal], None]) -> None:
    contract = test_journal.TestMemory()
    law(contract, MemoryJournal())
    with pytest.raises(Broken):
        law(contract, fault())


def test_a_journal_that_never_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = test_journal.TestGit()
    contract.folder = new_checkout(tmp_path / "git").folder
    moved = GitJournal._move

    def careless(journal: GitJournal, commit: str, branches: Mapping[str, str]) -> None:
        journal._tip = journal._repository.refs.read(journal._ref).get(journal._ref, "")
        moved(journal, commit, branches)

    monkeypatch.setattr(GitJournal, "_move", careless)
    with pytest.raises(Broken):
        contract.test_the_second_writer_loses_and_nothing_is_written(contract.make())


def test_a_journal_that_moves_its_ref_too_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = test_journal.TestGit()
    contract.folder = new_checkout(tmp_path / "git").folder
    original = GitJournal.append

    def one_by_one(journal: GitJournal, entries: Sequence[Entry]) -> str:
        places = [original(journal, [entry]) for entry in entries]
        original(journal, entries)
        return places[-1]

    journal = contract.make()
    monkeypatch.setattr(GitJournal, "append", one_by_one)
    with pytest.raises(Broken):
        contract.test_a_refused_append_leaves_nothing(journal)


class Unsorted(MemoryRepository):
    def changed(self, old: str, new: str) -> Sequence[str]:
        return list(reversed(super().changed(old, new)))


class Spreading(MemoryRepository):
    def write_tree(self, parent: str, draft: Draft) -> str:
        more = {change.path: change for change in draft.changes}
        more.setdefault("src/deep/b.py", Change(path="src/deep/b.py", content=b"touched"))
        return super().write_tree(parent, Draft(changes=tuple(more.values())))


class Textual(MemoryRepository):
    def write_tree(self, parent: str, draft: Draft) -> str:
        tidy = (Change(path=change.path, content=change.content and change.content + b"\n") for change in draft.changes)
        return super().write_tree(parent, Draft(changes=tuple(tidy)))


class Wordless(MemoryRepository):
    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        return super().commit(tree, parents, "", clock=0)


class Restless(MemoryRepository):
    count = 0

    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        self.count += 1
        return super().commit(tree, parents, message, clock=self.count)


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        (Unsorted, "test_tells_what_changed"),
        (Spreading, "test_a_draft_changes_its_paths_only"),
        (Spreading, "test_tells_what_changed"),
        (Textual, "test_a_draft_changes_its_paths_only"),
        (Textual, "test_equal_files_are_equal_trees"),
        (Wordless, "test_equal_commits_have_equal_ids"),
        (Restless, "test_equal_commits_have_equal_ids"),
    ],
)
def test_repositories_that_fail(fault: type[MemoryRepository], law: str) -> None:
    contract = test_repository.TestMemory()
    getattr(contract, law)(contract.make(REPOSITORY_FILES))
    broken = fault(REPOSITORY_FILES)
    made: tuple[Repository, str] = (broken, broken.base)
    with pytest.raises(Broken):
        getattr(contract, law)(made)


def blind(follower: Follower) -> Sequence[str]:
    return ()


def trusting(tree: EvaluationTree, path: str) -> bool:
    return False


def suspicious(follower: Follower) -> Sequence[str]:
    return sorted(path for path, mark in follower.stamps.items() if mark and "/" in path)


def unmended(follower: Follower) -> None:
    return None


def unmoved(follower: Follower, plan: Plan) -> None:
    follower.plan = plan


@dataclass(frozen=True)
class Plant:
    """A fault in place of a method, and the law (with its parameters) that shall see it."""

    place: type
    name: str
    fault: object
    law: str
    parameters: tuple[object, ...] = ()


PLANTS = [
    Plant(Follower, "tampered", blind, "test_tampering_is_seen", ("rm evaluate.py", ["evaluate.py"])),
    Plant(Follower, "tampered", suspicious, "test_honest_work_is_no_tampering"),
    Plant(Follower, "mend", unmended, "test_no_trace_of_a_run_is_left"),
    Plant(Follower, "follow", unmoved, "test_a_file_becomes_a_folder_and_a_folder_a_file"),
    Plant(EvaluationTree, "_fixed", trusting, "test_nothing_protected_comes_from_a_candidate"),
    Plant(EvaluationTree, "_above_fixed", trusting, "test_a_file_cannot_hide_protected_ones"),
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_slots_that_fail(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = test_slots.TestFollowing()
    contract.place = tmp_path
    (tmp_path / "carried/sub").mkdir(parents=True)
    (tmp_path / "carried/sub/data").write_bytes(b"carried\n")
    repository, base = contract.base(SLOT_FILES)
    include = {"store": tmp_path / "carried"}
    made = (repository, base, contract.make(repository, base, guarded=guarded, overrides=SEALED, include=include))
    getattr(contract, plant.law)(made, *plant.parameters)
    monkeypatch.setattr(plant.place, plant.name, plant.fault)
    with pytest.raises(Broken):
        getattr(contract, plant.law)(made, *plant.parameters)


def test_a_tree_in_the_wrong_order_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_name(items: Mapping[bytes, Item]) -> bytes:
        return b"".join(b"%s %s\0%s" % (mode, name, raw) for name, (mode, raw) in sorted(items.items()))

    checkout = new_checkout(tmp_path / "git")
    repository: GitRepository = open_repository(checkout.folder)
    monkeypatch.setattr("skygit.git.grafting.serialized", by_name)
    with pytest.raises(AssertionError):
        test_repository.test_trees_and_commits_are_those_git_makes(checkout, repository)
