"""What a repository says of itself, read from paths and texts alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from skygit.config.globs import fault, files, idle, literal
from skygit.config.measure import Measure, measure
from skygit.config.survey import Survey, survey

MARKED = "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"


def look(files: dict[str, str], package: str = "") -> Survey:
    return survey(sorted(files), lambda path: files[path].encode(), package)


@pytest.mark.parametrize(
    ("files", "tests"),
    [
        ({"tests/test_a.py": "import pytest\n"}, ("python -m pytest -q",)),
        ({"tests/test_a.py": "def test(): pass\n"}, ("python -m pytest -q",)),
        ({"tests/test_a.py": "import unittest\n"}, ("python -m unittest discover -s tests -t .",)),
        ({"test_a.py": "import unittest\n"}, ("python -m unittest discover",)),
        ({"a_test.py": "import unittest\n"}, ("python -m unittest discover -p '*_test.py'",)),
        (
            {"tests/test_a.py": "import unittest\n", "pyproject.toml": "[tool.pytest.ini_options]\n"},
            ("python -m pytest -q",),
        ),
        ({"package.json": '{"scripts": {"test": "mocha"}}'}, ("npm test",)),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, ()),
        ({"package.json": "{"}, ()),
        ({"package.json": '{"scripts": []}'}, ()),
        ({"Cargo.toml": ""}, ("cargo test",)),
        ({"go.mod": ""}, ("go test ./...",)),
        ({"Makefile": "CC := gcc\nall: x\ntest:\n\t./run\n"}, ("make test",)),
        ({"Makefile": "check: all\n\t./run\n"}, ("make check",)),
        ({"main.c": ""}, ()),
    ],
)
def test_the_way_to_test_is_seen_in_the_files(files: dict[str, str], tests: tuple[str, ...]) -> None:
    assert look(files).tests == tests


@pytest.mark.parametrize(
    ("files", "benchmarks"),
    [
        ({"bench/eval.py": ""}, ("python bench/eval.py",)),
        ({"benchmark_sort.py": ""}, ("python benchmark_sort.py",)),
        ({"bench/__init__.py": "", "bench/conftest.py": ""}, ()),
        ({"bench/my file.py": ""}, ()),
        ({"Makefile": "bench-all:\n\t./b\n"}, ("make bench-all",)),
        ({"package.json": '{"scripts": {"bench": "node b.js", "build": "x"}}'}, ("npm run bench",)),
        ({"Cargo.toml": "", "benches/a.rs": ""}, ("cargo bench",)),
        ({"go.mod": "", "a_test.go": "func BenchmarkX(b *testing.B) {}"}, ("go test -run '^$' -bench . ./...",)),
    ],
)
def test_likely_benchmarks_are_seen(files: dict[str, str], benchmarks: tuple[str, ...]) -> None:
    assert look(files).benchmarks == benchmarks


def test_languages_come_most_frequent_first() -> None:
    assert look({"a.c": "", "b.c": "", "c.py": "", "README.md": ""}).languages == ("C", "Python")


def test_marked_files_are_what_may_change() -> None:
    found = look({"solve.py": MARKED, "run.py": "", "evaluator.py": "def evaluate(p):\n    return 1\n"})
    assert (found.marked, found.evolvable) == (("solve.py",), ("/solve.py",))
    assert found.evaluators == ("evaluator.py",)
    assert "/evaluator.py" in found.protected


@pytest.mark.parametrize("text", ['x = "# EVOLVE-BLOCK-START"\n', "text = 'EVOLVE-BLOCK-START'\n"])
def test_a_marker_in_a_string_marks_nothing(text: str) -> None:
    assert look({"a.py": text}).marked == ()


def test_without_marks_the_sources_of_the_main_language_may_change_and_tests_may_not() -> None:
    found = look(
        {
            "src/a/b.py": "",
            "src/c.py": "",
            "top.py": "",
            "setup.py": "",
            "web/x.js": "",
            "tests/test_a.py": "",
            "src/a/tests/test_b.py": "",
            "docs/conf.py": "",
        }
    )
    assert found.evolvable == ("src/**/*.py", "/top.py")
    assert found.protected == ("src/a/tests/**", "tests/**")


def test_a_package_in_a_subfolder_is_seen_alone() -> None:
    files = {
        "libs/one/src/a.py": "",
        "libs/one/tests/test_a.py": "import pytest\n",
        "libs/one/bench/b.py": "",
        "libs/two/main.go": "",
        "Makefile": "test:\n",
    }
    found = look(files, "libs/one")
    assert found.languages == ("Python",)
    assert found.tests == ("cd libs/one && python -m pytest -q",)
    assert found.benchmarks == ("cd libs/one && python bench/b.py",)
    assert found.evolvable == ("libs/one/src/**/*.py",)


def test_folders_with_odd_names_are_quoted() -> None:
    found = look({"my pkg's/go.mod": ""}, "my pkg's")
    assert found.tests == ("cd 'my pkg'\\''s' && go test ./...",)


@pytest.mark.parametrize(
    ("words", "script", "expected"),
    [
        ("evaluator.py", "def evaluate(program_path):\n    return 1\n", Measure(python="evaluator.py")),
        (
            "bench.py",
            "print('METRIC ops_total=3')",
            Measure(command="python bench.py", source="metric", key="ops_total", direction="min"),
        ),
        (
            "python bench.py --fast",
            "print(json.dumps({'score': 1}))",
            Measure(command="python bench.py --fast", source="json", key="score", direction="max"),
        ),
        (
            "node bench.py",
            "console.log(JSON.stringify({seconds: 3}))",
            Measure(command="node bench.py", source="json", key="seconds", direction="min"),
        ),
        ("bench.py", "x = 1", Measure(command="python bench.py", source="wall", direction="min")),
        ("make bench", "", Measure(command="make bench", source="wall", direction="min")),
    ],
)
def test_how_a_score_is_read_follows_from_the_script(words: str, script: str, expected: Measure) -> None:
    assert measure(words, lambda path: script.encode() if path in {"bench.py", "evaluator.py"} else None) == expected


def test_a_script_is_looked_up_in_the_folder_the_command_enters() -> None:
    texts = {"libs/one/b.py": b"print('METRIC x=1')"}
    assert measure("cd libs/one && python b.py", texts.get).source == "metric"


NAMES = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1).filter(
    lambda name: "/" not in name and name not in {".", ".."}
)


@given(st.lists(NAMES, min_size=1, max_size=3), st.lists(NAMES, min_size=1, max_size=3))
def test_a_literal_glob_matches_its_path_and_no_other(parts: list[str], others: list[str]) -> None:
    path, other = "/".join(parts), "/".join(others)
    spec = GitIgnoreSpec.from_lines([literal(path)])
    assert fault(literal(path)) == ""
    assert spec.match_file(path)
    if other != path and not other.startswith(path + "/"):
        assert not spec.match_file(other)
    assert not spec.match_file("deeper/" + path)


def test_globs_that_match_nothing_are_told() -> None:
    assert idle(["src/**", "lib/**"], ["src/a.py"]) == ["lib/**"]


def test_files_by_globs_are_those_of_gitignore_without_gits_own_and_keys(tmp_path: Path) -> None:
    for name in ("data/x.bin", "data/deep/y.bin", "z.bin", ".env", ".git/config", "data/.env.local"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    data = ["data/deep/y.bin", "data/x.bin"]
    for glob in ("data/", "data/**", "/data", "data"):
        assert sorted(files([glob], tmp_path)) == data, glob
    assert sorted(files(["*.bin"], tmp_path)) == [*data, "z.bin"]
    assert sorted(files(["**"], tmp_path)) == [*data, "z.bin"]
    assert list(files(["/.env"], tmp_path)) == [".env"]
    assert list(files([], tmp_path)) == []
