"""What is the user's stays as it is: while a run goes on, when it is packed, and when it is cleaned away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skygit.errors import UserError
from skygit.git.clean import clean
from skygit.git.journal import GitJournal, open_journal, runs
from skygit.git.lock import holder, run_folder, writing
from skygit.git.packing import pack_loose, packs
from skygit.git.repository import GitRepository, open_repository
from skygit.git.slots import open_slots
from skygit.ports import Entry
from skygit.testing.journals import asked
from skygit.testing.repositories import files, laid
from tests.git.conftest import FILES, Checkout, new_checkout
from tests.git.test_journal import begun


def traces(checkout: Checkout) -> dict[str, object]:
    """Every file of a repository that is not skygit's, `.git` included: bytes, mode and time."""
    found: dict[str, object] = {}
    for file in checkout.folder.rglob("*"):
        parts = set(file.relative_to(checkout.folder).parts)
        if file.is_dir() or (".git" in parts and parts & {"objects", "skygit"}):
            continue
        about = file.lstat()
        content = str(file.readlink()) if file.is_symlink() else file.read_bytes()
        found[str(file)] = (about.st_mode, about.st_mtime_ns, content)
    return found


def worked(repository: GitRepository, run: str = "one", steps: int = 4) -> tuple[GitJournal, list[str]]:
    """A run with so many candidates."""
    journal, commits = begun(repository, run), [repository.head()]
    for step in range(steps):
        commits.append(laid(repository, commits[-1], {"src/a.py": b"%d\n" % step, f"new/{step}": b"x"}))
        journal.append(
            [Entry(event=asked(step), papers={"prompt.md": b"prompt %d" % step})],
            keep=[commits[-1]],
            refs={"island-0": commits[-1], "best": commits[-1]},
        )
    return journal, commits


def _everything(repository: GitRepository) -> None:
    """All that skygit does in a repository."""
    with writing(repository, "one"):
        journal, commits = worked(repository)
        for overlays in (True, False):
            slots = open_slots(repository, base=commits[0], overlays=overlays, guarded=lambda _: False)
            with slots.lease(commits[-1]) as slot:
                slots.tampered(slot)
            slots.close()
        pack_loose(repository)
        repository.uncommitted()
        repository.diff(commits[0], commits[-1])
        journal.events()
        runs(repository)
    clean(repository, "one")


def test_the_checkout_is_never_touched(checkout: Checkout) -> None:
    checkout.commit({".gitignore": b"*.log\n", ".gitattributes": b"*.txt text eol=crlf\n"})
    checkout.write({"src/a.py": b"stashed"})
    checkout.git("stash", "-q")
    checkout.write({"src/a.py": b"staged", "new": b"untracked", "x.log": b"ignored", "n.txt": b"a\nb\n"})
    checkout.git("add", "src/a.py")
    checkout.write({"src/a.py": b"and changed again"})
    (checkout.folder / "link").symlink_to("nowhere")
    for name in ("reference-transaction", "post-index-change", "pre-auto-gc", "pre-commit", "post-checkout"):
        hook = checkout.folder / ".git/hooks" / name
        hook.write_text("#!/bin/sh\ntouch hook-ran\nexit 1\n")
        hook.chmod(0o755)
    for setting in ("commit.gpgsign=true", "gpg.program=false", "core.editor=false", "core.pager=false", "gc.auto=1"):
        checkout.git("config", *setting.split("=", 1))
    checkout.git("config", "core.autocrlf", "true")
    checkout.git("config", "core.fsmonitor", "touch fsmonitor-ran; false")
    before = traces(checkout)
    _everything(open_repository(checkout.folder / "src"))
    assert traces(checkout) == before


def test_a_detached_head_and_a_worktree_stay(checkout: Checkout, tmp_path: Path) -> None:
    checkout.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    checkout.git("checkout", "-q", "--detach")
    before = traces(checkout)
    _everything(open_repository(tmp_path / "linked"))
    assert traces(checkout) == before


def test_works_in_a_submodule(checkout: Checkout, tmp_path: Path) -> None:
    outer = new_checkout(tmp_path / "outer", files={"x": b""})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(checkout.folder), "inner")
    outer.commit({"y": b""})
    inner = open_repository(outer.folder / "inner/src")
    assert (inner.root, inner.common) == (outer.folder / "inner", outer.folder / ".git/modules/inner")
    before = traces(outer)
    worked(inner)
    assert files(inner, inner.head()) == FILES
    assert traces(outer) == before


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_pack_takes_ours_and_only_ours(tmp_path: Path, form: str) -> None:
    checkout = new_checkout(tmp_path / "git", f"--object-format={form}")
    repository = open_repository(checkout.folder)
    mine = laid(repository, repository.head(), {"src/a.py": b"a candidate of nobody"})
    before = loose(checkout)
    journal, commits = worked(repository)
    written = len(loose(checkout) - before)
    assert pack_loose(repository) == written > 4 * 5
    assert loose(checkout) == before
    for commit in [*commits, mine]:
        assert files(repository, commit)["src/b.py"] == FILES["src/b.py"]
    assert len(open_journal(open_repository(checkout.folder), "one").events()) == len(commits)
    journal.append([Entry(event=asked(9), papers={"prompt.md": b"prompt 9"})])
    assert pack_loose(repository) == 3
    assert pack_loose(repository) == 0
    assert loose(checkout) == before
    assert len(packs(checkout.folder / ".git/objects", "one")) == 2
    assert checkout.git("fsck", "--strict", "--no-dangling") == ""
    assert not list((checkout.folder / ".git/objects/pack").glob("tmp*"))


def loose(checkout: Checkout) -> set[str]:
    return {file.as_posix() for file in (checkout.folder / ".git/objects").glob("??/*")}


def test_a_pack_survives_the_users_gc(checkout: Checkout, repository: GitRepository) -> None:
    _, commits = worked(repository)
    pack_loose(repository)
    checkout.git("gc", "-q", "--prune=now", "--aggressive")
    assert files(open_repository(checkout.folder), commits[-1])["src/a.py"] == b"3\n"
    assert len(packs(checkout.folder / ".git/objects", "one")) == 1


def test_the_second_writer_is_refused_and_told_who_writes(checkout: Checkout, repository: GitRepository) -> None:
    hold = (
        "import sys, time; from pathlib import Path; from skygit.git.lock import writing;"
        "from skygit.git.repository import open_repository\n"
        "with writing(open_repository(Path(sys.argv[1])), 'one'): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", hold, checkout.folder], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"held\n"
    with pytest.raises(UserError, match=f"process {process.pid} on "), writing(repository, "one"):
        pass
    assert holder(repository, "one").startswith(f"process {process.pid} on ")
    with writing(repository, "two"):
        pass
    process.kill()
    process.wait()
    assert holder(repository, "one") == ""
    with writing(repository, "one"):
        assert str(os.getpid()) in (run_folder(repository, "one") / "lock").read_text()


def test_a_lock_that_a_killed_writer_left_is_no_obstacle(checkout: Checkout, repository: GitRepository) -> None:
    journal, commits = worked(repository)
    left = [checkout.folder / ".git/refs" / name for name in ("skygit/one/journal.lock", "heads/skygit/one/best.lock")]
    for lock in left:
        lock.touch()
        os.utime(lock, (0, 0))
    with writing(repository, "one"):
        journal.append([Entry(event=asked(9))], refs={"best": commits[0]})
    assert checkout.git("rev-parse", "skygit/one/best") == commits[0]


def test_clean_removes_a_run_and_nothing_else(checkout: Checkout, repository: GitRepository) -> None:
    _, commits = worked(repository, "one")
    worked(repository, "two")
    pack_loose(repository)
    checkout.git("config", "core.logAllRefUpdates", "always")
    checkout.git("branch", "-f", "skygit/one/island-0", commits[0])
    checkout.git("branch", "review", commits[-1])
    with writing(repository, "one"), pytest.raises(UserError, match="is being written"):
        clean(open_repository(checkout.folder), "one")
    lines = clean(repository, "one")
    assert "3 refs" in lines[0]
    left = checkout.git("for-each-ref", "--format=%(refname)").split("\n")
    two = ["heads/skygit/two/best", "heads/skygit/two/island-0", "skygit/two/journal"]
    assert left == [f"refs/{name}" for name in ("heads/main", "heads/review", *two)]
    ours = [path for path in (checkout.folder / ".git").rglob("*one*") if "objects" not in path.parts]
    assert ours == []
    checkout.git("gc", "-q", "--prune=now")
    assert files(open_repository(checkout.folder), commits[-1])["src/a.py"] == b"3\n"
    clean(repository, "two")
    assert not (checkout.folder / ".git/skygit").exists()
    assert not (checkout.folder / ".git/refs/skygit").exists()
    with pytest.raises(UserError, match="there is no run two"):
        clean(repository, "two")


def test_clean_leaves_a_checked_out_branch(checkout: Checkout, repository: GitRepository) -> None:
    _, commits = worked(repository)
    checkout.git("checkout", "-q", "skygit/one/best")
    assert any("skygit/one/best is checked out" in line for line in clean(repository, "one"))
    assert checkout.git("rev-parse", "HEAD") == commits[-1]


def test_a_branch_made_from_a_winner_outlives_the_run(checkout: Checkout, repository: GitRepository) -> None:
    _, commits = worked(repository)
    pack_loose(repository)
    tree = repository.tree_id(commits[-1])
    winner = checkout.git("commit-tree", tree, "-p", "HEAD", "-m", "the winner")
    checkout.git("branch", "winner", winner)
    clean(repository, "one")
    checkout.git("gc", "-q", "--prune=now")
    assert checkout.git("fsck", "--no-dangling") == ""
    assert files(open_repository(checkout.folder), winner)["src/a.py"] == b"3\n"


def test_a_candidate_takes_few_bytes(checkout: Checkout, repository: GitRepository) -> None:
    """A file, a prompt that repeats most of its predecessor, a reply and three appends."""
    objects = checkout.folder / ".git/objects"
    journal, parent, steps = begun(repository), repository.head(), 100
    body = "".join(f"value_{line} = {line * 7919 % 1000}\n" for line in range(200))
    before = _bytes(objects)
    for step in range(steps):
        text = f"step = {step}\n{body}"
        journal.append([Entry(event=asked(step), papers={"prompt.md": f"improve this:\n{text}".encode()})])
        journal.append([Entry(event=asked(step), papers={"reply.md": b"turn the knob to %d" % step})])
        parent = laid(repository, parent, {"src/a.py": text.encode()})
        journal.append([Entry(event=asked(step))], keep=[parent])
    repository.close()
    assert loose(checkout) and (_bytes(objects) - before) / steps < 4096
    assert len(packs(objects, "one")) == 1


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def test_short_sessions_are_packed_together(checkout: Checkout, repository: GitRepository) -> None:
    journal, _ = worked(repository, steps=2)
    for step in range(70):
        journal.append([Entry(event=asked(step))])
    repository.close()
    assert not packs(checkout.folder / ".git/objects", "one")
    later = open_repository(checkout.folder)
    journal = open_journal(later, "one")
    for step in range(80):
        journal.append([Entry(event=asked(step))])
    later.close()
    assert len(packs(checkout.folder / ".git/objects", "one")) == 1
