"""The texts that models read, as files: found in the checkout and in the wheel, overridable one by one."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from skygit.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = (_PACKAGE / "_templates", _PACKAGE.parent / "templates")

_ADVICE = frozenset({"problem", "evaluator_code", "best_score", "best_program", "failed_approaches", "notes"})
_ENTRIES = frozenset({"entries"})
PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "role": frozenset(),
    "system": frozenset({"role", "problem", "measure", "scope", "format"}),
    "scope": frozenset({"evolvable", "protected", "new_files", "allowances", "max_files", "max_change_bytes"}),
    "format_diff": frozenset(),
    "format_search_replace": frozenset(),
    "format_block": frozenset(),
    "proposal": frozenset(
        {"files", "standing", "artifacts", "partner", "inspirations", "attempts", "tactics", "breadth", "score"}
    ),
    "artifacts": _ENTRIES,
    "partner": _ENTRIES,
    "inspirations": _ENTRIES,
    "attempts": _ENTRIES,
    "tactics": _ENTRIES,
    "breadth_focused": frozenset(),
    "breadth_several": frozenset(),
    "breadth_rewrite": frozenset(),
    "repair": frozenset({"refusal"}),
    "meta_guidance": _ADVICE,
}
"""What each template may name. A topic of a consult that is not here may name its facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """The templates of a run. `folder` holds the user's own; "" has none."""

    folder: str = ""

    def fill(self, name: str, values: Mapping[str, str]) -> str:
        """The template with its placeholders replaced. Raises ConfigError naming file and placeholder."""
        template = _checked(self, name, PLACEHOLDERS.get(name, frozenset(values)))
        given = {**dict.fromkeys(PLACEHOLDERS.get(name, ()), ""), **values}
        text = _without_lines(template.template, [name for name, value in given.items() if not value])
        return Template(text).substitute(given).strip("\n")

    def check(self) -> None:
        """Raises ConfigError for the first template that is missing, misspelt or not known by name."""
        for name, placeholders in PLACEHOLDERS.items():
            _checked(self, name, placeholders)
        self._check_names()

    def load(self, name: str) -> tuple[Path, Template]:
        """The file of a template and what it says; the user's own wins. Raises ConfigError when there is none."""
        own = (Path(self.folder).expanduser(),) if self.folder else ()
        for folder in (*own, *_FOLDERS):
            path = folder / f"{name}.md"
            if path.is_file():
                return path, _read(path)
        raise ConfigError(f"there is no template {name}.md in {' or '.join(map(str, (*own, *_FOLDERS)))}")

    def _check_names(self) -> None:
        """A file of the user's that looks like a template and overrides none is a misspelling."""
        if not self.folder:
            return
        folder = Path(self.folder).expanduser()
        if not folder.is_dir():
            raise ConfigError(f"proposals.templates: there is no folder {folder}")
        for path in sorted(folder.glob("*.md")):
            near = difflib.get_close_matches(path.stem, PLACEHOLDERS, n=1, cutoff=0.75)
            if path.stem not in PLACEHOLDERS and near:
                raise ConfigError(f"{path}: there is no template of that name; did you mean {near[0]}.md?")


def check_templates(folder: str = "") -> None:
    """Raises ConfigError when a template, built in or of the user's folder, cannot be used."""
    Templates(folder=folder).check()


@cache
def _checked(templates: Templates, name: str, allowed: frozenset[str]) -> Template:
    """A template that may be filled. Read once: a run does not change its templates."""
    path, template = templates.load(name)
    _check(path, template, allowed)
    return template


def _read(path: Path) -> Template:
    try:
        return Template(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: a template must be UTF-8 text ({error.reason})") from error


def _check(path: Path, template: Template, allowed: frozenset[str]) -> None:
    if not template.is_valid():
        raise ConfigError(f"{path}:{_lone(template)}: a $ that names no placeholder; write $$ for a dollar sign")
    for name in template.get_identifiers():
        if name not in allowed:
            near = difflib.get_close_matches(name, allowed, n=1)
            right = f"did you mean ${near[0]}?" if near else f"there are: {', '.join(sorted(allowed)) or 'none'}"
            raise ConfigError(f"{path}:{_line(template, name)}: unknown placeholder ${name}; {right}")


def _lone(template: Template) -> int:
    for match in template.pattern.finditer(template.template):
        if match.group("invalid") is not None:
            return template.template.count("\n", 0, match.start()) + 1
    return 1


def _line(template: Template, name: str) -> int:
    for match in template.pattern.finditer(template.template):
        if name in (match.group("named"), match.group("braced")):
            return template.template.count("\n", 0, match.start()) + 1
    return 1


def _without_lines(text: str, empty: Sequence[str]) -> str:
    """Without the paragraphs that hold nothing but a placeholder with an empty value."""
    for name in empty:
        text = re.sub(rf"^\$(?:{name}|\{{{name}\}})[ \t]*\n+", "", text, flags=re.MULTILINE)
    return text
