"""The corpus of replies: every case, outcome, bytes and reason word; once in process, once through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from skygit.domain.draft import Refusal
from skygit.domain.scope import Scope
from skygit.edits.reply import apply_reply

CORPUS = Path(__file__).parents[1] / "corpus"
CASES = sorted((CORPUS / "dev").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, tree, syntax):
    expect = json.loads((case / "expect.json").read_text(encoding="utf-8"))
    scope = msgspec.json.decode((case / "policy.json").read_bytes(), type=Scope)
    before = _files(case / "before")
    links = expect.get("setup", {}).get("symlinks", {})
    there = tree(before | links, dict.fromkeys(links, "120000"))
    result = apply_reply((case / "reply.txt").read_bytes(), there, scope, syntax)
    if isinstance(result, Refusal):
        words = [expect.get("reason"), *expect.get("reason_any", [])]
        assert expect["outcome"] == "reject" and result.word in words, result
        assert result.message
        return
    after = before | {change.path: change.content for change in result.changes}
    assert expect["outcome"] == "apply"
    assert {path: data for path, data in after.items() if data is not None} in _accepted(case)


def _files(root: Path) -> dict[str, bytes]:
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def _accepted(case: Path) -> list[dict[str, bytes]]:
    return [_files(case / name) for name in ("after", "after_alt") if (case / name).is_dir()]


def test_the_corpus_is_whole():
    assert len(CASES) == 221


@pytest.mark.slow
def test_through_the_command_line(tmp_path):
    report = tmp_path / "report.json"
    command = (
        f"{sys.executable} -c 'import sys; from skygit.cli import main; sys.exit(main(sys.argv[1:]))' "
        "apply {reply_file} --directory {before_dir} --scope {policy_file}"
    )
    argv = [
        sys.executable,
        CORPUS / "check.py",
        "--strict",
        "--quiet",
        "--jobs",
        "2",
        "--json",
        report,
        "--cmd",
        command,
    ]
    done = subprocess.run(argv, capture_output=True, text=True)
    summary = json.loads(report.read_text(encoding="utf-8"))["summary"]
    assert summary["harmful"] == 0
    assert summary["all"]["passed"] == summary["all"]["total"], done.stdout
