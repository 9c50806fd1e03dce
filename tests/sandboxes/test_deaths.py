"""Whoever is killed, nothing of a command is left, and the next one runs."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skygit.ports import Command, Slot
from skygit.sandboxes.hygiene import Hygiene
from skygit.testing.sandbox_runs import shell
from skygit.testing.survivors import gone, mark, survivors

PARENT = """
import sys, threading
from skygit.ports import Command, Slot
from skygit.sandboxes.hygiene import Hygiene
sandbox = Hygiene()
script = "(setsid sh -c 'sleep 60' &); (sleep 60 & sleep 60) & echo $$ >> pids; sleep 60"
command = Command(argv=("sh", "-c", script), slot=Slot(folder=sys.argv[1]), env={"SKYGIT_TEST_MARK": sys.argv[2]})
threads = [threading.Thread(target=sandbox.run, args=(command,)) for _ in range(4)]
for thread in threads:
    thread.start()
"""


def reaper_of(sandbox: Hygiene) -> int:
    process = sandbox._client._process
    assert process is not None
    return process.pid


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killing_skygit_leaves_nothing_within_a_second(tmp_path: Path, number: int) -> None:
    marked = mark()
    cells = tmp_path / "cells"
    cells.mkdir()
    env = {**os.environ, "TMPDIR": str(cells)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), marked["SKYGIT_TEST_MARK"]], env=env)
    pids = tmp_path / "pids"
    limit = time.monotonic() + 20
    while len(survivors(marked)) < 20 and time.monotonic() < limit:
        time.sleep(0.02)
    assert len(pids.read_text().split()) == 4
    parent.send_signal(number)
    parent.wait()
    assert gone(marked, within=1.0)
    assert wait_until(lambda: not list(cells.iterdir()))


def test_killing_the_reaper_is_a_fault_of_what_ran_and_nothing_more(tmp_path: Path) -> None:
    sandbox, marked = Hygiene(), mark()
    with ThreadPoolExecutor(3) as pool:
        running = [pool.submit(shell, sandbox, tmp_path, "setsid sleep 50 & sleep 40", 30.0, marked) for _ in range(3)]
        assert wait_until(lambda: len(survivors(marked)) >= 9)
        os.kill(reaper_of(sandbox), signal.SIGKILL)
        for one in running:
            assert one.result(timeout=10).fault
    assert survivors(marked) == []
    assert shell(sandbox, tmp_path, "echo again").stdout == b"again\n"
    root = Path(sandbox._client._root)
    assert root.exists()
    sandbox.close()
    assert not root.exists()


@pytest.mark.slow
def test_stopping_the_reaper_does_not_hang_the_caller(tmp_path: Path) -> None:
    sandbox, marked = Hygiene(), mark()
    shell(sandbox, tmp_path, "true")
    root = Path(sandbox._client._root)
    os.kill(reaper_of(sandbox), signal.SIGSTOP)
    finished = shell(sandbox, tmp_path, "sleep 30", 0.3, marked)
    assert finished.fault
    assert survivors(marked) == []
    assert shell(sandbox, tmp_path, "echo again").stdout == b"again\n"
    sandbox.close()
    assert not root.exists()


def test_who_kills_its_own_watcher_harms_nobody_else(tmp_path: Path) -> None:
    sandbox, marked = Hygiene(), mark()
    with ThreadPoolExecutor(4) as pool:
        innocent = [pool.submit(shell, sandbox, tmp_path, "sleep 1; echo fine") for _ in range(3)]
        killer = pool.submit(shell, sandbox, tmp_path, "setsid sleep 40 & kill -9 $PPID; sleep 40", 20.0, marked)
        assert killer.result(timeout=10).fault
        assert survivors(marked) == []
        assert [one.result(timeout=10).stdout for one in innocent] == [b"fine\n"] * 3
    sandbox.close()


def test_nothing_can_be_run_in_a_closed_sandbox(tmp_path: Path) -> None:
    sandbox = Hygiene()
    sandbox.close()
    finished = shell(sandbox, tmp_path, "touch ran")
    assert "closed" in finished.fault
    assert not (tmp_path / "ran").exists()


def test_commands_leave_no_descriptor_folder_or_zombie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sandbox = Hygiene()
    shell(sandbox, tmp_path, "true")
    reaper = reaper_of(sandbox)
    before = open_files("self"), open_files(reaper)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: shell(sandbox, tmp_path, f"touch $HOME/{n} $TMPDIR/{n}"), range(30)))
    assert (open_files("self"), open_files(reaper)) == before
    assert wait_until(lambda: children_of(reaper) == [])
    sandbox.close()
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_became_a_link_is_not_the_next_ones(tmp_path: Path) -> None:
    sandbox, elsewhere = Hygiene(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("")
    shell(sandbox, tmp_path, f"rmdir $HOME; ln -s {elsewhere} $HOME; chmod 777 $TMPDIR")
    assert shell(sandbox, tmp_path, "ls -A $HOME; stat -c %a $HOME $TMPDIR").stdout == b"700\n700\n"
    assert (elsewhere / "kept").exists()
    sandbox.close()


def test_the_reaper_loads_nothing_heavy_and_knows_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    sandbox = Hygiene()
    shell(sandbox, tmp_path, "true")
    reaper = reaper_of(sandbox)
    assert b"sk-secret" not in Path(f"/proc/{reaper}/environ").read_bytes()
    resident_kb = int(Path(f"/proc/{reaper}/statm").read_text().split()[1]) * 4
    assert resident_kb < 20_000
    assert os.getsid(reaper) == reaper
    sandbox.close()


def test_a_short_name_is_found_on_the_path_named(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "greet"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    sandbox = Hygiene()
    command = Command(argv=("greet",), slot=Slot(folder=str(tmp_path)), env={"PATH": f"{program.parent}:/bin:/usr/bin"})
    assert sandbox.run(command).stdout == b"hello\n"
    sandbox.close()


def open_files(pid: int | str) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def wait_until(condition, seconds: float = 10.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True
