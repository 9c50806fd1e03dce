"""Canonical diffs against git itself."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skygit.domain.draft import Change, Draft
from skygit.edits.canonical import draft_diff, read, unified

LINES = st.lists(
    st.sampled_from(["a", "b", "c ", "\td", "", "é", "-- x", "++ y", "@@ -1 +1 @@", "e\r", "\\ n"]), max_size=30
)
TEXTS = st.builds(lambda lines, end: ("\n".join(lines) + end).encode(), LINES, st.sampled_from(["", "\n"]))
PATHS = ["x.txt", "d/e f.txt", "caf\u00e9.py", 'q"t.txt', "tab\there.txt", "back.orig"]


def git(folder: Path, *argv: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-c", "core.autocrlf=false", *argv], cwd=folder, input=text, capture_output=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("repo")
    git(place, "init", "-q")
    return place


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=st.none() | TEXTS, new=st.none() | TEXTS, path=st.sampled_from(PATHS))
def test_git_applies_it_and_gets_the_same_bytes(folder, old, new, path):
    diff = unified(old, new, path)
    if old == new:
        assert diff == ""
        return
    target = folder / path
    target.parent.mkdir(exist_ok=True)
    target.unlink(missing_ok=True)
    if old is not None:
        target.write_bytes(old)
    done = git(folder, "apply", "--whitespace=nowarn", "-", text=diff.encode("utf-8", "surrogateescape"))
    assert done.returncode == 0, (done.stderr, diff)
    assert (target.read_bytes() if target.exists() else None) == new


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=TEXTS, new=TEXTS)
def test_a_reply_with_the_canonical_diff_gives_the_new_bytes(run, old, new):
    if old == new or not old or b"\r" in old + new:
        return  # CR is transport in a reply
    files = {"x.txt": old}
    diff = unified(old, new, "x.txt").encode()
    assert run(files, b"````diff\n" + diff + b"````\n") == {"x.txt": new}


def test_bytes_that_are_no_text_survive():
    diff = unified(b"\xff\na\n", b"\xff\nb\n", "x")
    assert diff.encode("utf-8", "surrogateescape").count(b"\xff") == 1


def test_a_draft_is_one_diff_and_can_be_read_back(tree):
    there = tree({"a.txt": "1\n2\n", "b.sh": "x\n", "c": "gone\n"}, {"b.sh": "100755"})
    changes = (
        Change(path="a.txt", content=b"1\n3\n"),
        Change(path="b.sh", content=b"x\n", mode="100644"),
        Change(path="c", content=None),
        Change(path="d", content=b"new\n", mode="100755"),
    )
    diff = draft_diff(Draft(changes=changes), there)
    assert "old mode 100755\nnew mode 100644\n" in diff and "new file mode 100755\n" in diff
    found = {file.old or file.new: (file.old, file.new, file.added, file.removed) for file in read(diff)}
    assert found["a.txt"] == ("a.txt", "a.txt", 1, 1)
    assert found["c"] == ("c", "", 0, 1)
    assert found["d"] == ("", "d", 1, 0)


def test_what_is_no_canonical_diff_is_not_read():
    with pytest.raises(ValueError):
        read("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n-a\n+b\nnonsense\n")
