"""The environment a candidate sees: an allow-list, a private HOME and TMPDIR, what the command names."""

import os
from collections.abc import Mapping

_CATEGORIES = ("ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME")
_PASSED = ("PATH", "LANG", "TZ", *(f"LC_{name}" for name in _CATEGORIES))


def environment(named: Mapping[str, str], cell: str) -> dict[str, str]:
    """What is passed from skygit's own environment is harmless; keys are not on the list.

    Python writes no bytecode: in a folder that follows candidates within one second, a
    cached file of an earlier candidate would be taken for the present one.
    """
    passed = {key: os.environ[key] for key in _PASSED if key in os.environ}
    private = {"HOME": f"{cell}/home", "TMPDIR": f"{cell}/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**passed, **private, **named}
