"""Unified diffs the way models write them: what applies, to what bytes, and what is refused with which word."""

import pytest

PY = "import math\n\n\ndef f(x):\n    a = 1\n    return a + x\n\n\ndef g(x):\n    b = 2\n    return b + x\n"


def fenced(body: str, info: str = "diff") -> str:
    return f"Some words first.\n\n```{info}\n{body}```\n\nAnd some after.\n"


def of_f(text: str) -> dict[str, bytes]:
    return {"m.py": text.encode()}


GOOD = "--- a/m.py\n+++ b/m.py\n@@ -4,3 +4,3 @@\n def f(x):\n-    a = 1\n+    a = 3\n     return a + x\n"
A3 = PY.replace("a = 1", "a = 3")


@pytest.mark.parametrize(
    "reply",
    [
        fenced(GOOD),
        fenced(GOOD, "patch"),
        fenced(GOOD, ""),
        fenced(GOOD).replace("```", "~~~"),
        fenced(GOOD).replace("```", "````"),
        GOOD,
        GOOD.rstrip("\n"),
        f"Change it so:\n\n{GOOD}\nThat is all.\n",
        f"Change it so:\n\n{GOOD}\n- it is faster now\n- nothing else changed\n",
        f"<answer>\n{GOOD}</answer>\n",
        fenced(GOOD).replace("\n", "\r\n"),
        "\ufeff" + fenced(GOOD),
        f"<think>\nmaybe\n{fenced(GOOD).replace('3', '4')}</think>\n{fenced(GOOD)}",
        f"maybe\n{fenced(GOOD).replace('a = 3', 'a = 4')}\n</think>\n{fenced(GOOD)}",
        fenced(fenced(GOOD), "markdown")
        .replace("```markdown", "````markdown")
        .replace("\n\nAnd some after.\n```", "````"),
        fenced(GOOD.replace("-4,3 +4,3", "-40,30 +41,29")),
        fenced(GOOD.replace("@@ -4,3 +4,3 @@", "@@ -4 +4 @@")),
        fenced(GOOD.replace("@@ -4,3 +4,3 @@", "@@ -X,Y +X,Y @@")),
        fenced(GOOD.replace("@@ -4,3 +4,3 @@", "@@")),
        fenced(GOOD.replace("@@ -4,3 +4,3 @@", "@@ -4,3 +4,3 @@ import math")),
        fenced(GOOD.replace("@@ -4,3 +4,3 @@\n", "")),
        fenced(GOOD.replace("--- a/m.py\n", "")),
        fenced(GOOD.replace("+++ b/m.py\n", "")),
        fenced(GOOD.replace("a/m.py", "m.py").replace("b/m.py", "m.py")),
        fenced(GOOD.replace("a/m.py", "m.py.orig").replace("b/m.py", "m.py")),
        fenced(GOOD.replace("a/m.py", "old/m.py").replace("b/m.py", "new/m.py")),
        fenced("Index: m.py\n" + "=" * 67 + "\n" + GOOD),
        fenced(
            "From 1234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n---\n m.py | 2 +-\n\n"
            + GOOD
            + "-- \n2.39.0\n\n"
        ),
        fenced("diff --git a/m.py b/m.py\nindex 123abcd..0000000 100644\n" + GOOD),
        fenced(GOOD + "\n\n"),
        fenced(GOOD) + fenced(GOOD),
        fenced(GOOD) + fenced(GOOD.replace(" -4,3 +4,3 @@", "")),
        "- first:\n\n  ```diff\n" + "".join("  " + line + "\n" for line in GOOD.splitlines()) + "  ```\n",
        "- first:\n\n  ```diff\n" + "".join("  " + line + "\n" for line in GOOD.splitlines()) + "```\n",
        "```diff\n" + GOOD,
        "m.py\n```diff\n" + GOOD.split("\n", 2)[2] + "```\n",
        "m.py:\n```diff\n-    a = 1\n+    a = 3\n```\n",
        "```diff m.py\n@@\n-    a = 1\n+    a = 3\n```\n",
        fenced(GOOD.replace(" def f(x):\n", "def f(x):\n")),
        fenced(GOOD.replace("     return a + x", "    return a + x")),
        fenced(GOOD.replace(" def f(x):\n", " def f(x):   \n").replace("a = 1\n", "a = 1  \n")),
        fenced(
            GOOD.replace("     return", "         return").replace("    a =", "        a =").replace(" def", "     def")
        ),
    ],
)
def test_one_change_in_many_dresses(run, reply):
    assert run({"m.py": PY}, reply) == of_f(A3)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("", "empty-diff"),
        ("I could not find anything to improve.\n", "empty-diff"),
        ("```python\nprint(1)\n```\n", "ambiguous"),
        (fenced("--- a/m.py\n+++ b/m.py\n"), "empty-diff"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@\n def f(x):\n     a = 1\n"), "empty-diff"),
        (fenced(GOOD.replace("a = 3", "a = 1")), "noop"),
        ("```diff\n" + GOOD[:-18], "truncated"),
        ("```diff\n" + GOOD.replace("-4,3 +4,3", "-4,6 +4,6"), "truncated"),
        ("```diff\n" + GOOD.replace(" -4,3 +4,3 @@", ""), "truncated"),
        ("```diff\n" + GOOD.rstrip("\n"), "truncated"),
        (GOOD[:-30], "truncated"),
        ("<think>\n" + fenced(GOOD), "empty-diff"),
        (fenced(GOOD.replace("a = 1", "A = 1")), "no-match"),
        (fenced(GOOD.replace("a = 1", "a  = 1")), "no-match"),
        (fenced(GOOD.replace("a = 1", "a = 9")), "no-match"),
        (fenced(GOOD) + fenced(GOOD.replace("a = 3", "a = 4")), "ambiguous"),
        (fenced(GOOD.replace("m.py", "n.py")), "no-match"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@\n+import os\n"), "ambiguous"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@ -1,0 +2,1 @@\n+import os\n"), "ambiguous"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@ -0,0 +1,1 @@\n+import os\n"), "exists"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@\n-    a = 1\n+    a = (1\n"), "syntax-error"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@\n-    a = 1\n+  a = 1\n"), "syntax-error"),
        (fenced("--- a/m.py\n+++ b/m.py\n@@\n-    a = 1\n+    a = '\0'\n"), "binary"),
        (fenced("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+def h():\n    return 1\n"), "malformed"),
        (fenced("--- /dev/null\n+++ /dev/null\n@@\n-a\n+b\n"), "malformed"),
        ("x" * (1 << 20) + "y", "too-large"),
    ],
)
def test_refusals(run, reply, word):
    assert run({"m.py": PY}, reply) == word


def test_an_edit_already_made_does_not_fit(run):
    assert run({"m.py": A3}, fenced(GOOD)) == "no-match"


def test_without_header_the_only_file_is_meant_and_with_two_none(run):
    bare = fenced("@@\n-    a = 1\n+    a = 3\n")
    assert run({"m.py": PY, "evaluate.py": "x = 1\n"}, bare) == of_f(A3)
    assert run({"m.py": PY, "n.py": "x = 1\n"}, bare) == "ambiguous"


def test_a_path_is_completed_when_one_file_ends_so(run):
    diff = fenced(GOOD)
    assert run({"src/m.py": PY, "n.py": ""}, diff) == {"src/m.py": A3.encode()}
    assert run({"src/m.py": PY, "lib/m.py": PY}, diff) == "ambiguous"
    assert run({"src/xm.py": PY}, diff) == "no-match"


def test_a_folder_called_a_is_no_prefix(run):
    diff = fenced(GOOD.replace("b/m.py", "a/m.py"))
    assert run({"a/m.py": PY, "m.py": PY}, diff) == {"a/m.py": A3.encode()}
    assert run({"a/m.py": PY, "m.py": PY}, fenced(GOOD)) == {"m.py": A3.encode()}


TWICE = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 1\n"
SECOND = TWICE[:-9].encode() + b"return 2\n"
ONE = "--- a/t.py\n+++ b/t.py\n{}\n     def f(self):\n-        return 1\n+        return 2\n"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("@@", "ambiguous"),
        ("@@ -40,2 +40,2 @@", "ambiguous"),
        ("@@ -6,2 +6,2 @@", "ambiguous"),
        ("@@ -7,2 +7,2 @@", {"t.py": SECOND}),
        ("@@ -7,2 +7,2 @@ class B:", {"t.py": SECOND}),
        ("@@ class B:", {"t.py": SECOND}),
        ("@@ class B", {"t.py": SECOND}),
        ("@@ class B: @@", {"t.py": SECOND}),
        ("@@ ... @@ class B:", {"t.py": SECOND}),
        ("@@ -2,2 +2,2 @@ class B:", "ambiguous"),
        ("@@ class C:", "ambiguous"),
        ("@@ def f(self):", "ambiguous"),
    ],
)
def test_evidence_tells_equal_places_apart(run, at, expected):
    assert run({"t.py": TWICE}, fenced(ONE.format(at))) == expected


def test_anchors_one_below_the_other(run):
    diff = ONE.format("@@ class B:\n@@ def f(self):")
    assert run({"t.py": TWICE}, fenced(diff)) == {"t.py": SECOND}


def test_a_new_line_below_the_definition_it_names(run):
    diff = "--- a/m.py\n+++ b/m.py\n@@ def f(x):\n+    x = abs(x)\n"
    assert run({"m.py": PY}, fenced(diff)) == of_f(PY.replace("def f(x):\n", "def f(x):\n    x = abs(x)\n"))
    assert run({"m.py": PY}, fenced(diff.replace("+    x", "+x"))) == "ambiguous"


def test_outer_context_that_is_misquoted_is_given_up_only_if_it_stands_nowhere(run):
    diff = "--- a/m.py\n+++ b/m.py\n@@\n {}\n     a = 1\n-    return a + x\n+    return a - x\n \n \n def g(x):\n"
    changed = of_f(PY.replace("return a + x", "return a - x"))
    assert run({"m.py": PY}, fenced(diff.format("def f(x: int):"))) == changed
    assert run({"m.py": PY}, fenced(diff.format("def g(x):"))) == "no-match"


def test_blank_lines_left_out_between_context(run):
    diff = (
        "--- a/m.py\n+++ b/m.py\n@@\n     return a + x\n def g(x):\n     b = 2\n-    return b + x\n+    return b - x\n"
    )
    assert run({"m.py": PY}, fenced(diff)) == of_f(PY.replace("return b + x", "return b - x"))


def test_dots_between_context_part_a_hunk(run):
    diff = "--- a/m.py\n+++ b/m.py\n@@\n def f(x):\n-    a = 1\n+    a = 3\n ...\n def g(x):\n-    b = 2\n+    b = 4\n"
    assert run({"m.py": PY}, fenced(diff)) == of_f(A3.replace("b = 2", "b = 4"))
    assert run({"m.py": PY}, fenced(diff.replace("def f", "def F", 1))) == "no-match"


def test_a_later_hunk_may_quote_what_an_earlier_one_wrote(run):
    diff = GOOD + "@@\n     a = 3\n-    return a + x\n+    return a - x\n"
    assert run({"m.py": PY}, fenced(diff)) == of_f(A3.replace("return a + x", "return a - x"))


def test_overlapping_context_is_no_conflict(run):
    diff = GOOD + "@@\n     a = 1\n-    return a + x\n+    return a - x\n"
    assert run({"m.py": PY}, fenced(diff)) == of_f(A3.replace("return a + x", "return a - x"))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_are_the_files(run, end):
    text = PY.replace("\n", end)
    longer = GOOD.replace("+    a = 3\n", "+    a = 3\n+    c = 5\n")
    after = text.replace("a = 1", f"a = 3{end}    c = 5").encode()
    assert run({"m.py": text}, fenced(longer)) == {"m.py": after}
    assert run({"m.py": text}, fenced(longer.replace("\n", "\r\n"))) == {"m.py": after}


def test_mixed_line_ends_stay_mixed(run):
    diff = "--- a/x.txt\n+++ b/x.txt\n@@\n one\n-two\n-three\n+2\n+3\n+4\n four\n"
    assert run({"x.txt": "one\r\ntwo\nthree\r\nfour\n"}, fenced(diff)) == {"x.txt": b"one\r\n2\n3\r\n4\r\nfour\n"}


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        ("a\nb", "-b\n+c\n", "a\nc"),
        ("a\nb", " a\n b\n+c\n", "a\nb\nc"),
        ("a\nb", "-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("a\nb", "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "a\nc"),
        ("a\r\nb", "-b\n\\ No newline at end of file\n+b\n+c\n", "a\r\nb\r\nc\r\n"),
        ("\ufeffa\nb\n", "-a\n+A\n b\n", "\ufeffA\nb\n"),
        ("a\u2028b\nc\x0cd\n", "-c\x0cd\n+e\n", "a\u2028b\ne\n"),
        ("", "+a\n+b\n", "a\nb\n"),
    ],
)
def test_ends_of_files(run, before, body, after):
    assert run({"x.txt": before}, fenced(f"--- a/x.txt\n+++ b/x.txt\n@@\n{body}")) == {"x.txt": after.encode()}


def test_bytes_that_are_not_utf8_stay_and_cannot_be_quoted(run):
    diff = "--- a/x.cfg\n+++ b/x.cfg\n@@\n-k = 1\n+k = 2\n"
    assert run({"x.cfg": b"# R\xe9g\nk = 1\n"}, fenced(diff)) == {"x.cfg": b"# R\xe9g\nk = 2\n"}
    assert run({"x.cfg": b"# R\xe9g\nk = 1\n"}, fenced(diff.replace("-k", "-# Rég\n-k"))) == "no-match"


@pytest.mark.parametrize("blanks", ["  ", "    ", "        "])
def test_blanks_for_tabs(run, blanks):
    diff = f"--- a/m.c\n+++ b/m.c\n@@\n void f(void)\n {{\n-{blanks}g();\n+{blanks}if (h())\n+{blanks * 2}g();\n }}\n"
    after = b"void f(void)\n{\n\tif (h())\n\t\tg();\n}\n"
    assert run({"m.c": "void f(void)\n{\n\tg();\n}\n"}, fenced(diff)) == {"m.c": after}


def test_indentation_that_is_off_by_different_amounts_is_refused(run):
    diff = "--- a/m.py\n+++ b/m.py\n@@\n def f(x):\n-  a = 1\n+  a = 3\n       return a + x\n"
    assert run({"m.py": PY}, fenced(diff)) == "no-match"


def test_typography_in_removed_lines(run):
    diff = '--- a/x.md\n+++ b/x.md\n@@\n-It\'s "quoted" - yes\n+new\n'
    assert run({"x.md": "It’s “quoted” — yes\n"}, fenced(diff)) == {"x.md": b"new\n"}


def test_removed_lines_that_look_like_headers(run):
    sql = "-- one\n-- two\nSELECT 1;\nSELECT 2;\n"
    diff = "--- a/q.sql\n+++ b/q.sql\n@@\n--- one\n--- two\n SELECT 1;\n@@\n-SELECT 2;\n+SELECT 3;\n"
    assert run({"q.sql": sql}, fenced(diff)) == {"q.sql": b"SELECT 1;\nSELECT 3;\n"}


def test_added_lines_that_look_like_headers(run):
    diff = "--- a/m.c\n+++ b/m.c\n@@\n int i;\n-i++;\n+++i;\n@@ -9 +9 @@\n-int j;\n+int k;\n"
    assert run({"m.c": "int i;\ni++;\n\nint j;\n"}, fenced(diff)) == {"m.c": b"int i;\n++i;\n\nint k;\n"}


def test_markdown_fences_in_a_bare_diff_and_in_a_fenced_one(run):
    text = "# T\n\n```sh\nmake\n```\n\nend\n"
    body = "--- a/R.md\n+++ b/R.md\n@@ -3,3 +3,3 @@\n ```sh\n-make\n+make all\n ```\n"
    after = {"R.md": text.replace("make", "make all").encode()}
    for reply in (
        body,
        fenced(body),
        f"So:\n\n{body}\nDone.\n",
        fenced(body).replace("```diff", "````diff")[:-20] + "`",
    ):
        assert run({"R.md": text}, reply) in (after, "truncated")
    assert run({"R.md": text}, body) == after
    assert run({"R.md": text}, fenced(body)) == after


def test_half_an_edit_behind_a_fence_closed_by_a_context_line_is_refused(run):
    text = "a\n```\nb\n"
    reply = "```diff\n--- a/R.md\n+++ b/R.md\n@@ -1,3 +1,3 @@\n-a\n+A\n```\n-b\n+B\n```\n"
    assert run({"R.md": text}, reply) == "malformed"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("diff --git a/r.sh b/r.sh\nold mode 100644\nnew mode 100755\n", "mode-change"),
        (
            "diff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1 @@\n+x\n",
            "mode-change",
        ),
        ("diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+r.sh\n", "symlink-escape"),
        (
            "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+Subproject commit 1\n",
            "mode-change",
        ),
        ("diff --git a/r.sh b/r.sh\nBinary files a/r.sh and b/r.sh differ\n", "binary"),
        ("Binary files a/r.sh and b/r.sh differ\n", "binary"),
        ("diff --git a/r.sh b/c.sh\nsimilarity index 100%\ncopy from r.sh\ncopy to c.sh\n", "malformed"),
        (
            "diff --git a/evaluate.py b/c.sh\nsimilarity index 100%\nrename from evaluate.py\nrename to c.sh\n",
            "protected-path",
        ),
        (
            "diff --git a/r.sh b/evaluate.py\nsimilarity index 100%\nrename from r.sh\nrename to evaluate.py\n",
            "protected-path",
        ),
        ("diff --git a/no.sh b/c.sh\nsimilarity index 100%\nrename from no.sh\nrename to c.sh\n", "no-match"),
        ("--- a/r.sh\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-echo 1\n", "no-match"),
        ("--- a/r.sh\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-echo 1\n-echo 3\n", "no-match"),
        ("--- a/no.sh\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-echo 1\n", "no-match"),
        ("--- a/r.sh\n+++ b/c.sh\n@@\n-echo 1\n+echo 3\n", "malformed"),
        ("--- /dev/null\n+++ b/r.sh\n@@ -0,0 +1,2 @@\n+echo 1\n+echo 2\n", "exists"),
    ],
)
def test_kinds_of_change_that_are_refused(run, body, word):
    assert run({"r.sh": "echo 1\necho 2\n", "evaluate.py": "x = 1\n"}, fenced(body)) == word


def test_creating_deleting_renaming(run):
    files = {"r.sh": "echo 1\necho 2\n"}
    new = "--- /dev/null\n+++ b/d/n.txt\n@@ -0,0 +1,3 @@\n+one\n+\n+two\n"
    assert run(files, fenced(new)) == {"d/n.txt": b"one\n\ntwo\n"}
    assert run(files, fenced(new.replace("+\n", "\n"))) == {"d/n.txt": b"one\n\ntwo\n"}
    assert run(files, fenced(new + "\\ No newline at end of file\n")) == {"d/n.txt": b"one\n\ntwo"}
    assert run(files, fenced(new) + fenced(new)) == {"d/n.txt": b"one\n\ntwo\n"}
    assert run(files, fenced("--- a/r.sh\n+++ /dev/null\n@@\n-echo 1\n-echo 2\n")) == {"r.sh": None}
    moved = "diff --git a/r.sh b/s.sh\nsimilarity index 50%\nrename from r.sh\nrename to s.sh\n"
    assert run(files, fenced(moved)) == {"r.sh": None, "s.sh": b"echo 1\necho 2\n"}
    edited = moved + "--- a/r.sh\n+++ b/s.sh\n@@ -2 +2 @@\n-echo 2\n+echo 3\n"
    assert run(files, fenced(edited)) == {"r.sh": None, "s.sh": b"echo 1\necho 3\n"}


def test_a_file_is_created_and_edited_in_one_reply(run):
    new = "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    then = "--- a/n.txt\n+++ b/n.txt\n@@\n one\n-two\n+three\n"
    assert run({"x": "x\n"}, fenced(new) + fenced(then)) == {"n.txt": b"one\nthree\n"}


def test_deleting_and_creating_the_same_path_is_refused(run):
    body = "--- a/x\n+++ /dev/null\n@@\n-x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n"
    assert run({"x": "x\n"}, fenced(body)) in ("exists", "ambiguous")
