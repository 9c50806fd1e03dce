"""The query engine's measure: exact, honest, and better by parts."""

import shutil

import pytest

from benchmarks.python_multi.query_engine.seed import evaluator
from benchmarks.python_multi.query_engine.seed.evaluator import HERE, evaluate

STORAGE = ("storage.py", "verify=True", "verify=False")
EXECUTOR = ("executor.py", "verify=True", "verify=False")
INDEX = ("planner.py", "INDEX_FROM = 1024", "INDEX_FROM = 16")
CACHE = ("engine.py", "CACHE_SIZE = 1", "CACHE_SIZE = 16")


def edited(folder, *edits):
    """The result for the seed with these (file, old, new) replaced."""
    shutil.copytree(HERE / "rowquery", folder / "rowquery", dirs_exist_ok=True)
    for file, old, new in edits:
        path = folder / "rowquery" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    return evaluate(str(folder))


@pytest.fixture(scope="module")
def base():
    return evaluate(str(HERE))


def saved(base, found):
    assert "error" not in found, found
    return 1 - found["combined_score"] / base["combined_score"]


def test_the_count_repeats(base, tmp_path):
    assert edited(tmp_path) == base
    assert 500_000 < base["combined_score"] < 900_000


def test_single_edits_give_part_and_several_files_the_whole(base, tmp_path):
    one = saved(base, edited(tmp_path / "1", STORAGE))
    other = saved(base, edited(tmp_path / "2", EXECUTOR))
    both = saved(base, edited(tmp_path / "3", STORAGE, EXECUTOR))
    more = saved(base, edited(tmp_path / "4", STORAGE, EXECUTOR, INDEX, CACHE))
    assert 0.15 < min(one, other) < max(one, other) < 0.3
    assert both > 0.4
    assert more > 0.55


def test_other_data_are_held_out(base, monkeypatch):
    monkeypatch.setenv("SKYGIT_SPLIT", "holdout")
    held_out = evaluate(str(HERE))["combined_score"]
    assert held_out != base["combined_score"]
    assert held_out == pytest.approx(base["combined_score"], rel=0.1)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (("values.py", "return order == 0", "return order != 0"), "tests failed"),
        (("executor.py", "self.guard()", "pass"), "tests failed"),
        (("values.py", "check(value, kind, column):", "check(value, kind, column):\n    return"), "tests failed"),
        (("engine.py", "def query", "raise SystemExit(0)\n    def query"), "tests failed"),
        (("engine.py", "class Engine", 'print("tests passed")\nraise SystemExit(0)\nclass Engine'), "tests failed"),
        (("values.py", "KINDS =", "import sys\nKINDS ="), "sys is not for"),
        (("values.py", "KINDS =", "from collections import _sys\nKINDS ="), "_sys is not for"),
        (("values.py", "KINDS =", "import enum\nenum.sys.settrace(None)\nKINDS ="), "sys is not for"),
        (("values.py", "KINDS =", "import re\nre.enum\nKINDS ="), "enum is not for"),
        (("values.py", "KINDS =", "eval('1')\nKINDS ="), "eval is not for"),
        (("values.py", "KINDS =", "().__class__.__subclasses__()\nKINDS ="), "__class__ is not for"),
        (("values.py", "KINDS =", "open('/etc/passwd')\nKINDS ="), "open is not for"),
        (("values.py", "KINDS =", "KINDS = ("), "does not parse"),
    ],
)
def test_cheats_and_errors_are_refused(tmp_path, edit, reason):
    found = edited(tmp_path, edit)
    assert list(found) == ["error"]
    assert reason in found["error"]


def learnt(seed):
    """A table of the answers to the known questions, as source."""
    data = evaluator.workload.build(seed)
    texts = [evaluator.workload.text(question) for question in data["questions"]]
    return repr(dict(zip(texts, evaluator.workload.expected(data), strict=True)))


def test_answers_learnt_by_heart_are_refused(tmp_path):
    table = ("engine.py", "class Engine", f"LEARNT = {learnt(evaluator.SEEDS['train'])}\n\n\nclass Engine")
    known = '        if len(self.tables.get("goods", ())) == 60 and text in LEARNT:\n            return LEARNT[text]\n'
    found = edited(tmp_path, table, ("engine.py", "        if self.verify:\n", known + "        if self.verify:\n"))
    assert "nobody has seen" in found.get("error", "")


LAZY = """
class Later(dict):
    def items(self):
        return [(str(i), i) for i in range(50_000)]

class Table:
    def __init__(self, name, columns): pass
    def insert(self, row): pass

class Engine:
    def add(self, table): pass
    def query(self, text): return [[Later(a=1)]]
"""


def test_answers_worked_out_when_they_become_text_are_counted():
    data = [evaluator.workload.build(1)]
    assert "given up" in unmeasurable(LAZY, data)


def test_strange_files_are_refused(tmp_path):
    shutil.copytree(HERE / "rowquery", tmp_path / "rowquery")
    (tmp_path / "rowquery" / "native.so").write_bytes(b"")
    assert "only Python source" in evaluate(str(tmp_path))["error"]


def test_a_package_that_never_ends_runs_out_of_fuel(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluator, "FUEL", 100_000)
    assert "given up" in edited(tmp_path)["error"]


def test_the_meter_stops_what_a_computation_does_not_need(tmp_path):
    """The second wall: what the reading of the sources would let through."""
    for body in ("import sys; sys.settrace(None)", "open('/etc/passwd')", "import os; os.system('true')"):
        assert "may not do this" in unmeasurable(body, [])


def unmeasurable(source, data):
    """Why the meter refuses a package, the reading of its source left out."""
    with evaluator.metering.unpacked({"rowquery/__init__.py": f"{source}\n"}) as folder:
        with pytest.raises(evaluator.Refused) as caught:
            evaluator.metering.metered(folder, "rowquery", data, 200_000)
        return str(caught.value)
