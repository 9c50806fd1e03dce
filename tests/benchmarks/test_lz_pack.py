"""The compressor's measure; needs make and a C compiler."""

import shutil

import pytest

from benchmarks.c_multi.lz_pack.seed import evaluator
from benchmarks.c_multi.lz_pack.seed.evaluator import HERE, Refused, check, evaluate

compiled = pytest.mark.skipif(not (shutil.which("make") and shutil.which("cc")), reason="no C compiler or no make here")

HASH = ("chains.c", "value = value + text[i]", "value = value * 33 + text[i]")
BITS = ("config.h", "LZ_HASH_BITS 9", "LZ_HASH_BITS 13")


def edited(folder, *edits):
    shutil.copytree(HERE / "src", folder / "src")
    for file, old, new in edits:
        path = folder / "src" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
    return evaluate(str(folder))


@compiled
def test_the_seed_repeats_and_two_files_give_more_than_either(tmp_path):
    base, again = evaluate(str(HERE)), evaluate(str(HERE))
    assert base == again
    assert base["metrics"]["bits_per_byte"] == pytest.approx(5.028)
    one = edited(tmp_path / "1", HASH)["combined_score"]
    other = edited(tmp_path / "2", BITS)["combined_score"]
    both = edited(tmp_path / "3", HASH, BITS)["combined_score"]
    assert both < one < base["combined_score"]
    assert both < other


@compiled
@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (("unpack.c", "out[made - distance]", "out[made - 1]"), "make test failed"),
        (("pack.c", "at += match.length;", "at += match.length + 1;"), "make test failed"),
        (("match.c", "length++;", "length++"), "make test failed"),
        (("pack.c", "return written;\n}\n", "return written;\n}\nvoid __sanitizer_cov_trace_pc(void) {}\n"), "not for"),
        (("pack.c", "return size + size / 4 + 64;", "return 0;"), "make test failed"),
    ],
)
def test_errors_are_refused(tmp_path, edit, reason):
    assert reason in edited(tmp_path, edit)["error"]


@compiled
def test_a_missing_file_is_refused(tmp_path):
    (tmp_path / "src").mkdir()
    assert "missing" in evaluate(str(tmp_path))["error"]


def test_without_a_compiler_it_says_so(monkeypatch):
    monkeypatch.setattr(evaluator.shutil, "which", lambda name: None)
    assert evaluate(str(HERE)) == {"error": "make is not installed"}


@pytest.mark.parametrize(
    "line",
    [
        "#include <stdio.h>",
        '#include "/etc/passwd"',
        '#include "../../x.h"',
        "# include <unistd.h>",
        'int x = system("true");',
        "extern unsigned long blocks;",
        'asm("nop");',
        "__attribute__((no_sanitize_coverage))",
        "#pragma GCC optimize",
        "sys##tem",
        "void meter_start(void);",
        "int f = fo\\\npen;",
        "#define I <stdio.h>\n#include I",
    ],
)
def test_reaching_out_is_refused(line):
    with pytest.raises(Refused):
        check("match.c", line)


def test_the_seed_reaches_for_nothing():
    for name in evaluator.EVOLVABLE:
        check(name, (HERE / "src" / name).read_text())


def test_texts_are_drawn_from_their_seed():
    assert evaluator.texts(5) == evaluator.texts(5) != evaluator.texts(6)
    assert [len(text) for text in evaluator.texts(5)] == [evaluator.SIZE] * 3
