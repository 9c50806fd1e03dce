"""Laws of the whole ladder: nothing but the change changes, no reply breaks it, its work is bounded."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skygit.domain.draft import Draft, Refusal
from skygit.edits.haystack import Haystack
from skygit.edits.lines import differences
from skygit.edits.refusals import note
from skygit.edits.reply import apply_reply
from skygit.edits.text import split

LOOSE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LINE = st.text(st.sampled_from("ab \t\u2028\x0c\u00e9'#-+@"), max_size=6)
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def texts(draw):
    lines = draw(st.lists(st.tuples(LINE, ENDS), min_size=3, max_size=12))
    last = draw(st.sampled_from(["", None]))
    whole = "".join(f"{number}{text}{end}" for number, (text, end) in enumerate(lines))
    return whole.rstrip("\r\n") if last == "" else whole


@LOOSE
@given(text=texts(), data=st.data())
def test_bytes_outside_the_change_stay(run, text, data):
    lines = split(text.encode()).lines
    row = data.draw(st.integers(0, len(lines) - 1))
    new = data.draw(st.lists(LINE.map(lambda line: "new" + line), max_size=3))
    before = [f" {line.text}" for line in lines[:row]][-2:]
    after = [f" {line.text}" for line in lines[row + 1 :]][:2]
    body = "\n".join([*before, f"-{lines[row].text}", *(f"+{line}" for line in new), *after])
    got = run({"x.txt": text}, f"````diff\n--- a/x.txt\n+++ b/x.txt\n@@\n{body}\n````\n")
    assert isinstance(got, dict), got
    result = got["x.txt"].decode()
    head = "".join(line.text + line.end for line in lines[:row])
    tail = "".join(line.text + line.end for line in lines[row + 1 :])
    assert result.endswith(tail) and (result.startswith(head) or not (tail or new))
    if tail:
        assert [line.text for line in split(result[len(head) : len(result) - len(tail)].encode()).lines] == new
    assert result.endswith("\n") == text.endswith("\n") or not result


PIECES = [
    *("```diff", "```", "````", "~~~", "--- a/m.py", "+++ b/m.py", "--- /dev/null", "+++ b/n.py", "@@", "", " "),
    *("@@ -1,2 +1,3 @@ def f(x):", "@@ -9999999,1 +1 @@", " def f(x):", "-    return x", "+    return 1", "m.py"),
    *("\\ No newline at end of file", "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "def f(x):", "    return x"),
    *("*** Begin Patch", "*** Update File: m.py", "*** Add File: k.py", "*** Delete File: m.py", "*** Move to: z.py"),
    *("*** End of File", "*** End Patch", "diff --git a/m.py b/m.py", "rename from m.py", "rename to z.py", "..."),
    *("deleted file mode 100644", "new file mode 100644", "old mode 100644", "new mode 100755", "GIT binary patch"),
    *("# EVOLVE-BLOCK-START", "# EVOLVE-BLOCK-END", "<think>", "</think>", "\x00", "\ud800", "+++ b/../x", "-- "),
    *("Index: m.py", "```python m.py", "1 | def f(x):", "2.39.0", "--- ", '--- "a/m\\', "    # ... unchanged ..."),
]
REPLIES = (
    st.lists(st.sampled_from(PIECES), max_size=25).map("\n".join) | st.text(max_size=200) | st.binary(max_size=200)
)
FILE = b"import math\n\n# EVOLVE-BLOCK-START\ndef f(x):\n    return x\n# EVOLVE-BLOCK-END\n\ndef g(x):\n    return x\n"


@settings(LOOSE, max_examples=600)
@given(reply=REPLIES)
def test_no_reply_breaks_the_ladder_and_frozen_bytes_stay(tree, scope, syntax, reply):
    files = {"m.py": FILE, "o.txt": b"one\n", "evaluate.py": b"x = 1\n"}
    result = apply_reply(reply, tree(files), scope, syntax)
    if isinstance(result, Refusal):
        assert result.word in note(result) and result.message in note(result)
        return
    assert isinstance(result, Draft) and list(result.paths) == sorted(set(result.paths))
    for change in result.changes:
        assert change.path != "evaluate.py" and ".." not in change.path and change.content != files.get(change.path)
        if change.path == "m.py":
            assert change.content.startswith(FILE[: FILE.index(b"def f")])
            assert change.content.endswith(FILE[FILE.index(b"# EVOLVE-BLOCK-END") :])


@LOOSE
@given(old=st.lists(st.sampled_from("abc"), max_size=20), new=st.lists(st.sampled_from("abc"), max_size=20))
def test_differences_rebuild_the_new_text(old, new):
    built, at = [], 0
    for start, end, first, last in differences(old, new):
        assert at <= start and (end > start or last > first)
        built += old[at:start] + new[first:last]
        at = end
    assert built + old[at:] == new


STORMS = {
    "unclosed blocks": lambda n: "m.py\n" + "<<<<<<< SEARCH\nx = 1\n" * n,
    "dividers": lambda n: "m.py\n<<<<<<< SEARCH\n" + "=======\n" * n,
    "fences": lambda n: "```\n" * n,
    "headers": lambda n: "--- a/m.py\n+++ b/m.py\n" * n,
    "hunks": lambda n: "--- a/m.py\n+++ b/m.py\n" + "@@\n" * n,
    "blank context": lambda n: "```diff\n--- a/m.py\n+++ b/m.py\n@@\n" + "\n" * n + "-x\n```\n",
    "context": lambda n: "```diff\n--- a/m.py\n+++ b/m.py\n@@\n" + " x\n" * n + "-y\n```\n",
    "one long line": lambda n: "```diff\n--- a/m.py\n+++ b/m.py\n@@\n-" + "x" * 20 * n + "\n```\n",
    "emphasis": lambda n: "**" * n + "\n```\nx\n```\n",
    "thoughts": lambda n: "<think>\n" * n,
    "anchors": lambda n: "*** Begin Patch\n*** Update File: m.py\n" + "@@ x\n" * n,
    "opened fences": lambda n: "```diff\n--- a/m.py\n" * n,
    "markers": lambda n: "m.py\n```\n" + "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n" * n + "```\n",
    "envelope": lambda n: "*** Begin Patch\n" + "*** Update File: m.py\n" * n,
    "listing": lambda n: "m.py\n```\n" + "x\n" * n + "```\n",
}


@pytest.mark.parametrize("name", STORMS)
def test_the_work_grows_with_the_reply_and_no_faster(tree, scope, syntax, name):
    """Counted, not timed: twice the reply makes at most about twice the calls."""
    replies = [STORMS[name](count) for count in (4_000, 8_000)]
    files = {"m.py": FILE + b"x\n" * 2_000}
    counts = [_calls(lambda reply=reply: apply_reply(reply, tree(files), scope, syntax)) for reply in replies]
    assert counts[1] <= 2.5 * counts[0] + 5_000


def _calls(work):
    """How many functions a piece of work calls, C functions included."""
    import sys

    count = 0

    def seen(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_places_are_counted_only_so_far():
    assert len(Haystack(["x"] * 50_000).runs(["x"] * 10, str)) == 2_000
