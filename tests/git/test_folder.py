"""A folder as a tree, and writing a draft into it: all or nothing, links never followed."""

import stat

import pytest

from skygit.domain.draft import Change, Draft
from skygit.git.folder import FolderTree, write


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("[core]\n")
    (root / "src" / "a.py").write_bytes(b"a\r\n")
    (root / "run.sh").write_text("echo\n")
    (root / "run.sh").chmod(0o750)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("keep\n")
    (root / "out").symlink_to("../outside")
    (root / "alias").symlink_to("run.sh")
    return root


def everything(root):
    return {
        str(path.relative_to(root)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in root.rglob("*")
    }


def test_what_is_seen(folder):
    tree = FolderTree(folder)
    assert list(tree.paths()) == ["alias", "out", "run.sh", "src/a.py"]
    assert [tree.mode(path) for path in ("alias", "out", "run.sh", "src/a.py", "src", "no")] == [
        "120000", "120000", "100755", "100644", "040000", None,
    ]  # fmt: skip
    assert tree.read("src/a.py") == b"a\r\n" and tree.read("alias") == b"run.sh"


@pytest.mark.parametrize(
    "path",
    [
        "out/secret",
        "../outside/secret",
        ".git/config",
        "src/../run.sh",
        "/etc/passwd",
        "",
        "src//a.py",
        "run.sh/x",
        "x\0",
    ],
)
def test_what_lies_beyond_is_not_there(folder, path):
    assert FolderTree(folder).mode(path) is None
    with pytest.raises(KeyError):
        FolderTree(folder).read(path)


def test_writing(folder):
    changes = (
        Change(path="new/deep/x.py", content=b"x\n"),
        Change(path="run.sh", content=b"echo 2\n", mode="100755"),
        Change(path="src/a.py", content=None),
        Change(path="tool", content=b"t\n", mode="100755"),
    )
    write(folder, Draft(changes=changes))
    assert (folder / "new/deep/x.py").read_bytes() == b"x\n"
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) == 0o750
    assert (folder / "tool").stat().st_mode & 0o111 and not (folder / "new/deep/x.py").stat().st_mode & 0o111
    assert not (folder / "src").exists()
    assert sorted(path.name for path in folder.iterdir()) == [".git", "alias", "new", "out", "run.sh", "tool"]


@pytest.mark.parametrize(
    "bad",
    [
        Change(path="out/secret", content=b"leaked\n"),
        Change(path="out/new", content=b"leaked\n"),
        Change(path="alias", content=b"leaked\n"),
        Change(path="run.sh/below", content=b"x\n"),
        Change(path="src", content=b"x\n"),
    ],
)
def test_a_write_that_fails_leaves_everything_as_it_was(folder, bad):
    before, outside = everything(folder), everything(folder.parent / "outside")
    changes = (Change(path="a-new/x", content=b"x\n"), Change(path="run.sh", content=b"no\n", mode="100755"), bad)
    if bad.path == "run.sh/below":
        changes = (changes[0], bad)
    with pytest.raises(OSError):
        write(folder, Draft(changes=changes))
    assert everything(folder) == before and everything(folder.parent / "outside") == outside
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) == 0o750


def test_a_write_that_fails_half_way_is_undone(folder):
    before = everything(folder)
    changes = (
        Change(path="fresh/x", content=b"x\n"),
        Change(path="run.sh", content=b"no\n", mode="100755"),
        Change(path="src/a.py", content=None),
        Change(path="zz", content=b"x\n"),
        Change(path="zz/below", content=b"x\n"),
    )
    with pytest.raises(OSError):
        write(folder, Draft(changes=changes))
    assert everything(folder) == before
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) == 0o750
