"""The laws of repositories. Subclass a contract in a test module and say how yours is made.

    class TestMine(RepositoryContract):
        def make(self, files):
            mine = Mine(files)
            return mine, mine.base

`RepositoryContract` holds for every repository, `PathsContract` for those that know folders
and modes.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import pytest

from skygit.domain.draft import Change, Draft
from skygit.ports import Repository

FILES = {"read me.md": b"hello\r\n", "src/a.py": b"a = 1\n", "src/deep/b.py": b"\xff\0raw", "src/\udce9.txt": b""}
"""The files of the base: a space, a path that is not UTF-8, bytes that are no text, an empty file."""


class RepositoryContract(ABC):
    """What every repository does."""

    @abstractmethod
    def make(self, files: Mapping[str, bytes]) -> tuple[Repository, str]:
        """A repository and a commit in it that has these files."""

    @pytest.fixture
    def made(self) -> tuple[Repository, str]:
        return self.make(FILES)

    def test_reads_what_is_there(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        assert files(repository, base) == FILES

    def test_lists_each_path_once(self, made: tuple[Repository, str]) -> None:
        paths = made[0].tree(made[1]).paths()
        assert sorted(paths) == sorted(FILES)
        assert len(paths) == len(FILES)
        assert "src/a.py" in paths and "src" not in paths and "src/c.py" not in paths

    def test_what_is_not_there_has_no_mode(self, made: tuple[Repository, str]) -> None:
        tree = made[0].tree(made[1])
        assert tree.mode("src/c.py") is None
        assert tree.mode("read me.md/x") is None
        with pytest.raises(KeyError):
            tree.read("src/c.py")

    def test_a_draft_changes_its_paths_only(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        child = laid(repository, base, {"src/a.py": b"a = 2\n", "new/x/y.py": b"y", "read me.md": None})
        assert files(repository, child) == {**_without("read me.md"), "src/a.py": b"a = 2\n", "new/x/y.py": b"y"}
        assert files(repository, base) == FILES

    def test_tells_what_changed(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        child = laid(repository, base, {"src/a.py": b"a = 2\n", "new/x/y.py": b"y", "read me.md": None})
        assert list(repository.changed(base, child)) == ["new/x/y.py", "read me.md", "src/a.py"]
        assert list(repository.changed(child, base)) == ["new/x/y.py", "read me.md", "src/a.py"]
        assert not repository.changed(child, child)

    def test_a_childs_list_follows_it(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        repository.tree(base).paths()
        child = laid(repository, base, {"src/a.py": None, "zz": b"", "aa": b""})
        grandchild = laid(repository, child, {"zz": None, "src/a.py": b"again"})
        assert sorted(repository.tree(child).paths()) == sorted({*_without("src/a.py"), "zz", "aa"})
        assert sorted(repository.tree(grandchild).paths()) == sorted({*FILES, "aa"})
        assert len(repository.tree(grandchild).paths()) == len(FILES) + 1

    def test_equal_files_are_equal_trees(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        there = laid(repository, base, {"src/a.py": b"other", "new": b""})
        back = repository.write_tree(there, draft({"src/a.py": FILES["src/a.py"], "new": None}))
        assert back == repository.tree_id(base)

    def test_equal_commits_have_equal_ids(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        tree = repository.write_tree(base, draft({"src/a.py": b"x"}))
        first = repository.commit(tree, [base], "one", clock=3)
        assert first == repository.commit(tree, [base], "one", clock=3)
        assert len({first, *(repository.commit(tree, [base], text, clock=4) for text in ("one", "two"))}) == 3
        assert repository.tree_id(first) == tree

    def test_a_diff_names_both_sides(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        text = repository.diff(base, laid(repository, base, {"src/a.py": b"a = 2\n"}))
        assert "--- a/src/a.py\n" in text and "+++ b/src/a.py\n" in text
        assert repository.diff(base, base) == ""

    def test_packing_loses_nothing(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        child = laid(repository, base, {"src/a.py": b"a = 2\n"})
        repository.pack()
        assert files(repository, child)["src/a.py"] == b"a = 2\n"


class PathsContract(RepositoryContract):
    """What a repository does that knows folders and modes."""

    def test_modes(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        changes = (Change(path="src/run", content=b"#!", mode="100755"), Change(path="src/a.py", content=b"x"))
        tree = repository.tree(_committed(repository, base, Draft(changes=changes)))
        assert [tree.mode(path) for path in ("src/run", "src/a.py", "src")] == ["100755", "100644", "040000"]

    def test_a_folder_without_files_is_gone(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        child = laid(repository, base, {"src/deep/b.py": None})
        assert repository.tree(child).mode("src/deep") is None
        with pytest.raises(KeyError):
            repository.tree(base).read("src")

    def test_a_file_may_become_a_folder_and_back(self, made: tuple[Repository, str]) -> None:
        repository, base = made
        child = laid(repository, base, {"read me.md": None, "read me.md/x": b"1"})
        assert list(repository.changed(base, child)) == ["read me.md", "read me.md/x"]
        assert repository.write_tree(child, draft({"read me.md/x": None, "read me.md": FILES["read me.md"]})) == (
            repository.tree_id(base)
        )

    @pytest.mark.parametrize(
        "changes",
        [
            {"src": b"a file where a folder is"},
            {"read me.md/x": b"below a file"},
            {"no/such": None},
            {"src": None},
            {"new": b"", "new/x": b""},
            {"../x": b""},
            {"a//b": b""},
            {"a/.GIT/x": b""},
            {"/x": b""},
            {"": b""},
        ],
    )
    def test_what_cannot_be_is_refused(self, made: tuple[Repository, str], changes: dict[str, bytes | None]) -> None:
        with pytest.raises(ValueError, match=r"."):
            made[0].write_tree(made[1], draft(changes))


def draft(changes: Mapping[str, bytes | None]) -> Draft:
    """A draft of plain files; None deletes."""
    return Draft(changes=tuple(Change(path=path, content=data) for path, data in sorted(changes.items())))


def laid(repository: Repository, parent: str, changes: Mapping[str, bytes | None]) -> str:
    """A child of a commit with these changes."""
    return _committed(repository, parent, draft(changes))


def files(repository: Repository, commit: str) -> dict[str, bytes]:
    """Every file of a commit."""
    tree = repository.tree(commit)
    return {path: tree.read(path) for path in tree.paths()}


def _committed(repository: Repository, parent: str, changes: Draft) -> str:
    return repository.commit(repository.write_tree(parent, changes), [parent], "a change\n", clock=1)


def _without(path: str) -> dict[str, bytes]:
    return {known: data for known, data in FILES.items() if known != path}
