"""EVOLVE-BLOCK: what is a marker, what may change, and what tampering looks like."""

import pytest

from skygit.domain.draft import Change, Draft, Refusal
from skygit.edits.blocks import Regions, regions
from skygit.edits.judge import check

PY = (
    "LIMIT = 3\n\n# EVOLVE-BLOCK-START\ndef f(x):\n    return x\n# EVOLVE-BLOCK-END\n\n\n"
    "def g(x):\n    return f(x) % LIMIT\n"
)
STYLES = {
    "m.py": "# {}",
    "m.js": "// {}",
    "m.ts": "/* {} */",
    "m.tsx": "// {}",
    "m.c": "/* {} */",
    "m.h": "// {}",
    "m.rs": "// {}",
    "m.go": "// {}",
    "m.lua": "-- {}",
    "m.sql": "-- {}",
    "n.sql": "/* {} */",
    "m.yaml": "# {}",
    "m.toml": "# {}",
    "m.css": "/* {} */",
    "m.html": "<!-- {} -->",
    "m.sh": "# {}",
    "m.txt": "# {}",
    "m.md": "<!-- {} -->",
    "m.tex": "% {}",
    "m.lisp": ";; {}",
    "m.unknown": "-- {}",
    "Makefile": "# {}",
}


@pytest.mark.parametrize(("path", "style"), STYLES.items())
@pytest.mark.parametrize("tail", ["", ": name", " (tune it)"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_markers_of_every_language(syntax, path, style, tail, end):
    lines = ["", style.format("EVOLVE-BLOCK-START" + tail), "", style.format("EVOLVE-BLOCK-END" + tail), ""]
    found = regions(path, end.join(lines).encode(), syntax)
    assert isinstance(found, Regions) and found.marked
    assert [(block.row, block.end_row) for block in found.blocks] == [(1, 3)]
    assert end.join(lines).encode()[found.blocks[0].start : found.blocks[0].end] == end.encode()
    assert found.blocks[0].label == tail.strip(" :")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("m.py", 'X = """\n# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n"""\n'),
        ("m.py", "def f():\n    '''\n    # EVOLVE-BLOCK-START\n    '''\n"),
        ("m.py", 'print("# EVOLVE-BLOCK-END")\n'),
        ("m.py", "# everything between EVOLVE-BLOCK-START and EVOLVE-BLOCK-END changes\n"),
        ("m.py", "# EVOLVE-BLOCK-STARTED\n# evolve-block-start\n"),
        ("m.js", "const t = `\n// EVOLVE-BLOCK-START\n`;\n"),
        ("m.yaml", "a: |\n  # EVOLVE-BLOCK-START\n  # EVOLVE-BLOCK-END\n"),
        ("m.c", 'const char *s = "// EVOLVE-BLOCK-START";\n'),
        ("m.rs", 'const S: &str = r"\n// EVOLVE-BLOCK-START\n";\n'),
        ("m.go", "package m\n\nvar s = `\n// EVOLVE-BLOCK-START\n`\n"),
        ("m.lua", "local s = [[\n-- EVOLVE-BLOCK-START\n]]\n"),
        ("m.sh", "cat <<'X'\n# EVOLVE-BLOCK-START\nX\n"),
        ("m.txt", "see EVOLVE-BLOCK-START\nEVOLVE-BLOCK-END\n"),
    ],
)
def test_text_that_only_mentions_markers(syntax, path, text):
    found = regions(path, text.encode(), syntax)
    assert isinstance(found, Regions) and not found.marked and found.spans == ((0, len(text.encode())),)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("m.py", "# EVOLVE-BLOCK-START\n"),
        ("m.py", "# EVOLVE-BLOCK-END\n"),
        ("m.py", "# EVOLVE-BLOCK-END\nx = 1\n# EVOLVE-BLOCK-START\n"),
        ("m.py", "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n# EVOLVE-BLOCK-END\n"),
        ("m.py", "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n# EVOLVE-BLOCK-END\n"),
        ("m.py", "x = 1  # EVOLVE-BLOCK-START\ny = 2\n# EVOLVE-BLOCK-END\n"),
        ("m.js", "/*\n * EVOLVE-BLOCK-START\n */\nlet x;\n// EVOLVE-BLOCK-END\n"),
        ("m.txt", "# EVOLVE-BLOCK-START\n"),
        ("m.md", "<!-- EVOLVE-BLOCK-START\n-->\nx\n<!-- EVOLVE-BLOCK-END -->\n"),
    ],
)
def test_broken_structure_refuses_every_edit(run, syntax, path, text):
    found = regions(path, text.encode(), syntax)
    assert isinstance(found, Refusal) and found.word == "marker-invalid" and path in found.message
    first = text.splitlines()[0]
    assert run({path: text}, f"```diff\n--- a/{path}\n+++ b/{path}\n@@\n {first}\n+# new\n```\n") == "marker-invalid"


def diff(body: str, path: str = "m.py") -> str:
    return f"```diff\n--- a/{path}\n+++ b/{path}\n{body}```\n"


def test_inside_applies(run):
    after = PY.replace("return x\n", "return x + 1\n").encode()
    assert run({"m.py": PY}, diff("@@\n-    return x\n+    return x + 1\n")) == {"m.py": after}
    assert run({"m.py": PY}, f"m.py\n```python\n{after.decode()}```\n") == {"m.py": after}
    block = "# EVOLVE-BLOCK-START\ndef f(x):\n    return x + 1\n# EVOLVE-BLOCK-END\n"
    assert run({"m.py": PY, "n.py": ""}, f"m.py\n```python\n{block}```\n") == {"m.py": after}
    assert run({"m.py": PY, "n.py": ""}, f"```python\n{block}```\n") == {"m.py": after}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("@@\n-LIMIT = 3\n+LIMIT = 4\n", ["frozen-region"]),
        ("@@\n-LIMIT = 3\n+LIMIT = 3 \n", ["frozen-region"]),
        ("@@\n def g(x):\n-    return f(x) % LIMIT\n", ["frozen-region", "syntax-error"]),
        ("@@\n-LIMIT = 3\n \n # EVOLVE-BLOCK-START\n+LIMIT = 3\n", ["frozen-region", "marker-tamper"]),
        ("@@\n-    return x\n-# EVOLVE-BLOCK-END\n+    return x\n", ["marker-tamper"]),
        ("@@\n-# EVOLVE-BLOCK-START\n+# EVOLVE-BLOCK-START: new\n", ["marker-tamper"]),
        ("@@\n-# EVOLVE-BLOCK-START\n+#  EVOLVE-BLOCK-START\n", ["marker-tamper"]),
        ("@@\n-# EVOLVE-BLOCK-START\n+    # EVOLVE-BLOCK-START\n", ["marker-tamper"]),
        ("@@\n-# EVOLVE-BLOCK-END\n+# EVOLVE-BLOCK-END \n", ["marker-tamper"]),
        ("@@\n     return x\n+# EVOLVE-BLOCK-END\n+# EVOLVE-BLOCK-START\n # EVOLVE-BLOCK-END\n", ["marker-tamper"]),
        ("@@\n     return x\n+# EVOLVE-BLOCK-END\n+# EVOLVE-BLOCK-START: b\n # EVOLVE-BLOCK-END\n", ["marker-tamper"]),
        ("@@\n-    return x\n+    return x  # EVOLVE-BLOCK-END\n", ["marker-tamper"]),
        ("@@\n-    return x\n+    return x\n+X = '''\n", ["marker-tamper", "syntax-error"]),
        (
            "@@\n-# EVOLVE-BLOCK-END\n \n \n def g(x):\n     return f(x) % LIMIT\n+# EVOLVE-BLOCK-END\n",
            ["marker-tamper"],
        ),
        ("@@\n-def f(x):\n-    return x\n+# ... unchanged ...\n", ["elided"]),
        ("@@\n # EVOLVE-BLOCK-END\n+y = 1\n", ["frozen-region"]),
        ("@@\n+y = 1\n # EVOLVE-BLOCK-START\n", ["frozen-region"]),
        ("@@\n-    return x\n+   return x\n+  y\n", ["syntax-error"]),
    ],
)
def test_tampering(run, body, words):
    assert run({"m.py": PY}, diff(body)) in words
    assert run({"m.py": PY.replace("\n", "\r\n")}, diff(body)) in words


@pytest.mark.parametrize(
    ("path", "style", "swallow"),
    [
        ("m.c", "// {}", "/* open\n"),
        ("m.js", "// {}", "let s = `\n"),
        ("m.rs", "// {}", "/* open\n"),
        ("m.go", "// {}", "/* open\n"),
        ("m.lua", "-- {}", "--[[ open\n"),
        ("m.sql", "-- {}", "/* open\n"),
        ("m.css", "/* {} */", "/* open\n"),
        ("m.html", "<!-- {} -->", "<!-- open\n"),
        ("m.sh", "# {}", "cat <<'X'\n"),
        ("m.py", "# {}", "s = '''\n"),
    ],
)
@pytest.mark.parametrize("closed", [False, True])
def test_frozen_text_cannot_be_commented_out(run, path, style, swallow, closed):
    closers = {"`": "`;", "'''": "'''", "--[[": "]]", "<<": "X", "<!--": "-->", "/*": "*/"}
    closer = next(end for start, end in closers.items() if start in swallow)
    text = f"{style.format('EVOLVE-BLOCK-START')}\n\n{style.format('EVOLVE-BLOCK-END')}\n" + (
        f"{closer}\n" if closed else ""
    )
    body = f"@@\n {style.format('EVOLVE-BLOCK-START')}\n+{swallow} \n"
    assert run({path: text}, diff(body, path)) in ("marker-tamper", "syntax-error", "marker-invalid")


def test_marked_files_are_not_deleted_moved_or_made(run):
    gone = "".join(f"-{line}\n" for line in PY.splitlines())
    assert run({"m.py": PY}, f"```diff\n--- a/m.py\n+++ /dev/null\n@@\n{gone}```\n") == "frozen-region"
    move = "```diff\ndiff --git a/m.py b/n.py\nrename from m.py\nrename to n.py\n```\n"
    assert run({"m.py": PY}, move) == "frozen-region"
    new = "".join(f"+{line}\n" for line in PY.splitlines())
    assert run({"x": "x\n"}, f"```diff\n--- /dev/null\n+++ b/m.py\n@@ -0,0 +1 @@\n{new}```\n") == "marker-tamper"


TWO = (
    "def base(x):\n    y = x\n    return y\n\n\n# EVOLVE-BLOCK-START: a\ndef one(x):\n    y = x\n    return y\n"
    "# EVOLVE-BLOCK-END: a\n\n# EVOLVE-BLOCK-START: b\nT = 1\n# EVOLVE-BLOCK-END: b\n"
)


def test_a_block_is_evidence_only_when_nothing_else_is(run):
    body = "     y = x\n-    return y\n+    return y + 1\n"
    inside = {
        "m.py": TWO.replace("def one(x):\n    y = x\n    return y", "def one(x):\n    y = x\n    return y + 1").encode()
    }
    assert run({"m.py": TWO}, diff("@@\n" + body)) == inside
    assert run({"m.py": TWO}, diff("@@ -8,2 +8,2 @@\n" + body)) == inside
    assert run({"m.py": TWO}, diff("@@ -2,2 +2,2 @@\n" + body)) == "frozen-region"
    assert run({"m.py": TWO}, diff("@@ def base(x):\n" + body)) == "frozen-region"
    assert run({"m.py": TWO}, diff("@@ -2,2 +2,2 @@ def one(x):\n" + body)) == "ambiguous"


def test_listings_of_blocks(run):
    block = "# EVOLVE-BLOCK-START: b\nT = 2\n# EVOLVE-BLOCK-END: b\n"
    after = {"m.py": TWO.replace("T = 1", "T = 2").encode()}
    assert run({"m.py": TWO, "n.py": ""}, f"m.py\n```python\n{block}```\n") == after
    assert run({"m.py": TWO, "n.py": ""}, f"```python\n{block}```\n") == after
    assert run({"m.py": TWO, "n.py": TWO}, f"```python\n{block}```\n") == "ambiguous"
    assert run({"m.py": TWO}, f"m.py\n```python\n{block.replace(': b', ': c')}```\n") in ("marker-tamper", "no-match")


def test_a_listing_may_lose_trailing_blanks_of_frozen_lines_but_nothing_else(run):
    text = PY.replace("LIMIT = 3", "LIMIT = 3  ")
    listing = PY.replace("return x\n", "return x + 1\n")
    assert run({"m.py": text}, f"m.py\n```python\n{listing}```\n") == {
        "m.py": text.replace("return x\n", "return x + 1\n").encode()
    }
    changed = listing.replace("LIMIT = 3", "LIMIT = 4")
    assert run({"m.py": text}, f"m.py\n```python\n{changed}```\n") == "frozen-region"


def test_markers_left_out_of_the_context(run):
    body = "@@\n LIMIT = 3\n \n def f(x):\n-    return x\n+    return x + 1\n"
    assert run({"m.py": PY}, diff(body)) == {"m.py": PY.replace("return x\n", "return x + 1\n").encode()}


def test_the_tail_after_the_last_block_keeps_its_end(run):
    text = PY.removesuffix("\n")
    assert run({"m.py": text}, diff("@@\n-    return x\n+    return x + 1\n")) == {
        "m.py": text.replace("return x\n", "return x + 1\n").encode()
    }


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        ([("m.py", PY.replace("return x\n", "return 2\n"))], None),
        ([("m.py", PY)], "noop"),
        ([("m.py", PY.replace("LIMIT = 3", "LIMIT = 4"))], "frozen-region"),
        ([("m.py", PY.replace("# EVOLVE-BLOCK-END\n", ""))], "marker-tamper"),
        ([("m.py", None)], "frozen-region"),
        ([("m.py", PY.replace("return x\n", "return (\n"))], "syntax-error"),
        ([("evaluate.py", "y = 1\n")], "protected-path"),
        ([(".git/config", "y = 1\n")], "git-internal"),
        ([("../x", "y = 1\n")], "path-escape"),
        ([("./n.py", "y = 1\n")], "path-escape"),
        ([("link", "y = 1\n")], "symlink-escape"),
        ([("n.bin", "\0")], "binary"),
        ([("gone.py", None)], "no-match"),
        ([("n.py", "y = 1\n")], None),
        ([("n.py", "y = (\n")], "syntax-error"),
        ([("k.py", None), ("n.py", "k = 1\n")], None),
    ],
)
def test_drafts_that_came_from_elsewhere(tree, scope, syntax, draft, word):
    there = tree({"m.py": PY, "evaluate.py": "x = 1\n", "link": "m.py", "k.py": "k = 1\n"}, {"link": "120000"})
    changes = tuple(Change(path=path, content=text.encode() if text is not None else None) for path, text in draft)
    found = check(Draft(changes=changes), there, scope, syntax)
    assert (found.word if found else None) == word


def test_modes_of_drafts(tree, scope, syntax):
    there = tree({"r.sh": "echo 1\n"}, {"r.sh": "100755"})
    kept = Draft(changes=(Change(path="r.sh", content=b"echo 2\n", mode="100755"),))
    lost = Draft(changes=(Change(path="r.sh", content=b"echo 2\n"),))
    assert check(kept, there, scope, syntax) is None
    assert check(lost, there, scope, syntax).word == "mode-change"
