"""The laws of sandboxes that let nothing survive and pass nothing private on."""

import os
import sys
from pathlib import Path

import pytest

from skygit.ports import Command, Sandbox, Slot
from skygit.testing.sandbox_runs import LATEST, layered, run, shell, slot, timed
from skygit.testing.sandboxes import SandboxContract, SandboxUnderTest
from skygit.testing.survivors import mark, survivors

DAEMON = "(setsid sh -c 'sh -c \"sleep 60\" & sleep 60' &) ; setsid sleep 60 & sleep 0.1; {end}"
BOMB = "g() { [ $1 -gt 6 ] || { g $(($1+1)) & g $(($1+1)) & sleep 30; }; }; g 0"
GLUTTON = "import time\nx = []\nwhile True: x.append(b'x' * (8 << 20)); time.sleep(.01)"


class PrivacyLaws(SandboxUnderTest):
    """Nothing of the user's reaches a command unless named."""

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


class SurvivalLaws(SandboxUnderTest):
    """Nothing of a command is left when it has ended."""

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


class LimitLaws(SandboxUnderTest):
    """What is too much is ended and said."""

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

    def test_the_layers_are_out_of_reach_by_their_paths(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """Who changed the lower one would change what every later candidate is measured with."""
        if not sandbox.overlays:
            pytest.skip("this sandbox mounts no overlays here")
        layers = layered(tmp_path, removed=())
        place = Slot(folder=str(tmp_path / "folder, with: signs"), layers=layers)
        script = f"echo evil > '{layers.lower}/base'; echo evil > '{layers.upper}/changed'; cat base changed; pwd"
        finished = sandbox.run(Command(argv=("sh", "-c", script), slot=place, seconds=10))
        assert finished.stdout == f"base new {place.folder}\n".encode()
        assert [(Path(layers.lower) / "base").read_text(), (Path(layers.upper) / "changed").read_text()] == [
            "base ",
            "new ",
        ]


class ContainmentContract(SandboxContract, PrivacyLaws, SurvivalLaws, LimitLaws):
    """What a sandbox keeps that contains its commands."""
