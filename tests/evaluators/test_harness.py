"""What a program imports to report: in a sandbox over the channel, by hand on stdout."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.harness import plain
from skygit.ports import Command, Finished, Slot
from skygit.sandboxes.hygiene import Hygiene

REPORT = "from skygit.harness import report\n"


def run(program: str, folder: Path) -> Finished:
    sandbox = Hygiene()
    try:
        argv = (sys.executable, "-c", REPORT + program)
        return sandbox.run(Command(argv=argv, slot=Slot(folder=str(folder)), channel=True, seconds=10))
    finally:
        sandbox.close()


def test_reports_on_the_channel(tmp_path: Path) -> None:
    finished = run("report({'combined_score': 1.5, 'worst': (1, 2)})", tmp_path)
    assert (finished.result, finished.stdout, finished.fault) == ('{"combined_score": 1.5, "worst": [1, 2]}', b"", "")


def test_a_large_report_arrives_whole(tmp_path: Path) -> None:
    finished = run("report({'combined_score': 1, 'list': ['x' * 1000] * 500})", tmp_path)
    assert len(finished.result) > 500_000


def test_a_second_report_has_no_channel(tmp_path: Path) -> None:
    finished = run("report(1)\nreport(2)", tmp_path)
    assert (finished.result, finished.stdout) == ("1", b"2\n")


def test_by_hand_it_is_printed() -> None:
    done = subprocess.run([sys.executable, "-c", REPORT + "report({'a': 1})"], capture_output=True, check=True, env={})
    assert done.stdout == b'{"a": 1}\n'


def test_stands_alone() -> None:
    program = (
        REPORT + "import sys; assert {m for m in sys.modules if m.startswith('skygit')} == {'skygit', 'skygit.harness'}"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
        max_leaves=12,
    )
)
def test_plain_data_stays_as_it_is(value: object) -> None:
    assert plain({"value": [value]}, depth=-50) == {"value": [value]}


class Slotted:
    __slots__ = ("artifacts", "combined_score", "unset")

    def __init__(self) -> None:
        self.combined_score, self.artifacts = 2, {"a": b"b"}


class Computed:
    @property
    def combined_score(self) -> float:
        return 3.5


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Slotted(), {"artifacts": {"a": "b"}, "combined_score": 2}),
        (Computed(), {"combined_score": 3.5}),
        ({1: {2}}, {"1": [2]}),
    ],
)
def test_objects_become_their_fields(value: object, data: object) -> None:
    assert plain(value) == data


def test_what_refers_to_itself_ends() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert "[...]" in str(plain(circle))
