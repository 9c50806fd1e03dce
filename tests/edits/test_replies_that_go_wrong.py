"""Replies that are cut off, broken, or say two things: never half an edit, never an edit taken for a file."""

import pytest

CODE = "def a(x):\n    y = x + 1\n    return y\n\n\ndef b(x):\n    z = x + 2\n    return z\n"
AFTER = CODE.replace("x + 1\n", "x + 10\n")
HUNK = "@@ -1,3 +1,3 @@\n def a(x):\n-    y = x + 1\n+    y = x + 10\n     return y\n"
DIFF = f"--- a/m.py\n+++ b/m.py\n{HUNK}"
BLOCK = "m.py\n```python\n<<<<<<< SEARCH\n    y = x + 1\n=======\n    y = x + 10\n>>>>>>> REPLACE\n```\n"
ENVELOPE = "*** Begin Patch\n*** Update File: m.py\n@@ def a(x):\n-    y = x + 1\n+    y = x + 10\n*** End Patch\n"
LISTING = f"m.py\n```python\n{AFTER}```\n"
WHOLE = {"m.py": AFTER.encode()}
TEXT = "one\ntwo\nthree\n"
TWINS = "".join(f"class {name}:\n    def run(self):\n        self.n = 0\n        return self.n\n\n\n" for name in "AB")
BODY = "-        self.n = 0\n+        self.n = 1\n         return self.n\n"


@pytest.mark.parametrize("reply", [f"```diff\n{DIFF}```\n", DIFF, BLOCK, ENVELOPE, LISTING])
def test_cut_at_any_line_it_is_whole_or_nothing(run, reply):
    lines = reply.splitlines(keepends=True)
    for count in range(len(lines)):
        for tail in ("", lines[count][: len(lines[count]) // 2]):
            outcome = run({"m.py": CODE}, "".join(lines[:count]) + tail)
            assert isinstance(outcome, str) or outcome == WHOLE, (count, tail)
    assert run({"m.py": CODE}, reply) == WHOLE


@pytest.mark.parametrize(
    "reply",
    [
        f"```diff\n{DIFF.replace('-1,3 +1,3', '-1,2 +1,2')}",
        f"```diff\n{DIFF}```\n\nand\n\n```diff\n",
        f"{BLOCK}\nand\n\nm.py\n```python\n<<<<",
        f"{LISTING}\nand\n\n```yaml\n",
        f"Bare:\n\n{DIFF.replace('-1,3 +1,3', '-1,5 +1,5')}",
    ],
)
def test_signs_that_the_end_is_missing(run, reply):
    assert run({"m.py": CODE}, reply) == "truncated"


@pytest.mark.parametrize(
    "body",
    [
        "<<<<<<< FIND\ntwo\n=======\nTWO\n>>>>>>> DONE\n",
        "two\n=======\nTWO\n>>>>>>> REPLACE\n",
        "  <<<<<<< SEARCH\ntwo\n  =======\nTWO\n  >>>>>>> REPLACE\n",
        "<<<<<<< HEAD\ntwo\n=======\nTWO\n>>>>>>> mine\n",
        "<<<< SEARCH\ntwo\n====\nTWO\n>>>> REPLACE\n",
        "*** 1,3 ****\n  one\n! two\n  three\n--- 1,3 ----\n  one\n! TWO\n  three\n",
        "2c2\n< two\n---\n> TWO\n",
        "one\n-two\n+TWO\nthree\n",
    ],
)
def test_a_broken_edit_is_not_the_text_of_the_file(run, body):
    assert run({"n.txt": TEXT}, f"n.txt\n```\n{body}```\n") == "malformed"


@pytest.mark.parametrize("body", [" one\n-two\n+TWO\n three\n", "-two\n+TWO\n"])
def test_a_fence_of_signed_lines_is_a_hunk(run, body):
    assert run({"n.txt": TEXT}, f"n.txt\n```\n{body}```\n") == {"n.txt": b"one\nTWO\nthree\n"}


def test_lists_are_no_hunks(run):
    for path, text in (("c.yaml", "- a: 1\n  b: 2\n- c\n"), ("c.md", "# T\n\n+ a\n+ b\n")):
        assert run({path: "- a\n"}, f"{path}\n```\n{text}```\n") == {path: text.encode()}


def test_markers_of_blocks_may_be_in_small_letters(run):
    small = BLOCK.replace("SEARCH", "search").replace("REPLACE", "replace")
    assert run({"m.py": CODE}, small) == WHOLE


@pytest.mark.parametrize("inner", ["```sh\nmake\n```", "```\nmake\n```"])
def test_a_listing_with_fences_needs_a_longer_one(run, inner):
    text = f"# T\n\n{inner}\n\nEnd.\n"
    assert run({"d.md": "x\n"}, f"d.md\n```md\n{text}```\n") == "malformed"
    assert run({"d.md": "x\n"}, f"d.md\n````md\n{text}````\n") == {"d.md": text.encode()}


@pytest.mark.parametrize(
    "form", ["```diff\n--- a/t.py\n+++ b/t.py\n{}```\n", "*** Update File: t.py\n{}*** End Patch\n"]
)
def test_one_body_under_two_anchors_is_two_edits(run, form):
    reply = form.format(f"@@ class A:\n{BODY}@@ class B:\n{BODY}")
    assert run({"t.py": TWINS}, reply) == {"t.py": TWINS.replace("n = 0", "n = 1").encode()}


def test_an_anchor_behind_numbers_counts_in_an_envelope_too(run):
    reply = f"*** Begin Patch\n*** Update File: t.py\n@@ -9,2 +9,2 @@ class B:\n{BODY}*** End Patch\n"
    first, second = TWINS.split("class B")
    assert run({"t.py": TWINS}, reply) == {"t.py": (first + "class B" + second.replace("n = 0", "n = 1")).encode()}


@pytest.mark.parametrize(
    ("pair", "word"),
    [
        ("a/m.py b/evaluate.py", "protected-path"),
        ("a/evaluate.py b/m.py", "protected-path"),
        ("a/m.py b/k.py", "malformed"),
        ("a/m.py b/../m.py", "path-escape"),
        ("a/m.py b/.git/config", "git-internal"),
    ],
)
def test_a_headline_about_another_file(run, pair, word):
    files = {"m.py": CODE, "k.py": "k = 1\n", "evaluate.py": "s = 1\n"}
    assert run(files, f"```diff\ndiff --git {pair}\n{DIFF}```\n") == word


@pytest.mark.parametrize(
    "remark",
    [
        "# same as before",
        "# [unchanged]",
        "# existing code here",
        "# keep as is",
        "# no changes here",
        "# ... a() stays as it is ...",
        "# (omitted for brevity)",
        "pass  # unchanged",
    ],
)
def test_remarks_in_place_of_code(run, remark):
    assert run({"t.py": TWINS}, _replaced(remark)) == "elided"


@pytest.mark.parametrize(
    "remark", ["# the same for all rows", "# remaining capacity of each bin", "# rest", "# original method by Knuth"]
)
def test_remarks_beside_code(run, remark):
    assert isinstance(run({"t.py": TWINS}, _replaced(remark)), dict)


def _replaced(remark):
    old = "".join(f"-{line}\n" for line in TWINS.splitlines()[1:4])
    return f"```diff\n--- a/t.py\n+++ b/t.py\n@@\n class A:\n{old}+    {remark}\n+    n = 1\n```\n"


def test_line_separators_in_paths(run):
    reply = "```diff\n--- /dev/null\n+++ b/x\u2028y.py\n@@ -0,0 +1 @@\n+x = 1\n```\n"
    assert run({}, reply) == "path-escape"


def test_a_dot_file_is_a_path(run):
    assert run({"m.py": CODE}, ".gitattributes\n```\n* filter=x\n```\n") == "protected-path"


def test_a_bare_hunk_with_too_small_counts_is_not_cut_at_an_empty_line(run):
    first = "@@ -2,2 +2,2 @@\n-    y = x + 1\n+    y = x + 10\n     return y\n"
    hunk = first + "\n\n def b(x):\n-    z = x + 2\n+    z = x + 20\n"
    reply = f"Bare:\n\n--- a/m.py\n+++ b/m.py\n{hunk}\nDone.\n"
    assert run({"m.py": CODE}, reply) == {"m.py": AFTER.replace("x + 2\n", "x + 20\n").encode()}
    assert run({"m.py": CODE}, f"Bare:\n\n{DIFF}\n- one\n- two\n") == WHOLE


@pytest.mark.parametrize("reply", [f"```diff\n{DIFF}```\n", f"```diff\n{DIFF.replace('-1,3 +1,3', '')}```\n", LISTING])
def test_a_stray_fence_inside_never_makes_half_an_edit(run, reply):
    lines = reply.splitlines(keepends=True)
    for row in range(len(lines) + 1):
        for stray in ("```\n", "~~~\n", "```\n\nand then\n\n```diff\n"):
            outcome = run({"m.py": CODE}, "".join([*lines[:row], stray, *lines[row:], "\nDone.\n"]))
            assert isinstance(outcome, str) or outcome == WHOLE, (row, stray)
