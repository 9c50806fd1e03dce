"""The commands on real git with built-in mutation: what they say, what they leave, what they refuse."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG, Call, git


@pytest.fixture
def evolved(repository: Path, call: Call) -> Path:
    status, said = call("evolve")
    assert status == 0, said
    return repository


def test_evolve_finds_a_better_commit_and_says_what_to_type_next(repository: Path, call: Call) -> None:
    status, said = call("evolve")
    assert status == 0
    assert "built-in mutation (no model is configured)" in said
    assert "stopped: 12 of 12 iterations done" in said
    assert said.rstrip().endswith("next: skygit review")
    best = git(repository, "rev-parse", "skygit/run-1/best").strip()
    assert best != git(repository, "rev-parse", "main").strip()


def test_nothing_of_the_users_is_touched(repository: Path, call: Call) -> None:
    (repository / "notes.txt").write_text("mine")
    (repository / "knobs.py").write_text("A = 9\n")
    git(repository, "stash", "push", "-q", "knobs.py")
    git(repository, "add", "notes.txt")
    watched = ("HEAD", "index", "config", "refs/heads/main", "refs/stash")
    before = [(repository / ".git" / name).read_bytes() for name in watched]
    state = git(repository, "status", "--porcelain")
    for words in (["evolve"], ["review"], ["top"], ["clean", "--yes"]):
        assert call(*words)[0] == 0, words
    assert [(repository / ".git" / name).read_bytes() for name in watched] == before
    assert git(repository, "status", "--porcelain") == state
    assert not (repository / ".git/skygit").exists()


def test_a_finished_run_says_so_and_plus_goes_on(evolved: Path, call: Call) -> None:
    status, said = call("evolve")
    assert status == 0 and "run run-1 has its 12 iterations" in said and "--iterations +12" in said
    status, said = call("evolve", "--iterations", "+2", "--json")
    facts = json.loads(said[said.index("{") : said.rindex("}") + 1])
    assert (status, facts["run"], facts["iterations"], facts["reason"]) == (0, "run-1", 14, "iterations")


def test_another_set_up_starts_another_run_and_says_why(evolved: Path, call: Call) -> None:
    (evolved / ".skydiscover.yaml").write_text(CONFIG.replace("seed: 3", "seed: 4"))
    status, said = call("evolve", "--iterations", "1")
    assert status == 0 and "run run-2" in said and "another seed" in said
    status, said = call("evolve", "--run", "run-1")
    assert status == 2 and "another seed" in said


def test_options_once_typed_hold_for_the_run(repository: Path, call: Call) -> None:
    status, said = call("evolve", "--seed", "9", "--algorithm", "topk", "--iterations", "4", "--max-time", "0.1s")
    assert status == 0 and "run run-1: topk" in said
    status, said = call("evolve")
    assert status == 0 and "going on with run run-1: topk" in said and "4 of 4 iterations done" in said
    status, said = call("evolve", "--run", "run-1", "--iterations", "+1")
    assert status == 0 and "5 of 5 iterations done" in said
    status, said = call("evolve", "--run", "run-1", "--seed", "8")
    assert status == 2 and "another seed (9, now 8)" in said


def test_a_scope_that_names_nothing_starts_no_run(repository: Path, call: Call) -> None:
    (repository / ".skydiscover.yaml").write_text(CONFIG.replace("[knobs.py, engine.py]", '["nosuch/*.py"]'))
    status, said = call("evolve")
    assert status == 2 and "nosuch/*.py" in said and "names no committed file" in said
    assert call("status")[0] == 2


def test_a_missing_evaluator_is_one_line(repository: Path, call: Call) -> None:
    (repository / ".skydiscover.yaml").write_text("evaluation: {python: evall.py, program: engine.py}\n")
    for command in ("check", "evolve"):
        status, said = call(command)
        assert status == 2 and "there is no file evall.py" in said and len(said.splitlines()) == 1


def test_the_measures_own_files_are_named_when_they_are_not_committed(repository: Path, call: Call) -> None:
    (repository / "score.py").write_text((repository / "score.py").read_text() + "# mine\n")
    (repository / ".skydiscover.yaml").write_text(CONFIG + "# mine\n")
    status, said = call("evolve", "--iterations", "1")
    assert status == 0 and "score.py: used as it lies in the checkout" in said and "uncommitted" not in said


def test_a_changed_evaluator_starts_another_run(evolved: Path, call: Call) -> None:
    (evolved / "score.py").write_text((evolved / "score.py").read_text() + "# changed\n")
    status, said = call("evolve", "--iterations", "1")
    assert status == 0 and "another evaluator" in said


def test_dirty_changes_are_counted_or_taken_in(repository: Path, call: Call) -> None:
    (repository / "knobs.py").write_text("A = 100\nB = 40\nC = 500\n")
    status, said = call("evolve", "--iterations", "1")
    assert status == 0 and "1 uncommitted change is not in the base" in said and "base -1105" in said
    status, said = call("evolve", "--iterations", "1", "--include-dirty")
    assert status == 0 and "base -426" in said


def test_a_base_that_fails_says_why(repository: Path, call: Call) -> None:
    (repository / "engine.py").write_text("import nowhere\n")
    git(repository, "commit", "-qam", "broken")
    status, said = call("evolve")
    assert status == 1
    assert "the base did not pass its own evaluation: crashed" in said and "nowhere" in said
    git(repository, "revert", "--no-edit", "HEAD")
    assert call("evolve", "--iterations", "1")[0] == 0


def test_check_tells_and_finds_problems(repository: Path, call: Call) -> None:
    status, said = call("check")
    assert status == 0 and "no spread" in said and "engine.py: line 3" in said
    assert "next: skygit evolve" in said
    (repository / "engine.py").write_text("# EVOLVE-BLOCK-START\nX = 1\n")
    git(repository, "commit", "-qam", "unclosed")
    status, said = call("check")
    assert status == 1 and "engine.py:1: the block that starts here never ends" in said


def test_tables_and_their_json_agree(evolved: Path, call: Call) -> None:
    for command in ("status", "log", "top", "runs", "show"):
        assert call(command)[0] == 0, command
        _, said = call(command, "--json")
        json.loads(said)
    _, said = call("top", "--json")
    best = json.loads(said)[0]
    _, said = call("status", "--json")
    assert json.loads(said)["best_commit"] == best["commit"]
    assert best["commit"][:12] in call("show", "best")[1]
    assert call("show", best["commit"][:8])[0] == 0


def test_diff_and_show_diff_apply_with_git(evolved: Path, call: Call) -> None:
    _, patch = call("diff", "best")
    subprocess.run(["git", "apply", "--check"], cwd=evolved, input=patch, text=True, check=True)
    status, said = call("diff", "nonsense")
    assert status == 2 and "no candidate nonsense" in said
    assert call("show", "#99")[0] == 2


def test_review_makes_one_clean_commit_and_refuses_to_overwrite(evolved: Path, call: Call) -> None:
    status, said = call("review", "--branch", "topic/faster", "--times", "2", "--whole")
    assert status == 0, said
    assert git(evolved, "rev-list", "--count", "main..topic/faster").strip() == "1"
    assert git(evolved, "rev-parse", "topic/faster^{tree}") == git(evolved, "rev-parse", "skygit/run-1/best^{tree}")
    message = git(evolved, "log", "-1", "--format=%B", "topic/faster")
    assert "Measured again" in message and "Skygit-Candidate: " in message
    status, said = call("review", "--branch", "topic/faster")
    assert status == 2 and "already" in said
    status, said = call("review", "--branch", "no..name")
    assert status == 2 and "no name for a branch" in said


def test_clean_removes_what_skygit_made_and_only_that(evolved: Path, call: Call) -> None:
    assert call("clean", "run-1")[0] == 2  # nobody said yes
    assert call("clean", "run-1", "--yes")[0] == 0
    assert git(evolved, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]
    assert call("status")[0] == 2


def test_a_run_goes_on_in_another_clone(evolved: Path, call: Call, tmp_path: Path, monkeypatch) -> None:
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(evolved), str(other))
    git(evolved, "push", "-q", str(other), "refs/skygit/*:refs/skygit/*")
    monkeypatch.chdir(other)
    status, said = call("evolve", "--iterations", "14")
    assert status == 0 and "going on with run run-1" in said and "14 of 14 iterations" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["evolve", "--iterations", "many"], "expected a number"),
        (["evolve", "--algorithm", "topq"], "did you mean `topk`"),
        (["evolve", "--max-time", "soon"], "max_time"),
        (["evolve", "--target", "high"], "expected a number"),
        (["status", "nowhere"], "there is no run nowhere"),
        (["clean", "nowhere"], "there is no run nowhere"),
    ],
)
def test_mistakes_get_one_line_and_status_2(repository: Path, call: Call, words: list[str], told: str) -> None:
    status, said = call(*words)
    assert status == 2 and told in said
    assert len(said.strip().splitlines()) == 1 and said.startswith("skygit: ")


def test_outside_a_repository_one_line_says_so(tmp_path: Path, call: Call, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, said = call("evolve")
    assert status == 2 and len(said.strip().splitlines()) == 1


def test_the_same_seed_gives_the_same_commits(evolved: Path, call: Call) -> None:
    ids = git(evolved, "rev-list", "skygit/run-1/best")
    call("clean", "--yes")
    assert call("evolve")[0] == 0
    assert git(evolved, "rev-list", "skygit/run-1/best") == ids
