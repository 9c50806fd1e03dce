"""Templates: all built-in ones are right; a user's are checked by name and by placeholder."""

import pytest

from skygit.errors import ConfigError
from skygit.prompts.templates import PLACEHOLDERS, Templates, check_templates


def test_the_built_in_templates_are_right():
    check_templates()


@pytest.mark.parametrize("name", sorted(PLACEHOLDERS))
def test_every_placeholder_is_used(name):
    values = {key: f"<{key}>" for key in PLACEHOLDERS[name]}
    text = Templates().fill(name, values)
    assert all(value in text for value in values.values())


def test_one_template_is_overridden_and_the_others_stay(tmp_path):
    (tmp_path / "role.md").write_text("You are terse.\n")
    own = Templates(folder=str(tmp_path))
    assert own.fill("role", {}) == "You are terse."
    assert own.fill("breadth_focused", {}) == Templates().fill("breadth_focused", {})
    check_templates(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fine\n\nSee $refusl here", r"repair\.md:3: unknown placeholder \$refusl; did you mean \$refusal\?"),
        ("${files}", r"repair\.md:1: unknown placeholder \$files; there are: refusal"),
        ("one\ncosts $5", r"repair\.md:2: a \$ that names no placeholder; write \$\$"),
    ],
)
def test_a_wrong_placeholder_is_an_error_with_file_line_and_suggestion(tmp_path, text, words):
    (tmp_path / "repair.md").write_text(text)
    with pytest.raises(ConfigError, match=words):
        check_templates(str(tmp_path))
    with pytest.raises(ConfigError, match=words):
        Templates(folder=str(tmp_path)).fill("repair", {"refusal": "x"})


def test_a_misspelt_file_and_a_missing_folder(tmp_path):
    (tmp_path / "propsal.md").write_text("x")
    with pytest.raises(ConfigError, match=r"did you mean proposal\.md\?"):
        check_templates(str(tmp_path))
    with pytest.raises(ConfigError, match="there is no folder"):
        check_templates(str(tmp_path / "no"))


def test_a_template_that_is_not_utf8(tmp_path):
    (tmp_path / "role.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        check_templates(str(tmp_path))


def test_values_are_not_read_as_templates():
    assert "$files" in Templates().fill("repair", {"refusal": "costs $5 and $files"})


def test_an_empty_value_leaves_no_gap():
    text = Templates().fill("system", {"role": "R", "problem": "P", "measure": "", "scope": "S", "format": "F"})
    assert "P\n\n# What may change" in text
