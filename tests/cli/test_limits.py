"""What the command line says of limits is obeyed, zero too, and what candidates are given beside git's files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CONFIG, Call, git


def test_a_target_of_zero_is_a_target(repository: Path, call: Call) -> None:
    score = 'import json, engine\nprint(json.dumps({"combined_score": abs(engine.fixed())}))\n'
    (repository / "score.py").write_text(score)
    status, told = call("evolve", "--target", "0", "--json")
    assert (status, summary(told)["reason"]) == (0, "target")


def summary(told: str) -> dict[str, Any]:
    found: dict[str, Any] = json.JSONDecoder().raw_decode(told, told.index("{"))[0]
    return found


@pytest.mark.parametrize(
    "words",
    [("--budget-usd", "0"), ("--parallel", "0"), ("--target", "nan"), ("--target", "inf")],
    ids=" ".join,
)
def test_a_limit_that_cannot_be_is_refused(repository: Path, call: Call, words: tuple[str, ...]) -> None:
    status, told = call("evolve", *words)
    assert status == 2
    assert words[1] in told or words[0].strip("-").replace("-", "_") in told


def test_included_files_are_there_and_never_stand_for_those_of_git(repository: Path, call: Call) -> None:
    (repository / "data").mkdir()
    (repository / "data" / "bonus").write_text("7")
    score = (
        "import json, engine\nfrom pathlib import Path\nbonus = int(Path('data/bonus').read_text())\n"
        'print(json.dumps({"combined_score": bonus - abs(engine.fixed() - 1000)}))\n'
    )
    (repository / "score.py").write_text(score)
    (repository / ".skydiscover.yaml").write_text(
        CONFIG.replace("timeout: 20", "timeout: 20, include: [data/, '*.py']")
    )
    git(repository, "add", "score.py", ".skydiscover.yaml")
    git(repository, "commit", "-qm", "measure")
    status, told = call("evolve", "--json")
    facts = summary(told)
    assert (status, facts["reason"]) == (0, "iterations")
    assert facts["gain"] != "+0.00 %"


def test_a_session_that_has_nothing_to_do_leaves_no_folder(repository: Path, call: Call) -> None:
    assert call("evolve")[0] == 0
    status, told = call("evolve")
    assert (status, "has its 12 iterations" in told) == (0, True)
    assert not list((repository.parent / "cache").glob("skygit/*/*.lease"))


def test_a_run_that_stopped_early_says_how_to_go_on_and_does_so_from_its_own_base(repository: Path, call: Call) -> None:
    status, told = call("evolve", "--iterations", "500", "--max-time", "0.5s")
    assert status == 0
    done = int(re.findall(r"^(\d+) iterations:", told, re.MULTILINE)[0])
    assert "to go on: skygit evolve --run run-1" in told
    (repository / "knobs.py").write_text("A = 4\n")
    git(repository, "commit", "-qam", "meanwhile")
    status, told = call("evolve", "--run", "run-1", "--iterations", "+1", "--json")
    assert (status, summary(told)["iterations"]) == (0, done + 1)
