"""The environment a candidate sees: an allow-list, a private HOME and TMPDIR, what the command names."""

import os
from collections.abc import Mapping

_PASSED = ("PATH", "LANG", "TZ")
_PASSED_PREFIX = "LC_"


def environment(named: Mapping[str, str], cell: str) -> dict[str, str]:
    """What is passed from skygit's own environment is harmless; keys are not on the list.

    Python writes no bytecode: in a folder that follows candidates within one second, a
    cached file of an earlier candidate would be taken for the present one.
    """
    passed = {key: value for key, value in os.environ.items() if key in _PASSED or key.startswith(_PASSED_PREFIX)}
    private = {"HOME": f"{cell}/home", "TMPDIR": f"{cell}/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**passed, **private, **named}
