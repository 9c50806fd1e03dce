"""A `scope` section in a file of its own, JSON or YAML."""

from pathlib import Path

from skygit.config import checks
from skygit.config.document import read
from skygit.config.reading import convert
from skygit.domain.scope import Scope
from skygit.errors import ConfigError


def read_scope(path: Path) -> Scope:
    """The scope a file describes. Raises ConfigError with file, line and a suggestion."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the scope file {path} cannot be read: {error}") from error
    document = read(text, str(path))
    scope = convert(document, (), document.data if document.data is not None else {}, Scope)
    for complaint in checks.scope(scope):
        raise document.error(complaint.path[1:], complaint.message)
    return scope
