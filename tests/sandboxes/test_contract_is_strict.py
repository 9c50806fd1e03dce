"""The contracts are tested by planted faults: each must be caught by the law named beside it."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from skygit.ports import Command, Finished, Sandbox
from skygit.sandboxes.bare import Bare
from skygit.sandboxes.hygiene import Hygiene
from skygit.testing.containment import ContainmentContract

replace = msgspec.structs.replace


class Faulty:
    """A sandbox whose commands or outcomes are bent on the way."""

    def __init__(
        self, inner: Sandbox, before: Callable[[Command], Command], after: Callable[[Finished], Finished]
    ) -> None:
        self._inner, self._before, self._after = inner, before, after
        self.name, self.overlays = inner.name, True

    def run(self, command: Command) -> Finished:
        return self._after(self._inner.run(self._before(command)))

    def close(self) -> None:
        self._inner.close()


class Contract(ContainmentContract):
    __test__ = False

    def make(self) -> Sandbox:
        return Hygiene()


def same(value):
    return value


def slowly(finished: Finished) -> Finished:
    time.sleep(2.1 if finished.stdout else 0.0)
    return finished


def with_a_shared_home(command: Command) -> Command:
    return replace(command, env={"HOME": command.slot.folder, **command.env})


BENT = [
    ("test_keeps_status_and_streams_apart", same, lambda f: replace(f, stdout=f.stdout + f.stderr)),
    ("test_a_signal_is_a_negative_status", same, lambda f: replace(f, status=abs(f.status))),
    ("test_a_missing_program_is_an_outcome", same, lambda f: replace(f, fault="")),
    ("test_stdin_arrives_whole", lambda c: replace(c, stdin=c.stdin[:65536]), same),
    ("test_sets_the_environment_named", lambda c: replace(c, env={}), same),
    ("test_output_is_bounded_and_keeps_both_ends", lambda c: replace(c, output=1 << 20), same),
    ("test_output_is_bounded_and_keeps_both_ends", same, lambda f: replace(f, stdout=f.stdout[:9000])),
    ("test_a_hang_ends_at_the_deadline", lambda c: replace(c, seconds=c.seconds + 1.5), same),
    ("test_a_hang_ends_at_the_deadline", same, lambda f: replace(f, timed_out=False)),
    ("test_does_not_wait_for_who_holds_the_pipes", same, slowly),
    ("test_measures_time", same, lambda f: replace(f, cpu=f.wall)),
    ("test_measures_time", same, lambda f: replace(f, wall=0.0)),
    ("test_one_report_is_the_result", lambda c: replace(c, channel=False), same),
    ("test_passes_no_secrets", lambda c: replace(c, env=dict(os.environ)), same),
    ("test_home_and_temporary_folder_are_private_and_removed", with_a_shared_home, same),
    ("test_too_many_processes_are_ended", lambda c: replace(c, processes=0, seconds=1), same),
    ("test_too_much_memory_is_ended", lambda c: replace(c, memory_mb=0, seconds=0.5), same),
    ("test_memory_below_the_limit_is_measured", same, lambda f: replace(f, peak_kb=f.peak_kb + (200 << 10))),
    ("test_large_files_are_refused", lambda c: replace(c, file_mb=0), same),
    ("test_mounts_the_layers_it_says_it_mounts", lambda c: replace(c, slot=replace(c.slot, layers=None)), same),
]


SLOW = {
    "test_too_many_processes_are_ended",
    "test_too_much_memory_is_ended",
    "test_memory_below_the_limit_is_measured",
    "test_a_hang_ends_at_the_deadline",
    "test_does_not_wait_for_who_holds_the_pipes",
}
PLANTED = [pytest.param(*one, marks=pytest.mark.slow if one[0] in SLOW else ()) for one in BENT]


@pytest.mark.parametrize(
    ("law", "before", "after"), PLANTED, ids=[f"{n}-{law[5:]}" for n, (law, _, _) in enumerate(BENT)]
)
def test_a_planted_fault_is_caught(law, before, after, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Faulty(Hygiene(), before, after)
    extra = (monkeypatch,) if law == "test_passes_no_secrets" else ()
    try:
        with pytest.raises(AssertionError):
            vars_of(law)(Contract(), sandbox, tmp_path, *extra)
    finally:
        sandbox.close()


@pytest.mark.parametrize(
    "law", ["test_a_daemon_does_not_survive", "test_passes_no_secrets", "test_inherits_no_descriptor"]
)
def test_the_bare_tier_does_not_contain(law: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox: Sandbox = Bare() if law != "test_inherits_no_descriptor" else Faulty(Hygiene(), with_channel, same)
    extra = (monkeypatch,) if law == "test_passes_no_secrets" else ()
    with pytest.raises(AssertionError):
        vars_of(law)(Contract(), sandbox, tmp_path, *extra)
    end_left_over()


def with_channel(command: Command) -> Command:
    return replace(command, channel=True)


def vars_of(law: str):
    return getattr(Contract, law)


def end_left_over() -> None:
    """The daemons that the bare tier leaves, found by their mark."""
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and b"SKYGIT_TEST_MARK=" in (folder / "environ").read_bytes():
                os.kill(int(folder.name), 9)
        except OSError:
            continue
