"""The line that says most."""

import pytest

from skygit.evaluators.headline import ending, headline, tidy
from skygit.ports import Finished

SLOT = "/cache/slot-7"
TRACEBACK = f"""starting
Traceback (most recent call last):
  File "{SLOT}/bench.py", line 3, in <module>
    solve()
  File "{SLOT}/src/solve.py", line 12, in solve
    return numpy.linalg.inv(matrix)
  File "/usr/lib/python3/numpy/linalg.py", line 500, in inv
    raise LinAlgError("singular")
numpy.linalg.LinAlgError: singular
"""
CHAINED = f"""Traceback (most recent call last):
  File "{SLOT}/a.py", line 1, in f
    x
KeyError: 'first'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "{SLOT}/b.py", line 2, in <module>
    y
ValueError: second
  with a second line
"""


@pytest.mark.parametrize(
    ("stderr", "stdout", "line"),
    [
        (TRACEBACK, "", "numpy.linalg.LinAlgError: singular (src/solve.py:12 in solve)"),
        (CHAINED, "", "ValueError: second (b.py:2 in <module>)"),
        (
            f'  File "{SLOT}/a.py", line 4\n    def f(:\n          ^\nSyntaxError: invalid syntax\n',
            "",
            "SyntaxError: invalid syntax (a.py:4)",
        ),
        ("", "..F\nFAILED t.py::test_x\n1 failed, 10 passed in 0.31s\n", "1 failed, 10 passed"),
        ("make: *** [all] Error 1\n", f"{SLOT}/src/a.c:4:7: error: expected ';'\n", "src/a.c:4:7: error: expected ';'"),
        ("error[E0308]: mismatched types\n --> src/main.rs:2\n", "", "error[E0308]: mismatched types"),
        ("Segmentation fault at 0x7ffdeadbeef\n", "", "Segmentation fault at 0x..."),
        (f"cannot open {SLOT}/data/x\n\n", "", "cannot open data/x"),
        ("", "", ""),
    ],
)
def test_headline(stderr: str, stdout: str, line: str) -> None:
    assert headline(Finished(status=1, stdout=stdout.encode(), stderr=stderr.encode()), SLOT) == line


def test_ending() -> None:
    assert (ending(3), ending(-11), ending(-9), ending(-99)) == (
        "exit status 3",
        "killed by SIGSEGV",
        "killed by SIGKILL",
        "killed by signal 99",
    )


def test_tidy_is_one_bounded_printable_line() -> None:
    assert tidy("a\tb\n  c\x1b[31m", SLOT) == "a b c?[31m"
    assert len(tidy("x" * 5000, SLOT)) == 300
    assert tidy("in /tmp/skygit-cells-abc12/0001/tmp/f", SLOT) == "in $TMPDIR/tmp/f"
