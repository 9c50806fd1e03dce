"""The default tier: its own session, limits, a clean environment, and nothing that outlives it.

It keeps honest candidates from harming each other and the machine. It does not hide the
user's files or the network from a hostile one.
"""

from dataclasses import dataclass, field

from skygit.ports import Command, Finished
from skygit.sandboxes import channel
from skygit.sandboxes.client import ReaperClient
from skygit.sandboxes.environment import environment
from skygit.sandboxes.order import Order, Outcome, Overlay
from skygit.sandboxes.probe import OverlayProbe


@dataclass(frozen=True, slots=True, kw_only=True)
class Hygiene:
    """`flood_mb` of output end a command, `grace` seconds are given to background processes to leave,
    `data_mb` is the kernel's own limit on each process's data (breaks programs that reserve much)."""

    flood_mb: int = 256
    grace: float = 0.1
    data_mb: int = 0
    _client: ReaperClient = field(init=False, repr=False, compare=False, default_factory=ReaperClient)
    _probe: OverlayProbe = field(init=False, repr=False, compare=False, default_factory=OverlayProbe)

    @property
    def name(self) -> str:
        """The tier."""
        return "hygiene"

    @property
    def overlays(self) -> bool:
        """Whether an overlay really works here; tried once."""
        return self._probe.proven(self, self._client.root)

    def run(self, command: Command) -> Finished:
        """Run to the end or the deadline; on return no process of the command is left."""
        nonce = channel.open_nonce()
        with self._client.cell() as cell:
            order = self._order(command, cell, channel.variable(nonce) if command.channel else {})
            outcome, (stdout, stderr, received) = self._client.run(order, command.stdin)
        result, fault = channel.verdict(nonce, received) if command.channel else ("", "")
        return _finished(outcome, stdout, stderr, result, fault)

    def close(self) -> None:
        """Kill whatever still runs. Idempotent."""
        self._client.close()

    def _order(self, command: Command, cell: str, channel_env: dict[str, str]) -> Order:
        layers = command.slot.layers
        return Order(
            argv=command.argv,
            env=environment({**command.env, **channel_env}, cell),
            folder=command.slot.folder,
            cell=cell,
            seconds=command.seconds,
            grace=self.grace,
            memory_mb=command.memory_mb,
            data_mb=self.data_mb,
            file_mb=command.file_mb,
            processes=command.processes,
            output=command.output,
            flood=self.flood_mb << 20,
            channel=command.channel,
            overlay=Overlay(layers.lower, layers.upper, layers.work, layers.removed) if layers else None,
        )


def _finished(outcome: Outcome, stdout: bytes, stderr: bytes, result: str, fault: str) -> Finished:
    return Finished(
        status=outcome.status,
        timed_out=outcome.timed_out,
        stdout=stdout,
        stderr=stderr,
        result=result,
        wall=outcome.wall,
        cpu=outcome.cpu,
        peak_kb=outcome.peak_kb,
        strays=outcome.strays,
        fault=outcome.fault or (fault if outcome.status == 0 else ""),
    )


PLUGIN = Hygiene
