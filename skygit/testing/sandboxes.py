"""The laws that hold for sandboxes of every tier. Subclass the contract and say how yours is made.

    class TestMine(SandboxContract):
        def make(self):
            return Mine()

A tier that contains keeps those of `skygit.testing.containment` too.
"""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skygit.ports import Command, Sandbox
from skygit.testing.sandbox_runs import LATEST, report, run, shell, slot, timed
from skygit.testing.survivors import gone, mark, survivors


class SandboxUnderTest(ABC):
    """How the sandbox is made."""

    @abstractmethod
    def make(self) -> Sandbox:
        """A sandbox to test."""

    @pytest.fixture
    def sandbox(self) -> Iterator[Sandbox]:
        sandbox = self.make()
        yield sandbox
        sandbox.close()


class OutcomeLaws(SandboxUnderTest):
    """A command's end is told as it was."""

    def test_keeps_status_and_streams_apart(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished = shell(sandbox, tmp_path, "echo out; echo err >&2; exit 3")
        assert (finished.status, finished.stdout, finished.stderr) == (3, b"out\n", b"err\n")
        assert not finished.timed_out

    def test_a_signal_is_a_negative_status(self, sandbox: Sandbox, tmp_path: Path) -> None:
        assert shell(sandbox, tmp_path, "kill -SEGV $$").status == -11

    def test_a_missing_program_is_an_outcome(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished = run(sandbox, tmp_path, ("no-such-program-anywhere",))
        assert finished.status == 127
        assert "no-such-program-anywhere" in finished.fault

    def test_stdin_arrives_whole(self, sandbox: Sandbox, tmp_path: Path) -> None:
        data = b"0123456789abcdef" * 20_000
        finished = sandbox.run(Command(argv=("wc", "-c"), slot=slot(tmp_path), stdin=data, seconds=10))
        assert finished.stdout.split() == [b"320000"]

    def test_without_stdin_there_is_nothing_to_read(self, sandbox: Sandbox, tmp_path: Path) -> None:
        assert run(sandbox, tmp_path, ("cat",)).status == 0

    def test_runs_in_the_slot(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "here").write_text("yes")
        assert shell(sandbox, tmp_path, "cat here; pwd").stdout == f"yes{tmp_path}\n".encode()

    def test_sets_the_environment_named(self, sandbox: Sandbox, tmp_path: Path) -> None:
        assert shell(sandbox, tmp_path, "echo $GIVEN", env={"GIVEN": "a word"}).stdout == b"a word\n"

    def test_measures_time(self, sandbox: Sandbox, tmp_path: Path) -> None:
        asleep = shell(sandbox, tmp_path, "sleep 0.3")
        assert 0.3 <= asleep.wall < 3
        assert asleep.cpu < 0.2
        busy = run(sandbox, tmp_path, (sys.executable, "-S", "-c", "import time\nwhile time.process_time() < .3: pass"))
        assert 0.25 < busy.cpu < 1


class BoundLaws(SandboxUnderTest):
    """Nothing is waited for or kept beyond the limits."""

    def test_output_is_bounded_and_keeps_both_ends(self, sandbox: Sandbox, tmp_path: Path) -> None:
        script = "echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last"
        finished = sandbox.run(Command(argv=("sh", "-c", script), slot=slot(tmp_path), output=10_000, seconds=20))
        assert finished.status == 0
        assert len(finished.stdout) < 11_000
        assert finished.stdout.startswith(b"first\n")
        assert finished.stdout.endswith(b"\nlast\n")

    def test_a_hang_ends_at_the_deadline(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished, took = timed(sandbox, tmp_path, "echo started; sleep 30", seconds=0.5)
        assert finished.timed_out
        assert finished.status < 0
        assert finished.stdout == b"started\n"
        assert took < 0.5 + LATEST

    def test_does_not_wait_for_who_holds_the_pipes(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished, took = timed(sandbox, tmp_path, "sleep 30 & echo done", seconds=20)
        assert (finished.status, finished.stdout) == (0, b"done\n")
        assert took < 2

    def test_a_closed_pipe_ends_the_writer(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished, took = timed(sandbox, tmp_path, "yes | head -n 1", seconds=10)
        assert (finished.status, finished.stdout) == (0, b"y\n")
        assert took < 5

    def test_several_threads_run_at_once(self, sandbox: Sandbox, tmp_path: Path) -> None:
        began = time.monotonic()
        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda n: shell(sandbox, tmp_path, f"sleep 0.5; echo {n}").stdout, range(4)))
        assert done == [b"0\n", b"1\n", b"2\n", b"3\n"]
        assert time.monotonic() - began < 1.9

    def test_close_ends_what_runs_and_can_be_repeated(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(shell, sandbox, tmp_path, "sleep 30", 30.0, marked)
            while not survivors(marked):
                time.sleep(0.01)
            sandbox.close()
            assert running.result(timeout=3).status < 0
        assert gone(marked, within=1)
        sandbox.close()


class ReportLaws(SandboxUnderTest):
    """The result channel says one thing or nothing."""

    def test_one_report_is_the_result(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished = report(sandbox, tmp_path, 'say "$nonce {\\"a\\": 1}"')
        assert (finished.result, finished.fault) == ('{"a": 1}', "")

    @pytest.mark.parametrize(
        "script",
        ["", 'say "$nonce 1"; say "$nonce 2"', 'say "guess 1"', 'say "guess 9"; say "$nonce 1"', 'echo "$nonce 1"'],
        ids=["none", "two", "wrong nonce", "one of each", "on stdout"],
    )
    def test_any_other_number_of_reports_is_none(self, sandbox: Sandbox, tmp_path: Path, script: str) -> None:
        finished = report(sandbox, tmp_path, script)
        assert finished.result == ""
        assert finished.fault
        assert finished.status == 0

    def test_no_channel_unless_asked(self, sandbox: Sandbox, tmp_path: Path) -> None:
        assert shell(sandbox, tmp_path, "echo ${SKYGIT_RESULT-none}").stdout == b"none\n"


class SandboxContract(OutcomeLaws, BoundLaws, ReportLaws):
    """What every sandbox does."""
