"""`skygit apply` on real folders."""

import io
import json
import sys

import pytest

from skygit.cli import main

GOOD = "```diff\n--- a/m.py\n+++ b/m.py\n@@\n-x = 1\n+x = 2\n```\n"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    (root / "m.py").write_text("x = 1\n")
    (root / "evaluate.py").write_text("x = 1\n")
    (tmp_path / "reply.md").write_text(GOOD)
    return root


def apply(folder, reply, *more):
    (folder.parent / "reply.md").write_text(reply)
    return main(["apply", str(folder.parent / "reply.md"), "--directory", str(folder), *more])


def test_it_applies_and_names_the_files(folder, capsys):
    assert apply(folder, GOOD) == 0
    assert (folder / "m.py").read_text() == "x = 2\n"
    assert capsys.readouterr().out == "m.py\n"


def test_a_refusal_says_why_and_ends_with_the_word(folder, capsys):
    assert apply(folder, GOOD.replace("x = 1", "y = 1") + GOOD.replace("m.py", "n.py")) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "no-match" and "n.py" in out[0]
    assert (folder / "m.py").read_text() == "x = 1\n"


def test_the_usual_files_are_guarded_without_a_scope(folder, capsys):
    assert apply(folder, GOOD.replace("m.py", "evaluate.py")) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "protected-path"


def test_a_scope_file_decides(folder, capsys):
    scope = folder.parent / "scope.json"
    scope.write_text(json.dumps({"evolvable": ["src/**"]}))
    assert apply(folder, GOOD, "--scope", str(scope)) == 1
    scope.write_text(json.dumps({"evolvabel": ["src/**"]}))
    assert apply(folder, GOOD, "--scope", str(scope)) == 2
    assert "evolvable" in capsys.readouterr().err


def test_the_reply_may_come_from_standard_input(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert main(["apply", "-", "--directory", str(folder)]) == 0
    assert (folder / "m.py").read_text() == "x = 2\n"


def test_links_are_not_followed(folder, capsys):
    (folder / "link.py").symlink_to("m.py")
    (folder / "up").symlink_to("..")
    for path in ("link.py", "up/reply.md"):
        assert apply(folder, GOOD.replace("m.py", path)) == 1
        assert capsys.readouterr().out.splitlines()[-1] == "symlink-escape"
    assert (folder / "m.py").read_text() == "x = 1\n"


def test_mistakes_of_the_user(folder, capsys):
    assert main(["apply", "no-such-file", "--directory", str(folder)]) == 2
    assert main(["apply", str(folder.parent / "reply.md"), "--directory", str(folder / "no")]) == 2
