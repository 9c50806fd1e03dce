"""Laws of the journal over real git."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skygit.domain.candidate import Evaluation, Verdict
from skygit.domain.event import SCHEMA, Evaluated, Failed, Started, Stopped
from skygit.errors import Conflict, RepositoryError, UserError
from skygit.git.journal import GitJournal, create, open_journal, runs
from skygit.git.packing import pack_loose
from skygit.git.repository import GitRepository, open_repository
from skygit.ports import Entry, Journal
from skygit.testing.journals import JournalContract, LastingContract, asked, told
from skygit.testing.memory_store import MemoryJournal
from skygit.testing.repositories import files, laid
from tests.git.conftest import FILES, Checkout, new_checkout


class TestGit(LastingContract):
    options: tuple[str, ...] = ()

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = new_checkout(tmp_path / "git", *self.options).folder

    def make(self) -> Journal:
        return create(open_repository(self.folder), "law")

    def again(self, journal: Journal) -> Journal:
        return open_journal(open_repository(self.folder), "law")


class TestSha256(TestGit):
    options = ("--object-format=sha256",)


class TestMemory(JournalContract):
    def make(self) -> Journal:
        return MemoryJournal()


def begun(repository: GitRepository, run: str = "one", **options: tuple[str, ...]) -> GitJournal:
    journal = create(repository, run, **options)
    started = Started(schema=SCHEMA, run=run, base=repository.head(), seed=1, settings={})
    journal.append([Entry(event=started, papers={"bundle/evaluate.py": b"score"})])
    return journal


def passed(ticket: int, commit: str, score: float) -> Evaluated:
    return Evaluated(ticket=ticket, commit=commit, evaluation=Evaluation(verdict=Verdict.PASSED, score=score))


def test_one_ref_keeps_every_candidate_alive(checkout: Checkout, repository: GitRepository) -> None:
    journal, base = begun(repository), repository.head()
    children = [laid(repository, base, {"src/a.py": b"%d" % number}) for number in range(3)]
    grandchild = laid(repository, children[0], {"src/new.py": b"x"})
    journal.append([Entry(event=asked(1), papers={"prompt.md": b"p"})], keep=[children[1], grandchild])
    loose = laid(repository, base, {"src/a.py": b"never kept"})
    repository.close()
    checkout.git("gc", "-q", "--prune=now")
    fresh = open_repository(checkout.folder)
    for commit in (children[0], children[1], grandchild):
        assert files(fresh, commit)["src/b.py"] == FILES["src/b.py"]
    for commit in (children[2], loose):
        with pytest.raises(RepositoryError):
            fresh.commit_info(commit)
    again = open_journal(fresh, "one")
    assert again.paper(again.events()[-1].at, "prompt.md") == b"p"
    assert again.paper(again.opening().at, "bundle/evaluate.py") == b"score"


def test_the_chain_reads_well(checkout: Checkout, repository: GitRepository) -> None:
    journal, base = begun(repository), repository.head()
    child = laid(repository, base, {"src/a.py": b"2"})
    journal.append([Entry(event=passed(1, child, 2.5))], keep=[child])
    journal.append([Entry(event=passed(2, child, 2.0)), Entry(event=Failed(ticket=3, word="noop", message="x\ny"))])
    again = open_journal(repository, "one")
    again.events()
    again.append([Entry(event=Stopped(reason="iterations\nx" * 20))])
    subjects = checkout.git("log", "--first-parent", "--reverse", "--format=%s", "refs/skygit/one/journal").split("\n")
    assert subjects[0] == f"run one started at {base[:12]}"
    assert subjects[1:3] == ["#1 evaluated 2.5 (best 2.5)", "#2 evaluated 2 (best 2.5); #3 failed: noop"]
    assert subjects[3].startswith("stopped: iterations xit") and len(subjects[3]) <= 72
    assert checkout.git("log", "-1", "--format=%(trailers:key=Skygit-Events,valueonly)", journal.tip).startswith("[{")
    assert checkout.git("rev-parse", f"{journal.tip}~1^2") == child
    assert checkout.git("fsck", "--strict", "--no-dangling") == ""
    assert abs(repository.commit_info(journal.tip).date - time.time()) < 60


def test_branches_move_with_the_journal_or_not_at_all(checkout: Checkout, repository: GitRepository) -> None:
    journal, base = begun(repository), repository.head()
    one, two = (laid(repository, base, {"src/a.py": text}) for text in (b"1", b"2"))
    journal.append([Entry(event=asked(1))], keep=[one], refs={"island-0": one, "best": one})
    assert checkout.git("rev-parse", "skygit/one/island-0", "skygit/one/best").split("\n") == [one, one]
    rival = open_journal(repository, "one")
    journal.append([Entry(event=asked(2))], keep=[two], refs={"island-0": two, "island-11": two})
    with pytest.raises(Conflict):
        rival.append([Entry(event=asked(3))], refs={"island-0": one, "best": two})
    assert checkout.git("rev-parse", "skygit/one/island-0", "skygit/one/best").split("\n") == [two, one]
    assert not (checkout.folder / ".git/logs/refs/heads/skygit").exists()


def test_a_moved_or_deleted_branch_stops_nobody(checkout: Checkout, repository: GitRepository) -> None:
    journal, base = begun(repository), repository.head()
    child = laid(repository, base, {"src/a.py": b"1"})
    journal.append([Entry(event=asked(1))], keep=[child], refs={"island-0": child, "best": child})
    checkout.git("branch", "-f", "skygit/one/island-0", base)
    checkout.git("branch", "-D", "skygit/one/best")
    journal.append([Entry(event=asked(2))], refs={"island-0": child, "best": child})
    assert checkout.git("rev-parse", "skygit/one/island-0", "skygit/one/best").split("\n") == [child, child]
    assert journal.notes == []


def test_a_branch_that_is_a_symbolic_ref_is_replaced(checkout: Checkout, repository: GitRepository) -> None:
    journal, base = begun(repository), repository.head()
    child = laid(repository, base, {"src/a.py": b"1"})
    checkout.git("symbolic-ref", "refs/heads/skygit/one/best", "refs/heads/main")
    journal.append([Entry(event=asked(1))], keep=[child], refs={"best": child})
    assert checkout.git("rev-parse", "main", "skygit/one/best").split("\n") == [base, child]


def test_a_checked_out_branch_stays(checkout: Checkout, repository: GitRepository, tmp_path: Path) -> None:
    journal, base = begun(repository), repository.head()
    one, two = (laid(repository, base, {"src/a.py": text}) for text in (b"1", b"2"))
    journal.append([Entry(event=asked(1))], keep=[one], refs={"best": one, "island-0": one})
    checkout.git("checkout", "-q", "skygit/one/best")
    checkout.git("worktree", "add", "-q", str(tmp_path / "linked"), "skygit/one/island-0")
    journal.append([Entry(event=asked(2))], keep=[two], refs={"best": two, "island-0": two, "island-1": two})
    names = ("skygit/one/best", "skygit/one/island-0", "skygit/one/island-1")
    assert checkout.git("rev-parse", *names).split("\n") == [one, one, two]
    assert [note.partition(" ")[0] for note in journal.notes] == ["skygit/one/best", "skygit/one/island-0"]


def test_branches_in_the_way_cost_only_the_branches(checkout: Checkout, repository: GitRepository) -> None:
    checkout.git("branch", "skygit")
    journal = begun(repository)
    journal.append([Entry(event=asked(1))], refs={"best": repository.head()})
    assert [event.__class__.__name__ for event in told(journal)] == ["Started", "Requested"]
    assert "not moved" in journal.notes[0]


def test_secrets_are_not_written(checkout: Checkout, repository: GitRepository) -> None:
    key = "sk-0123456789abcdef"
    journal = begun(repository, secrets=(key, "short"))
    at = journal.append(
        [Entry(event=Failed(ticket=1, word="noop", message=f"<{key}> short"), papers={"a": key.encode()})]
    )
    failed = told(journal)[-1]
    assert isinstance(failed, Failed) and failed.message == "<[secret]> short"
    assert journal.paper(at, "a") == b"[secret]"
    with pytest.raises(UserError, match=r"evaluate\.py holds an API key"):
        journal.append([Entry(event=asked(2), papers={"bundle/evaluate.py": key.encode()})])


def test_long_papers_are_cut_but_replies_are_not(repository: GitRepository) -> None:
    journal, data = begun(repository), bytes(range(256)) * 1200
    at = journal.append([Entry(event=asked(1), papers={"stdout": data, "reply.md": data})])
    cut = journal.paper(at, "stdout")
    assert journal.paper(at, "reply.md") == data
    assert len(cut) < 263_000 and b"307200 bytes in all" in cut
    assert (cut[:1000], cut[-1000:]) == (data[:1000], data[-1000:])


@pytest.mark.parametrize("name", ["a/b", "", ".", "..", ".git", "bundle/", "bundle/../x", "bundle/.git/x", "a\0"])
def test_bad_paper_names_are_refused(repository: GitRepository, name: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        begun(repository).append([Entry(event=asked(1), papers={name: b""})])


@pytest.mark.parametrize("name", ["", "a/b", "-x", "a..b", "x.lock", "a b", "é", "."])
def test_bad_run_names_are_refused(repository: GitRepository, name: str) -> None:
    with pytest.raises(UserError, match="cannot name a run"):
        create(repository, name)


def test_runs_are_listed(checkout: Checkout, repository: GitRepository) -> None:
    begun(repository, "old")
    late = begun(repository, "new")
    checkout.git("update-ref", "refs/skygit/inbox-of-something", repository.head())
    found = runs(repository)
    assert {run.name for run in found} == {"old", "new"}
    assert [run.base for run in found] == [repository.head()] * 2
    assert late.tip in [run.tip for run in found]
    with pytest.raises(UserError, match="there is a run old already"):
        create(repository, "old")
    with pytest.raises(UserError, match=r"there is no run none.*(new, old|old, new)"):
        open_journal(repository, "none")


def test_another_clone_goes_on(checkout: Checkout, repository: GitRepository, tmp_path: Path) -> None:
    journal, base = begun(repository), repository.head()
    child = laid(repository, base, {"src/a.py": b"1"})
    journal.append([Entry(event=asked(1), papers={"reply.md": b"r"})], keep=[child])
    pack_loose(repository)
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "hub"], check=True)
    checkout.git("push", "-q", str(tmp_path / "hub"), "refs/skygit/*:refs/skygit/*")
    other = new_checkout(tmp_path / "other", files={"unrelated": b""})
    other.git("fetch", "-q", str(tmp_path / "hub"), "refs/skygit/*:refs/skygit/*")
    there = open_repository(other.folder)
    again = open_journal(there, "one")
    assert told(again) == told(journal)
    again.append([Entry(event=asked(2))], keep=[laid(there, child, {"src/a.py": b"2"})], refs={"best": child})
    assert other.git("fsck", "--strict", "--no-dangling") == ""


WRITER = """
import sys
from pathlib import Path
from skygit.git.journal import open_journal
from skygit.git.lock import writing
from skygit.git.repository import open_repository
from skygit.ports import Entry
from skygit.testing.journals import asked
from skygit.testing.repositories import laid
repository = open_repository(Path(sys.argv[1]))
with writing(repository, "one"):
    journal = open_journal(repository, "one")
    ticket = len(journal.events())
    while True:
        child = laid(repository, repository.head(), {"src/a.py": b"%d" % ticket})
        entry = Entry(event=asked(ticket), papers={"reply.md": b"%d" % ticket})
        at = journal.append([entry], keep=[child], refs={"island-0": child, "best": child})
        print(ticket, at, child, flush=True)
        ticket += 1
"""


@pytest.mark.slow
def test_killed_at_any_moment_the_chain_is_whole(checkout: Checkout, repository: GitRepository) -> None:
    begun(repository)
    said: list[list[str]] = []
    for turn in range(25):
        process = subprocess.Popen([sys.executable, "-c", WRITER, checkout.folder], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said.append(process.stdout.readline().split())
        time.sleep(0.003 * turn)
        os.kill(process.pid, signal.SIGKILL)
        said += [line.split() for line in process.stdout.read().split("\n")[:-1]]
        process.wait()
    recorded = open_journal(open_repository(checkout.folder), "one").events()
    tickets = [record.event.ticket for record in recorded[1:]]  # type: ignore[union-attr]
    assert tickets == list(range(1, len(tickets) + 1))
    assert {(int(ticket), at) for ticket, at, _ in said} <= set(zip(tickets, [r.at for r in recorded[1:]], strict=True))
    assert checkout.git("fsck", "--strict", "--no-dangling") == ""
    assert checkout.git("rev-parse", "skygit/one/best") == checkout.git("rev-parse", f"{recorded[-1].at}^2")
    assert not list((checkout.folder / ".git/refs").rglob("*.lock"))
