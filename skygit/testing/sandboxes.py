"""The laws of sandboxes. Subclass a contract in a test module and say how yours is made.

    class TestMine(ContainmentContract):
        def make(self):
            return Mine()

`SandboxContract` holds for every tier, `ContainmentContract` for those that claim that
nothing of a command survives it and nothing private reaches it.
"""

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skygit.ports import Command, Finished, Layers, Sandbox, Slot
from skygit.testing.survivors import gone, mark, survivors

LATEST = 1.0
"""Seconds after its deadline by which a command must have been ended."""


class SandboxContract(ABC):
    """What every sandbox does."""

    @abstractmethod
    def make(self) -> Sandbox:
        """A sandbox to test."""

    @pytest.fixture
    def sandbox(self) -> Iterator[Sandbox]:
        sandbox = self.make()
        yield sandbox
        sandbox.close()

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

    def test_measures_time(self, sandbox: Sandbox, tmp_path: Path) -> None:
        asleep = shell(sandbox, tmp_path, "sleep 0.3")
        assert 0.3 <= asleep.wall < 3
        assert asleep.cpu < 0.2
        busy = run(sandbox, tmp_path, (sys.executable, "-S", "-c", "import time\nwhile time.process_time() < .3: pass"))
        assert 0.25 < busy.cpu < 1

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


class ContainmentContract(SandboxContract):
    """What a sandbox does that lets nothing survive and passes nothing private on."""

    def test_passes_no_secrets(self, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOME_API_KEY", "sk-secret")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        finished = shell(sandbox, tmp_path, "env; cat /proc/$PPID/environ")
        assert b"sk-secret" not in finished.stdout

    def test_home_and_temporary_folder_are_private_and_removed(self, sandbox: Sandbox, tmp_path: Path) -> None:
        script = "mkdir -p $HOME/a/b; touch $HOME/a/b/c; chmod 0 $HOME/a/b $HOME/a; mktemp -d; echo $HOME; echo $TMPDIR"
        made, home, temporary = shell(sandbox, tmp_path, script).stdout.decode().split()
        assert made.startswith(temporary)
        assert home != os.environ.get("HOME")
        assert not Path(home).parent.exists()
        assert not Path(temporary).exists()

    def test_inherits_no_descriptor(self, sandbox: Sandbox, tmp_path: Path) -> None:
        program = (
            "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd') if os.path.exists(f'/dev/fd/{n}')))"
        )
        assert run(sandbox, tmp_path, (sys.executable, "-S", "-c", program)).stdout == b"[0, 1, 2]\n"

    def test_a_daemon_does_not_survive(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished, took = timed(sandbox, tmp_path, DAEMON.format(end="exit 0"), seconds=20, env=marked)
        assert survivors(marked) == []
        assert finished.strays >= 1
        assert took < 2

    def test_a_hanging_daemon_does_not_survive_the_deadline(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished, took = timed(sandbox, tmp_path, DAEMON.format(end="sleep 60"), seconds=0.5, env=marked)
        assert survivors(marked) == []
        assert finished.timed_out
        assert took < 0.5 + LATEST

    def test_a_fork_bomb_ends_at_the_deadline(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished, took = timed(sandbox, tmp_path, BOMB, seconds=0.7, env=marked)
        assert survivors(marked) == []
        assert finished.timed_out
        assert took < 0.7 + LATEST
        assert shell(sandbox, tmp_path, "echo next").stdout == b"next\n"

    def test_too_many_processes_are_ended(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished = sandbox.run(
            Command(argv=("sh", "-c", BOMB), slot=slot(tmp_path), env=marked, processes=20, seconds=20)
        )
        assert survivors(marked) == []
        assert finished.status != 0
        assert "process" in finished.fault
        assert finished.wall < 10

    def test_too_much_memory_is_ended(self, sandbox: Sandbox, tmp_path: Path) -> None:
        argv = (sys.executable, "-S", "-c", GLUTTON)
        finished = sandbox.run(Command(argv=argv, slot=slot(tmp_path), memory_mb=100, seconds=20))
        assert finished.status != 0
        assert "memory" in finished.fault
        assert finished.wall < 10

    def test_memory_below_the_limit_is_measured(self, sandbox: Sandbox, tmp_path: Path) -> None:
        ballast = bytearray(b"x" * (200 << 20))
        argv = (sys.executable, "-S", "-c", "x = b'x' * (60 << 20)")
        finished = sandbox.run(Command(argv=argv, slot=slot(tmp_path), memory_mb=500, seconds=20))
        assert finished.status == 0
        assert 60 << 10 < finished.peak_kb < 150 << 10
        assert ballast

    def test_a_flood_neither_fills_memory_nor_outlives_the_deadline(self, sandbox: Sandbox, tmp_path: Path) -> None:
        finished, took = timed(sandbox, tmp_path, "yes 'a line that is written for ever'", seconds=1.0)
        assert finished.timed_out or finished.fault
        assert len(finished.stdout) < 300_000
        assert took < 1.0 + LATEST

    def test_large_files_are_refused(self, sandbox: Sandbox, tmp_path: Path) -> None:
        argv = ("sh", "-c", "head -c 5000000 /dev/zero > big")
        sandbox.run(Command(argv=argv, slot=slot(tmp_path), file_mb=1, seconds=10))
        assert (tmp_path / "big").stat().st_size <= 1 << 20

    def test_killing_who_watches_is_a_fault(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished, took = timed(sandbox, tmp_path, "sleep 40 & kill -9 $PPID; sleep 30", seconds=20, env=marked)
        assert finished.status != 0
        assert finished.fault
        assert survivors(marked) == []
        assert took < 5
        assert shell(sandbox, tmp_path, "echo next").stdout == b"next\n"

    def test_stopping_who_watches_does_not_move_the_deadline(self, sandbox: Sandbox, tmp_path: Path) -> None:
        marked = mark()
        finished, took = timed(sandbox, tmp_path, "kill -STOP $PPID; sleep 30", seconds=0.5, env=marked)
        assert finished.status != 0
        assert survivors(marked) == []
        assert took < 0.5 + LATEST

    def test_mounts_the_layers_it_says_it_mounts(self, sandbox: Sandbox, tmp_path: Path) -> None:
        if not sandbox.overlays:
            pytest.skip("this sandbox mounts no overlays here")
        layers = layered(tmp_path, removed=("gone", "sub/gone"))
        place = Slot(folder=str(tmp_path / "folder, with: signs"), layers=layers)
        script = "cat base; cat changed; cat sub/deep; ls . sub; echo made > made"
        finished = sandbox.run(Command(argv=("sh", "-c", script), slot=place, seconds=10))
        assert finished.fault == ""
        assert finished.stdout == b"base new deep .:\nbase\nchanged\nsub\n\nsub:\ndeep\n"
        assert (Path(layers.upper) / "made").read_text() == "made\n"
        assert list(Path(place.folder).iterdir()) == []
        assert (Path(layers.lower) / "gone").exists()


DAEMON = "(setsid sh -c 'sh -c \"sleep 60\" & sleep 60' &) ; setsid sleep 60 & sleep 0.1; {end}"
BOMB = "g() { [ $1 -gt 6 ] || { g $(($1+1)) & g $(($1+1)) & sleep 30; }; }; g 0"
GLUTTON = "import time\nx = []\nwhile True: x.append(b'x' * (8 << 20)); time.sleep(.01)"


def slot(folder: Path) -> Slot:
    """A slot without layers."""
    return Slot(folder=str(folder))


def run(sandbox: Sandbox, folder: Path, argv: tuple[str, ...]) -> Finished:
    """Run a program with time enough."""
    return sandbox.run(Command(argv=argv, slot=slot(folder), seconds=20))


def shell(
    sandbox: Sandbox, folder: Path, script: str, seconds: float = 20.0, env: dict[str, str] | None = None
) -> Finished:
    """Run a shell script."""
    return sandbox.run(Command(argv=("sh", "-c", script), slot=slot(folder), seconds=seconds, env=env or {}))


def timed(
    sandbox: Sandbox, folder: Path, script: str, seconds: float, env: dict[str, str] | None = None
) -> tuple[Finished, float]:
    """Run a shell script; how long the caller waited."""
    shell(sandbox, folder, "true")
    began = time.monotonic()
    finished = shell(sandbox, folder, script, seconds, env)
    return finished, time.monotonic() - began


def report(sandbox: Sandbox, folder: Path, script: str) -> Finished:
    """Run a shell script that may `say` lines on the result channel and knows the `$nonce`."""
    start = 'fd=${SKYGIT_RESULT%%:*}; nonce=${SKYGIT_RESULT#*:}; say() { echo "$1" > /dev/fd/$fd; }; '
    return sandbox.run(Command(argv=("sh", "-c", start + script), slot=slot(folder), channel=True, seconds=10))


def layered(root: Path, removed: tuple[str, ...]) -> Layers:
    """A base of five files, one of them changed above, in folders with awkward names."""
    lower, upper, work, folder = (root / f"{name}, with: signs" for name in ("lower", "upper", "work", "folder"))
    for path in (lower / "sub", upper, work, folder):
        path.mkdir(parents=True)
    for name, text in {"base": "base ", "changed": "old ", "gone": "", "sub/deep": "deep ", "sub/gone": ""}.items():
        (lower / name).write_text(text)
    (upper / "changed").write_text("new ")
    return Layers(lower=str(lower), upper=str(upper), work=str(work), removed=removed)
