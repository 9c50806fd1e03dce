"""SEARCH/REPLACE blocks, envelopes and listings the way models write them."""

import pytest

PY = "import math\n\n\ndef f(x):\n    a = 1\n    return a + x\n\n\ndef g(x):\n    b = 2\n    return b + x\n"
A3 = {"m.py": PY.replace("a = 1", "a = 3").encode()}
BLOCK = "<<<<<<< SEARCH\n    a = 1\n=======\n    a = 3\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"m.py\n```python\n{BLOCK}```\n",
        f"```python\nm.py\n{BLOCK}```\n",
        f"```python m.py\n{BLOCK}```\n",
        f"```python:m.py\n{BLOCK}```\n",
        f"```m.py\n{BLOCK}```\n",
        f"**`m.py`**:\n\n```\n{BLOCK}```\n",
        f"File: `m.py`\n```\n{BLOCK}```\n",
        f"### 1. m.py\n{BLOCK}",
        f"m.py\n{BLOCK}",
        f"m.py\n{BLOCK}".rstrip("\n"),
        f"```\n{BLOCK}```\n",
        f"m.py\n```python\n{BLOCK}",
        f"m.py\n~~~~\n{BLOCK}~~~~\n",
        f"m.py\n```diff\n{BLOCK}```\n",
        f"m.py\n{BLOCK.replace('SEARCH', 'ORIGINAL').replace('REPLACE', 'UPDATED')}",
        f"m.py\n{BLOCK.replace('<<<<<<<', '-------').replace('>>>>>>>', '+++++++')}",
        f"m.py\n{BLOCK.replace('SEARCH', 'SEARCH' + chr(10) + ':start_line:5' + chr(10) + '-------')}",
        f"m.py\n{BLOCK.replace('<<<<<<< SEARCH', '<<<<<< SEARCH').replace('>>>>>>> ', '>>>>>>>>')}",
        f"m.py\n{BLOCK}\nm.py\n{BLOCK}",
        f"m.py\n{BLOCK.replace('    a = 1', '    a = 1  ')}",
        f"m.py\n{BLOCK.replace('    a', 'a')}",
        f"m.py\n{BLOCK.replace('    a', '        a')}",
        f"m.py\n{BLOCK.replace('    a', chr(10) + '    a')}",
        f"m.py\n{BLOCK.replace('1' + chr(10), '1' + chr(10) * 2).replace('3' + chr(10), '3' + chr(10) * 2)}",
        f"m.py\n{BLOCK.replace('    a', '5 |     a')}",
    ],
)
def test_one_block_in_many_dresses(run, reply):
    assert run({"m.py": PY}, reply) == A3


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (f"m.py\n{BLOCK.replace('a = 1', 'a = 2')}", "no-match"),
        (f"m.py\n{BLOCK.replace('    a = 1', 'a')}", "no-match"),
        (f"n.py\n{BLOCK}", "no-match"),
        (f"m.py\n{BLOCK.replace('=======', '')}", "malformed"),
        (f"m.py\n{BLOCK.replace('=======', '=======' + chr(10) + '=======')}", "malformed"),
        (f"m.py\n{BLOCK.replace('>>>>>>> REPLACE', '')}\nmore\n```python\nx\n```\n", "malformed"),
        (f"m.py\n```\n{BLOCK[:-20]}", "truncated"),
        ("m.py\n```\n<<<<<<< SEARCH\n    a = 1\n", "malformed"),
        (f"m.py\n{BLOCK.replace('    a = 3', '    a = 1')}", "noop"),
        (f"m.py\n{BLOCK.replace('    a = 1' + chr(10), '')}", "exists"),
        (f"m.py\n{BLOCK}\nm.py\n{BLOCK.replace('= 3', '= 4')}", "ambiguous"),
        (f"m.py\n{BLOCK.replace('    a', '6 |     a')}", "no-match"),
        (f"m.py\n{BLOCK.replace('a = 3', '# ... existing code ...')}", "elided"),
        (f"m.py\n{BLOCK.replace('a = 3', 'pass  # ... existing code ...')}", "elided"),
        (f"m.py\n{BLOCK.replace('a = 3', '# rest of the function is unchanged')}", "elided"),
        (f"evaluate.py\n{BLOCK}", "protected-path"),
        (f"../m.py\n{BLOCK}", "path-escape"),
        (f"~/m.py\n{BLOCK}", "path-escape"),
        (f".git/config\n{BLOCK}", "git-internal"),
    ],
)
def test_blocks_refused(run, reply, word):
    assert run({"m.py": PY, "evaluate.py": "x = 1\n"}, reply) == word


def test_blocks_go_in_sequence(run):
    later = BLOCK.replace("= 3", "= 5").replace("= 1", "= 3")
    assert run({"m.py": PY}, f"m.py\n```\n{BLOCK}{later}```\n") == {"m.py": PY.replace("a = 1", "a = 5").encode()}


def test_blocks_of_two_files_in_one_fence(run):
    other = BLOCK.replace("    a", "y")
    files = {"m.py": PY, "n.py": "y = 1\n"}
    assert run(files, f"```\nm.py\n{BLOCK}\nn.py\n{other}```\n") == A3 | {"n.py": b"y = 3\n"}


def test_a_block_makes_a_file_and_deletes_lines(run):
    assert run({"m.py": PY}, "d/n.py\n<<<<<<< SEARCH\n=======\nz = 1\n>>>>>>> REPLACE\n") == {"d/n.py": b"z = 1\n"}
    assert run({"e.py": ""}, "e.py\n<<<<<<< SEARCH\n=======\nz = 1\n>>>>>>> REPLACE\n") == {"e.py": b"z = 1\n"}
    gone = "m.py\n<<<<<<< SEARCH\nimport math\n\n\n=======\n>>>>>>> REPLACE\n"
    assert run({"m.py": PY}, gone) == {"m.py": PY.removeprefix("import math\n\n\n").encode()}


def test_a_bare_block_may_hold_fences(run):
    text = "# T\n\n```sh\nmake\n```\n"
    block = "R.md\n<<<<<<< SEARCH\n```sh\nmake\n```\n=======\n```sh\nmake all\n```\n>>>>>>> REPLACE\n"
    after = {"R.md": text.replace("make", "make all").encode()}
    assert run({"R.md": text}, block) == after
    assert run({"R.md": text}, "R.md\n```md\n" + block[5:] + "```\n") == after


def test_unchanged_lines_of_a_block_keep_their_bytes(run):
    block = "x.txt\n<<<<<<< SEARCH\none\ntwo\n=======\none\n2\n>>>>>>> REPLACE\n"
    assert run({"x.txt": "one  \r\ntwo\r\n"}, block) == {"x.txt": b"one  \r\n2\r\n"}


ENVELOPE = "*** Begin Patch\n*** Update File: m.py\n@@ def f(x):\n-    a = 1\n+    a = 3\n*** End Patch\n"


@pytest.mark.parametrize(
    "reply",
    [
        ENVELOPE,
        f"```\n{ENVELOPE}```\n",
        f"```patch\n{ENVELOPE}```\n",
        f"```bash\napply_patch <<'EOF'\n{ENVELOPE}EOF\n```\n",
        ENVELOPE.removeprefix("*** Begin Patch\n"),
        ENVELOPE.replace("@@ def f(x):\n", ""),
        ENVELOPE.replace("@@ def f(x):", "@@"),
        ENVELOPE.replace("@@ def f(x):", "@@ -90,2 +90,2 @@"),
        ENVELOPE.replace("@@ def f(x):", "@@\n def f(x):"),
        ENVELOPE.replace("@@ def f(x):", "@@\ndef f(x):"),
        ENVELOPE.replace("*** Update File: m.py", "*** Update File: ./m.py"),
        ENVELOPE.replace("*** End Patch", "\n*** End Patch"),
    ],
)
def test_one_envelope_in_many_dresses(run, reply):
    assert run({"m.py": PY}, reply) == A3


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (ENVELOPE.removesuffix("*** End Patch\n"), "truncated"),
        (ENVELOPE.replace("m.py", "n.py"), "no-match"),
        (ENVELOPE.replace("a = 1", "a = 7"), "no-match"),
        (ENVELOPE.replace("@@ def f(x):\n-    a = 1\n", "@@\n"), "ambiguous"),
        (ENVELOPE.replace("Update File: m.py\n@@ def f(x):\n-    a = 1", "Add File: m.py"), "exists"),
        (ENVELOPE.replace("Update File: m.py\n@@ def f(x):\n-    a = 1", "Add File: n.py\nx = 1"), "malformed"),
        ("*** Begin Patch\n*** Delete File: n.py\n*** End Patch\n", "no-match"),
        ("*** Begin Patch\n*** Delete File: evaluate.py\n*** End Patch\n", "protected-path"),
        ("*** Begin Patch\n*** End Patch\n", "empty-diff"),
        (ENVELOPE.replace("m.py\n", "m.py\n*** Move to: evaluate.py\n"), "protected-path"),
        (ENVELOPE.replace("m.py\n", "m.py\n*** Move to: k.py\n"), "exists"),
        (ENVELOPE.replace("m.py\n", "m.py\n*** Move to: .GIT/hooks/x\n"), "git-internal"),
    ],
)
def test_envelopes_refused(run, reply, word):
    assert run({"m.py": PY, "k.py": "", "evaluate.py": "x = 1\n"}, reply) == word


def test_an_envelope_moves_and_edits(run):
    reply = ENVELOPE.replace("m.py\n", "m.py\n*** Move to: d/k.py\n")
    assert run({"m.py": PY}, reply) == {"m.py": None, "d/k.py": A3["m.py"]}


def test_the_end_of_file_pins_a_hunk(run):
    patch = "*** Begin Patch\n*** Update File: l\n@@\n x\n+y\n*** End of File\n*** End Patch\n"
    assert run({"l": "x\nz\nx\n"}, patch) == {"l": b"x\nz\nx\ny\n"}
    assert run({"l": "x\nz\nx\nw\n"}, patch) == "ambiguous"
    assert run({"l": "a\n"}, patch.replace(" x\n", "")) == {"l": b"a\ny\n"}


LISTING = PY.replace("a = 1", "a = 3")


@pytest.mark.parametrize(
    "reply",
    [
        f"m.py\n```python\n{LISTING}```\n",
        f"`m.py`\n\n```python\n{LISTING}```\n",
        f"```python m.py\n{LISTING}```\n",
        f"```python:m.py\n{LISTING}```\n",
        f"```m.py\n{LISTING}```\n",
        f'```python title="m.py"\n{LISTING}```\n',
        f"m.py\n```python\n{LISTING}\n\n```\n",
        f"m.py\n````python\n{LISTING}````\n",
    ],
)
def test_one_listing_in_many_dresses(run, reply):
    assert run({"m.py": PY, "n.py": ""}, reply) == A3


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (f"```python\n{LISTING}```\n", "ambiguous"),
        (f"m.py\n```python\n{LISTING}", "truncated"),
        (f"m.py\n```python\n{PY}```\n", "noop"),
        ("m.py\n```python\n```\n", "empty-diff"),
        (f"evaluate.py\n```python\n{LISTING}```\n", "protected-path"),
        (f"../m.py\n```python\n{LISTING}```\n", "path-escape"),
        ("m.py\n```python\nimport math\n\n# ... rest of the file unchanged ...\n```\n", "elided"),
        ("m.py\n```python\nimport math\n\n# (remaining code stays the same)\n```\n", "elided"),
        (f"m.py\n```python\n{LISTING}```\n\nm.py\n```python\n{LISTING.replace('3', '4')}```\n", "ambiguous"),
    ],
)
def test_listings_refused(run, reply, word):
    assert run({"m.py": PY, "n.py": "", "evaluate.py": "x = 1\n"}, reply) == word


def test_a_listing_next_to_a_diff_is_illustration(run):
    diff = "```diff\n--- a/m.py\n+++ b/m.py\n@@\n-    a = 1\n+    a = 3\n```\n"
    assert run({"m.py": PY}, f"n.py\n```python\nprint(1)\n```\n\n{diff}") == A3


def test_a_listing_may_quote_a_diff(run):
    text = "# T\n\n--- a/m.py\n+++ b/m.py\n@@\n-a\n+b\n"
    assert run({"m.py": PY, "R.md": "# T\n"}, f"R.md\n```markdown\n{text}```\n") == {"R.md": text.encode()}


def test_a_listing_keeps_line_ends_bom_and_the_end(run):
    assert run({"x.ini": "\ufeff[a]\r\nb = 1\r\n\r\n"}, "x.ini\n```\n[a]\nb = 2\nc = 3\n```\n") == {
        "x.ini": "\ufeff[a]\r\nb = 2\r\nc = 3\r\n\r\n".encode()
    }
    assert run({"x.ini": "[a]\nb = 1"}, "x.ini\n```\n[a]\nb = 2\n```\n") == {"x.ini": b"[a]\nb = 2"}


def test_a_shell_fence_is_never_run_nor_listed(run):
    assert run({"m.py": PY}, "```bash\ncat > m.py <<'EOF'\nx = 1\nEOF\n```\n") == "empty-diff"
    assert run({"m.py": PY}, "m.py\n```console\n$ rm m.py\n```\n") in ("syntax-error", "empty-diff")


def test_a_listing_shown_twice_is_one(run):
    one = f"m.py\n```python\n{LISTING}```\n"
    assert run({"m.py": PY, "n.py": ""}, f"{one}\nAgain, in full:\n\n{one}") == A3


def test_a_permitted_mode_change(run, scope):
    import msgspec

    lenient = msgspec.structs.replace(scope, allow_mode_change=True)
    new = "```diff\ndiff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1 @@\n+x\n```\n"
    assert run({"m.py": PY}, new, scope=lenient) == {"n.sh": b"x\n"}
    change = "```diff\ndiff --git a/m.py b/m.py\nold mode 100644\nnew mode 100755\n```\n"
    assert run({"m.py": PY}, change, scope=lenient) == {"m.py": PY.encode()}
