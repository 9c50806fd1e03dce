"""What one command of an evaluation may use, and running it so."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skygit.ports import Command, Finished, Sandbox, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`timeout` in seconds for the whole process tree; `output_kb` kept of stdout and stderr each.

    `env` is all the candidate sees beyond the sandbox's allow-list. `processes` keeps a fork
    bomb from taking the machine with it until its deadline.
    """

    timeout: float = 60.0
    memory_mb: int = 4096
    output_kb: int = 256
    processes: int = 2048
    file_mb: int = 0
    env: dict[str, str] = field(default_factory=dict)

    def run(
        self,
        argv: tuple[str, ...],
        slot: Slot,
        sandbox: Sandbox,
        *,
        channel: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> Finished:
        """Run a command in a slot within these limits; `env` yields to the limits' own."""
        return sandbox.run(
            Command(
                argv=argv,
                slot=slot,
                env={**(env or {}), **self.env},
                seconds=self.timeout,
                memory_mb=self.memory_mb,
                file_mb=self.file_mb,
                processes=self.processes,
                output=self.output_kb << 10,
                channel=channel,
            )
        )
