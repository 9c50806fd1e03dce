"""The journal of a run: a chain of commits under one ref, appended by compare-and-swap."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skygit.domain.codec import decode, encode
from skygit.domain.draft import Change, Draft
from skygit.domain.event import Event, Started
from skygit.errors import Conflict, DiskFull, RepositoryError, UserError
from skygit.git.ballast import Ballast
from skygit.git.chain import TRAILER, read_chain, root_of
from skygit.git.command import GitFailed
from skygit.git.commitobject import commit_bytes
from skygit.git.grafting import Grafter
from skygit.git.headline import better, headline
from skygit.git.lock import run_folder
from skygit.git.naming import branch_ref, journal_ref, run_of
from skygit.git.papers import Scrubber, collected
from skygit.git.refs import Move
from skygit.git.repository import GitRepository
from skygit.git.worktrees import checked_out
from skygit.ports import Entry, Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run that a repository holds. Dates in Unix seconds."""

    name: str
    base: str
    tip: str
    started: int
    last: int


def create(repository: GitRepository, run: str, *, secrets: Sequence[str] = ()) -> "GitJournal":
    """An empty journal, in git with its first append. Raises UserError when the run is there already."""
    if repository.refs.read(journal_ref(run)):
        raise UserError(f"there is a run {run} already: choose another name, or go on with it")
    return GitJournal(repository, run, tip="", secrets=secrets)


def open_journal(repository: GitRepository, run: str, *, secrets: Sequence[str] = ()) -> "GitJournal":
    """The journal of a run. Raises UserError when there is no such run."""
    tip = repository.refs.read(journal_ref(run)).get(journal_ref(run))
    if tip is None:
        known = ", ".join(found.name for found in runs(repository)) or "none"
        raise UserError(f"there is no run {run} in {repository.root}; runs here: {known}")
    return GitJournal(repository, run, tip=tip, secrets=secrets)


def runs(repository: GitRepository) -> Sequence[Run]:
    """All runs of the repository, the one written last first."""
    found = [
        _described(repository, ref, tip) for ref, tip in repository.refs.read("refs/skygit").items() if run_of(ref)
    ]
    return sorted(found, key=lambda run: (run.last, run.name), reverse=True)


class GitJournal:
    """Implements `ports.Journal`. `secrets` are replaced in everything that is written.

    An append asks that the ref still names what this journal saw last (when it was opened,
    by `events`, or by its own last append).
    """

    def __init__(self, repository: GitRepository, run: str, *, tip: str, secrets: Sequence[str] = ()) -> None:
        self.run = run
        self.notes: list[str] = []
        self.ballast = Ballast(run_folder(repository, run) / "ballast")
        self._repository = repository
        self._ref = journal_ref(run)
        self._tip = tip
        self._scrubber = Scrubber(secrets)
        self._best: float | None = None

    @property
    def tip(self) -> str:
        """The journal commit seen last, "" before the first append."""
        return self._tip

    def events(self) -> Sequence[Recorded]:
        """All events in order, as the ref has them now. Raises RepositoryError when one cannot be read."""
        self._tip = self._repository.refs.read(self._ref).get(self._ref, "")
        self._best = None
        recorded = list(self._recorded()) if self._tip else []
        for record in recorded:
            self._best = better(self._best, record.event)
        return recorded

    def opening(self) -> Recorded:
        """The first event of the run. Raises RepositoryError when the run has not begun."""
        if not self._tip:
            raise RepositoryError(f"the run {self.run} has not begun")
        return opening(self._repository, self._tip)

    def last(self) -> Event:
        """The newest event. Raises RepositoryError when the run has not begun."""
        if not self._tip:
            raise RepositoryError(f"the run {self.run} has not begun")
        message = self._repository.commit_info(self._tip).message
        return decode(message.rpartition(f"\n{TRAILER}: ")[2].rstrip("\n"))[-1]

    def append(
        self, entries: Sequence[Entry], *, keep: Sequence[str] = (), refs: Mapping[str, str] | None = None
    ) -> str:
        """Append as one commit and move the branches with it. Raises Conflict, ValueError as the port says.

        On a full disk the ballast is let go and it is tried once more.
        """
        try:
            return self._append(entries, keep, refs or {})
        except (DiskFull, GitFailed) as error:
            full = isinstance(error, DiskFull) or "No space left" in str(error)
            if not (full and self.ballast.release()):
                raise
            return self._append(entries, keep, refs or {})

    def paper(self, at: str, name: str) -> bytes:
        """A paper of a journal commit. Raises KeyError when there is none."""
        return self._repository.tree(at).read(name)

    def _append(self, entries: Sequence[Entry], keep: Sequence[str], refs: Mapping[str, str]) -> str:
        papers = collected(entries, self._scrubber)
        best = self._best
        for entry in entries:
            best = better(best, entry.event)
        commit = self._write(entries, papers, keep, best)
        self._move(commit, refs)
        self._tip, self._best = commit, best
        return commit

    def _recorded(self) -> Iterator[Recorded]:
        for oid, line in read_chain(self._repository.git, self._tip):
            for event in decode(line):
                yield Recorded(event=event, at=oid)

    def _write(
        self, entries: Sequence[Entry], papers: Mapping[str, bytes], keep: Sequence[str], best: float | None
    ) -> str:
        repository = self._repository
        events = [entry.event for entry in entries]
        lines = self._scrubber.clean_text(f"{headline(events, best)}\n\n{TRAILER}: {encode(events)}\n")
        parents = [*([self._tip] if self._tip else []), *dict.fromkeys(keep)]
        if not self._tip and keep:
            raise ValueError("the first append has no parent, so it cannot keep candidates")
        draft = Draft(changes=tuple(Change(path=name, content=data) for name, data in sorted(papers.items())))
        tree = Grafter(trees=repository.trees, writer=repository.writer).graft(None, draft)
        return repository.writer.write("commit", commit_bytes(tree, parents, lines, int(time.time())))

    def _move(self, commit: str, branches: Mapping[str, str]) -> None:
        """Journal and branches in one transaction; branches that git refuses are left, with a note."""
        refs = self._repository.refs
        journal = Move(ref=self._ref, new=commit, old=self._tip)
        free = self._free(branches)
        try:
            refs.move(journal, *(Move(ref=ref, new=new) for ref, new in free.items()))
        except GitFailed as error:
            if refs.read(self._ref).get(self._ref, "") != self._tip:
                raise Conflict(f"someone else wrote to {self._ref}: nothing was written") from error
            if not free:
                raise
            self._note(f"branches of run {self.run} were not moved: {error}")
            refs.move(journal)

    def _free(self, branches: Mapping[str, str]) -> dict[str, str]:
        """The branches that are nobody's checkout: moving one of those would change the user's HEAD."""
        wanted = {branch_ref(self.run, short): new for short, new in branches.items()}
        taken = checked_out(self._repository.common) if wanted else frozenset()
        for ref in sorted(taken & wanted.keys()):
            self._note(f"{ref.removeprefix('refs/heads/')} is checked out, so it stays where it is")
        return {ref: new for ref, new in wanted.items() if ref not in taken}

    def _note(self, line: str) -> None:
        if line not in self.notes:
            self.notes.append(line)


def opening(repository: GitRepository, tip: str) -> Recorded:
    """The first event of the journal that ends in `tip`."""
    root = root_of(repository.git, tip)
    (_, line), *_ = read_chain(repository.git, root)
    return Recorded(event=decode(line)[0], at=root)


def _described(repository: GitRepository, ref: str, tip: str) -> Run:
    first = opening(repository, tip)
    if not isinstance(first.event, Started):
        raise RepositoryError(f"{ref} does not begin with the start of a run")
    return Run(
        name=run_of(ref),
        base=first.event.base,
        tip=tip,
        started=repository.commit_info(first.at).date,
        last=repository.commit_info(tip).date,
    )
