"""Laws of the repository over real git."""

import os
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skygit.domain.draft import Change, Draft
from skygit.errors import RepositoryError
from skygit.git.repository import GitRepository, open_repository
from skygit.ports import Repository
from skygit.testing.memory_store import MemoryRepository
from skygit.testing.repositories import PathsContract, RepositoryContract, draft, files, laid
from tests.git.conftest import FILES, Checkout, new_checkout


class TestGit(PathsContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "git"

    options: tuple[str, ...] = ()

    def make(self, files: Mapping[str, bytes]) -> tuple[Repository, str]:
        checkout = new_checkout(self.folder, *self.options, files=files)
        return open_repository(checkout.folder), checkout.git("rev-parse", "HEAD")


class TestSha256(TestGit):
    options = ("--object-format=sha256",)


class TestMemory(RepositoryContract):
    def make(self, files: Mapping[str, bytes]) -> tuple[Repository, str]:
        repository = MemoryRepository(files)
        return repository, repository.base


def test_trees_and_commits_are_those_git_makes(checkout: Checkout, repository: GitRepository) -> None:
    base = repository.head()
    child = laid(repository, base, {"src/a.py": b"2", "src-x": b"", "src/deep/c.py": None, "src.d/y": b""})
    checkout.git("checkout", "-q", "-b", "other")
    checkout.write({"src/a.py": b"2", "src-x": b"", "src.d/y": b""})
    (checkout.folder / "src/deep/c.py").unlink()
    checkout.git("add", "-A")
    assert checkout.git("write-tree") == repository.tree_id(child)
    assert checkout.git("fsck", "--strict", "--no-dangling") == ""
    assert checkout.git("log", "-1", "--format=%an <%ae> %cn %ad", "--date=raw", child).startswith(
        "skygit <skygit@localhost> skygit "
    )


def test_dates_count_from_the_base(repository: GitRepository) -> None:
    base = repository.head()
    child = repository.commit(repository.tree_id(base), [base], "one", clock=5)
    grandchild = repository.commit(repository.tree_id(base), [child], "two", clock=9)
    date = repository.commit_info(base).date
    assert [repository.commit_info(commit).date - date for commit in (child, grandchild)] == [5, 9]


@pytest.mark.parametrize("inside", [".", "src/deep"])
def test_opens_from_any_folder(checkout: Checkout, inside: str) -> None:
    opened = open_repository(checkout.folder / inside)
    assert (opened.root, opened.common) == (checkout.folder, checkout.folder / ".git")


def test_opens_linked_worktrees_and_bare_ones(checkout: Checkout, tmp_path: Path) -> None:
    checkout.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    linked = open_repository(tmp_path / "linked" / "src")
    assert (linked.root, linked.common) == (tmp_path / "linked", checkout.folder / ".git")
    checkout.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    bare = open_repository(tmp_path / "bare.git")
    assert (bare.common, bare.head(), bare.uncommitted()) == (tmp_path / "bare.git", linked.head(), ())


def test_no_repository_is_one_line(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(RepositoryError) as caught:
            open_repository(folder)
        assert str(folder) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_no_commit_yet_is_one_line(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    with pytest.raises(RepositoryError, match="no commit yet"):
        open_repository(tmp_path).head()


def test_a_format_this_git_cannot_read_is_one_line(checkout: Checkout) -> None:
    checkout.git("config", "core.repositoryformatversion", "1")
    checkout.git("config", "extensions.refstorage", "stone-tablets")
    with pytest.raises(RepositoryError, match=r"refstorage|stone-tablets"):
        open_repository(checkout.folder)


def test_inherited_variables_lead_nowhere(checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = new_checkout(tmp_path / "other", files={"x": b"other"})
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git/index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.folder / ".git/objects"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(other.folder))
    opened = open_repository(checkout.folder)
    assert files(opened, opened.head()) == FILES
    assert not opened.uncommitted()


def test_names_are_resolved(checkout: Checkout, repository: GitRepository) -> None:
    checkout.git("tag", "-a", "v1", "-m", "tag")
    assert {repository.resolve(name) for name in ("HEAD", "main", "v1", repository.head()[:8])} == {repository.head()}
    for name in ("no-such", "--all", "HEAD:src", ""):
        with pytest.raises(RepositoryError, match="names no commit"):
            repository.resolve(name)


def test_counts_uncommitted_changes(checkout: Checkout, repository: GitRepository) -> None:
    checkout.commit({".gitignore": b"*.log\n"})
    checkout.write({"x y": b"", "new/1": b"", "new/2": b"", "a.log": b"", "src/a.py": b"changed"})
    (checkout.folder / "src/b.py").unlink()
    checkout.git("mv", "README", "READ")
    index = (checkout.folder / ".git/index").read_bytes()
    assert len(repository.uncommitted()) == 7
    assert (checkout.folder / ".git/index").read_bytes() == index


def test_links_and_submodules(checkout: Checkout, repository: GitRepository) -> None:
    (checkout.folder / "src/link").symlink_to("../README")
    module = repository.head()
    checkout.git("update-index", "--add", "--cacheinfo", f"160000,{module},module")
    checkout.git("add", "src/link")
    checkout.git("commit", "-qm", "link")
    tree = repository.tree(repository.head())
    assert (tree.mode("src/link"), tree.mode("module"), tree.read("src/link")) == ("120000", "160000", b"../README")
    assert {"src/link", "module"} <= set(tree.paths())
    with pytest.raises(KeyError):
        tree.read("module")


def test_a_diff_heeds_no_attribute(checkout: Checkout, repository: GitRepository) -> None:
    base = repository.head()
    child = laid(repository, base, {"src/a.py": b"a = 2\n"})
    plain = repository.diff(base, child)
    checkout.git("config", "diff.shout.textconv", "tr a-z A-Z <")
    checkout.git("config", "diff.shout.command", "false")
    checkout.git("config", "diff.noprefix", "true")
    checkout.git("config", "color.ui", "always")
    checkout.commit({".gitattributes": b"*.py diff=shout\n*.py -text binary\n"})
    assert repository.diff(base, child) == plain
    assert "-a = 1\n+a = 2\n" in plain


def test_a_diff_applies(checkout: Checkout, repository: GitRepository) -> None:
    base = repository.head()
    child = laid(repository, base, {"src/a.py": b"a = 2", "new\tfile": b"x\r\n", "src/deep/c.py": None})
    checkout.git("apply", "--index", "-", stdin=repository.diff(base, child).encode())
    assert checkout.git("write-tree") == repository.tree_id(child)


def test_replaced_objects_are_not_believed(checkout: Checkout, repository: GitRepository) -> None:
    base = repository.head()
    blob = checkout.git("rev-parse", "HEAD:src/a.py")
    fake = checkout.git("hash-object", "-w", "--stdin", stdin=b"cheat")
    checkout.git("replace", blob, fake)
    assert repository.tree(base).read("src/a.py") == FILES["src/a.py"]


def test_objects_of_alternates_and_shallow_clones(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit({"src/a.py": b"second"})
    checkout.git("clone", "-q", "--shared", ".", str(tmp_path / "shared"))
    checkout.git("clone", "-q", "--depth=1", f"file://{checkout.folder}", str(tmp_path / "shallow"))
    for name in ("shared", "shallow"):
        opened = open_repository(tmp_path / name)
        child = laid(opened, opened.head(), {"src/a.py": b"third"})
        assert files(opened, child)["src/a.py"] == b"third"
        assert opened.changed(opened.head(), child) == ["src/a.py"]


def test_threads_may_read_and_write(repository: GitRepository) -> None:
    base, wrong = repository.head(), []

    def work(number: int) -> None:
        for turn in range(30):
            child = laid(repository, base, {"src/a.py": b"%d %d" % (number, turn)})
            if repository.tree(child).read("src/a.py") != b"%d %d" % (number, turn):
                wrong.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_helpers_that_die_are_replaced(repository: GitRepository) -> None:
    base = repository.head()
    first = repository.tree(base).read("src/a.py")
    helper = repository.objects._running
    assert helper is not None
    helper.owner.proc.kill()
    helper.owner.proc.wait()
    child = laid(repository, base, {"src/a.py": b"2"})
    assert (first, repository.tree(child).read("src/a.py")) == (FILES["src/a.py"], b"2")


_NAMES = st.sampled_from([b"a", b"b", b"a.b", b"a-b", b"\xff", "é".encode(), b"x y", b'q"', b"new\nline"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map(lambda names: b"/".join(names).decode("utf-8", "surrogateescape"))
_DRAFTS = st.dictionaries(_PATHS, st.none() | st.binary(max_size=8), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_DRAFTS, min_size=1, max_size=4))
def test_any_draft_is_right_or_refused(repository: GitRepository, drafts: list[dict[str, bytes | None]]) -> None:
    commit, expected = repository.head(), dict(FILES)
    for changes in drafts:
        after = {**expected, **changes}
        there = {path: data for path, data in after.items() if data is not None}
        possible = not any(path != other and other.startswith(f"{path}/") for path in there for other in there)
        possible &= all(data is not None or path in expected for path, data in changes.items())
        try:
            child = laid(repository, commit, changes)
        except ValueError:
            assert not possible
            continue
        assert possible
        assert files(repository, child) == there
        assert set(repository.changed(commit, child)) == {
            path for path in changes if expected.get(path) != there.get(path)
        }
        commit, expected = child, there


def test_a_mode_is_a_change(repository: GitRepository) -> None:
    base = repository.head()
    changes = Draft(changes=(Change(path="src/a.py", content=FILES["src/a.py"], mode="100755"),))
    child = repository.commit(repository.write_tree(base, changes), [base], "run", clock=1)
    assert repository.changed(base, child) == ["src/a.py"]
    assert "new mode 100755" in repository.diff(base, child)
    assert repository.write_tree(base, draft({"src/a.py": FILES["src/a.py"]})) == repository.tree_id(base)


def test_no_process_of_git_holds_a_key(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a-key-nobody-may-read")
    repository = open_repository(checkout.folder)
    repository.objects.read(repository.head())
    held = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            argv, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(checkout.folder) in argv:
            held.append(b"a-key-nobody-may-read" in environment)
    assert held == [False]
