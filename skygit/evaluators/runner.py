"""The child process in which `evaluate(program_path)` runs. Standard library only.

Takes the result channel away before anything of the candidate is imported. What is raised
becomes a traceback on stderr and exit status 1; leaving by `sys.exit` is a failure too.
"""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from skygit.harness import take


def main(evaluator: str, program: str) -> None:
    """Import the evaluator, call `evaluate` with the program's path, report what it returns."""
    report = take()
    sys.path[0] = str(Path(evaluator).parent)
    sys.argv = [evaluator, program]
    report(_evaluate(evaluator, program))


def _evaluate(evaluator: str, program: str) -> Any:
    try:
        return _function(_load(evaluator))(program)
    except SystemExit as error:
        sys.stderr.write(f"{_own(error)}SystemExit: the program left by sys.exit({error.code!r})\n")
    except BaseException as error:  # noqa: BLE001 - the edge of the candidate's code: everything is an outcome
        sys.stderr.write("".join(traceback.format_exception(type(error), error, _below(error))))
    sys.stderr.flush()
    sys.exit(1)


def _load(path: str) -> ModuleType:
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _function(module: ModuleType) -> Any:
    if not hasattr(module, "evaluate"):
        raise AttributeError(f"{module.__file__} has no function evaluate(program_path)")
    return module.evaluate


def _below(error: BaseException) -> Any:
    """The traceback without this file's frames and the import system's."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None and _foreign(at.tb_frame.f_code.co_filename):
        at = at.tb_next
    return at


def _foreign(file: str) -> bool:
    return file == __file__ or file.startswith("<frozen importlib")


def _own(error: BaseException) -> str:
    return "Traceback (most recent call last):\n" + "".join(traceback.format_tb(_below(error)))
