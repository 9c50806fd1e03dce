"""One file with one block, in many languages: what is inside may change, nothing else may, however it is asked."""

import pytest

FROZEN = {"frozen-region", "syntax-error"}
TAMPER = {"marker-tamper", "frozen-region", "syntax-error"}
BROKEN = {"marker-invalid"}
FILES = {
    "m.py": ("# ", "", "LIMIT = 10", "x = 1", "x = 2", "e = 3"),
    "m.js": ("// ", "", "const LIMIT = 10;", "let x = 1;", "let x = 2;", "const e = 3;"),
    "m.jsx": ("// ", "", "const L = 10;", "let x = 1;", "let x = 2;", "export default x;"),
    "m.ts": ("// ", "", "const LIMIT: number = 10;", "let x: number = 1;", "let x: number = 2;", "const e = 3;"),
    "m.c": ("// ", "", "#include <stdio.h>", "int x = 1;", "int x = 2;", "int e = 3;"),
    "n.c": ("/* ", " */", "#include <stdio.h>", "int x = 1;", "int x = 2;", "int e = 3;"),
    "m.cpp": ("// ", "", "#include <vector>", "int x = 1;", "int x = 2;", "int e = 3;"),
    "m.cu": ("// ", "", "#include <stdio.h>", "int x = 1;", "int x = 2;", "int e = 3;"),
    "m.rs": ("// ", "", "const LIMIT: i32 = 10;", "static X: i32 = 1;", "static X: i32 = 2;", "static E: i32 = 3;"),
    "m.go": ("// ", "", "package m", "var x = 1", "var x = 2", "var e = 3"),
    "m.java": ("// ", "", "class A {", "int x = 1;", "int x = 2;", "}"),
    "m.sql": ("-- ", "", "CREATE TABLE a (b INT);", "SELECT 1;", "SELECT 2;", "SELECT 3;"),
    "n.sql": ("/* ", " */", "CREATE TABLE a (b INT);", "SELECT 1;", "SELECT 2;", "SELECT 3;"),
    "m.yaml": ("# ", "", "seed: 7", "x: 1", "x: 2", "e: 3"),
    "m.html": ("<!-- ", " -->", "<h1>t</h1>", "<p>1</p>", "<p>2</p>", "<p>3</p>"),
    "m.css": ("/* ", " */", "h1 { color: red; }", "p { margin: 1px; }", "p { margin: 2px; }", "b { margin: 3px; }"),
    "m.lua": ("-- ", "", "local limit = 10", "local x = 1", "local x = 2", "return x"),
    "m.toml": ("# ", "", "seed = 7", "x = 1", "x = 2", "e = 3"),
    "m.sh": ("# ", "", "set -e", "x=1", "x=2", "echo $x"),
    "m.txt": ("# ", "", "head", "one", "two", "tail"),
    "m.md": ("<!-- ", " -->", "# Head", "one", "two", "tail"),
    "m.ini": ("; ", "", "[a]", "x = 1", "x = 2", "[b]"),
    "m.tex": ("% ", "", "\\section{a}", "one", "two", "\\end"),
    "m.ml": ("(* ", " *)", "let l = 10", "let x = 1", "let x = 2", "let e = 3"),
    "m.hs": ("-- ", "", "l = 10", "x = 1", "x = 2", "e = 3"),
    "m.f90": ("! ", "", "program p", "x = 1", "x = 2", "end program p"),
    "Makefile": ("# ", "", "A := 1", "X := 1", "X := 2", "all: a"),
    "Dockerfile": ("# ", "", "FROM a", "RUN b", "RUN c", "CMD d"),
}
LABELS = ("", " core", ": scorer")


def _file(path, label):
    start, end, head, old, new, tail = FILES[path]
    opening, closing = f"{start}EVOLVE-BLOCK-START{label}{end}", f"{start}EVOLVE-BLOCK-END{label}{end}"
    return opening, closing, head, old, new, tail


def _diff(path, *rows):
    return (
        f"Here:\n\n```diff\n--- a/{path}\n+++ b/{path}\n@@\n" + "".join(row + "\n" for row in rows) + "```\n\nDone.\n"
    )


def _listing(path, *rows):
    return f"`{path}`\n```\n" + "".join(row + "\n" for row in rows) + "```\n"


def _inside(path, label):
    o, c, head, old, new, tail = _file(path, label)
    yield _diff(path, " " + o, "-" + old, "+" + new, " " + c)
    yield _diff(path, "-" + old, "+" + new)
    yield _diff(path, "-" + o, "-" + old, "-" + c, "+" + o, "+" + new, "+" + c)
    yield f"`{path}`\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"
    yield f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
    yield _listing(path, head, o, new, c, tail)
    yield _listing(path, o, new, c)
    yield f"```\n{o}\n{new}\n{c}\n```\n"


def _refused(path, label):
    o, c, head, old, new, tail = _file(path, label)
    yield _diff(path, " " + head, "+" + new, " " + o), FROZEN
    yield _diff(path, " " + c, "+" + new, " " + tail), FROZEN
    yield _diff(path, " " + c, "-" + tail, "+" + tail, "+" + old), FROZEN
    yield _listing(path, head, o, new, c, new), FROZEN
    yield _diff(path, "-" + o, "-" + old, "+" + new, "-" + c), TAMPER
    yield _diff(path, "-" + old, "+" + new, "-" + c), TAMPER
    yield _diff(path, "-" + old, "+" + new, "-" + c, " " + tail, "+" + c), TAMPER
    yield _diff(path, "+" + o, " " + head, "-" + o, " " + old), TAMPER
    yield _diff(path, " " + c, "+" + o, "+" + c, " " + tail), TAMPER
    yield _diff(path, " " + o, " " + old, "+" + c, "+" + o, " " + c), TAMPER
    yield _diff(path, "-" + o, "+  " + o, "-" + old, "+" + new, " " + c), TAMPER
    yield _diff(path, "-" + o, "+" + o.replace("START", "START other"), " " + old), TAMPER
    yield _listing(path, head, new, tail), TAMPER
    yield f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch\n", {"frozen-region"}


@pytest.mark.parametrize("path", FILES)
def test_inside_applies_and_outside_does_not(run, path):
    for label in LABELS:
        o, c, head, old, new, tail = _file(path, label)
        text = "\n".join((head, o, old, c, tail, ""))
        after = "\n".join((head, o, new, c, tail, "")).encode()
        for reply in _inside(path, label):
            assert run({path: text}, reply) == {path: after}, reply
            crlf = after.replace(b"\n", b"\r\n")
            assert run({path: text.replace("\n", "\r\n")}, reply) == {path: crlf}, reply
        for reply, words in _refused(path, label):
            assert run({path: text}, reply) in words, reply


@pytest.mark.parametrize("path", FILES)
def test_broken_structure(run, path):
    o, c, head, old, new, tail = _file(path, "")
    for rows in ((head, o, old, tail), (head, old, c, tail), (head, c, old, o, tail), (o, o, old, c, tail)):
        assert run({path: "\n".join((*rows, ""))}, _diff(path, "-" + old, "+" + new)) in BROKEN


@pytest.mark.parametrize("path", FILES)
def test_ends_and_byte_order_marks_stay(run, path):
    o, c, head, old, new, tail = _file(path, "")
    for rows in ((head, o, old, c, tail), (head, o, old, c)):
        text = "\ufeff" + "\n".join(rows)
        after = text.replace(f"{o}\n{old}\n", f"{o}\n{new}\n").encode()
        assert run({path: text}, _diff(path, "-" + old, "+" + new, " " + c)) == {path: after}
