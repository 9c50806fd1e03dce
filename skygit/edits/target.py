"""What each section of a reply is meant to do: its paths resolved, checked, and permitted."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from skygit.domain.scope import Scope
from skygit.edits.neutral import NOWHERE, Section
from skygit.edits.paths import LINK, MODULE, check_links, clean
from skygit.edits.permits import creatable, editable, protected
from skygit.edits.refusals import refuse
from skygit.ports import Tree

Deed = Literal["modify", "edit", "create", "delete", "rename"]
"""What becomes of a file; "edit" is of one that the same reply made."""
_PAIRS = frozenset({("a", "b"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("old", "new"), ("1", "2")})
_BACKUPS = (".orig", ".old", ".bak")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One section with its deed. `path` is the file that is there, or will be; `to` where it moves."""

    deed: Deed
    path: str
    section: Section
    to: str = ""


def targets(sections: Sequence[Section], tree: Tree, scope: Scope) -> list[Target]:
    """The deeds of a reply. All paths are checked for safety before any for permission."""
    named = [_named(section, tree, scope) for section in sections]
    for section in named:
        _safe(section)
    for section in named:
        for path in _mentioned(section):
            check_links(path, tree)
    for section in named:
        _allowed_kind(section, scope)
    known = _Known(tree)
    found = [known.noted(_target(section, known, scope)) for section in named]
    for target in found:
        _permitted(target, tree, scope)
    return found


class _Known:
    """A tree together with the files that sections before made; `fresh` are those."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.fresh: set[str] = set()

    def noted(self, target: Target) -> Target:
        self.fresh |= {path for path in (target.to, target.path if target.deed == "create" else "") if path}
        return target

    def paths(self) -> Collection[str]:
        return self.tree.paths()

    def mode(self, path: str) -> str | None:
        return "100644" if path in self.fresh else self.tree.mode(path)

    def read(self, path: str) -> bytes:
        return self.tree.read(path)


def _named(section: Section, tree: Tree, scope: Scope) -> Section:
    """Without a path, the one file that may change is meant."""
    if section.old is not None or section.new is not None or section.carrier == "listing":
        return section
    able = [path for path in tree.paths() if editable(scope, path) and tree.mode(path) not in (LINK, MODULE)]
    if len(able) != 1:
        refuse("ambiguous", f"the edit names no file, and {len(able)} files may change")
    return replace(section, old=able[0], new=able[0])


def _safe(section: Section) -> None:
    for path in (section.old, section.new, *section.mentions):
        if path is not None and path != NOWHERE:
            clean(path)
    for path in (*_readings(section), *_headline(section)):
        clean(path)


def _headline(section: Section) -> list[str]:
    """The files that the line above the headers names."""
    if len(section.headline) != 2:
        return []
    return [path for path in _stripped(*section.headline) if not path.endswith(NOWHERE)]


def _mentioned(section: Section) -> set[str]:
    """Every path a section speaks of, in the readings that count."""
    plain = {clean(path) for path in section.mentions}
    return plain | {clean(path) for path in _readings(section)}


def _readings(section: Section) -> list[str]:
    """The paths of both ends with their prefixes taken off as a pair."""
    ends = _stripped(section.old or "", section.new or "")
    return [path for path in ends if path and path != NOWHERE]


def _stripped(old: str, new: str) -> tuple[str, str]:
    left, right = old.partition("/")[0], new.partition("/")[0]
    if (old == NOWHERE and new.startswith("b/")) or (new == NOWHERE and old.startswith("a/")):
        return (old if old == NOWHERE else old[2:]), (new if new == NOWHERE else new[2:])
    if "/" in old and "/" in new and (left, right) in _PAIRS:
        return old[len(left) + 1 :], new[len(right) + 1 :]
    return old, new


def _allowed_kind(section: Section, scope: Scope) -> None:
    path = section.new or section.old or ""
    if section.binary:
        refuse("binary", f"{path}: binary changes cannot be made", path)
    if LINK in section.modes:
        refuse("symlink-escape", f"{path}: symbolic links cannot be made", path)
    if MODULE in section.modes:
        refuse("mode-change", f"{path}: submodules cannot be made", path)
    if section.modes and not scope.allow_mode_change and not _plain_mode(section):
        refuse("mode-change", f"{path}: file modes may not change in this run", path)
    if section.copies:
        refuse("malformed", f"{path}: copies are not understood; send the new file in full", path)


def _plain_mode(section: Section) -> bool:
    """Whether the only mode named is the usual one of a file that comes or goes."""
    return section.deletes or (section.creates and set(section.modes) == {"100644"})


def _target(section: Section, tree: _Known, scope: Scope) -> Target:
    if section.carrier == "listing" and section.old is None:
        return Target(deed="modify", path="", section=section)
    old, new = _resolved(section, tree)
    _agreed(section, {old, new}, tree, scope)
    if old == NOWHERE and new == NOWHERE:
        refuse("malformed", "a section names /dev/null on both sides")
    if old == NOWHERE:
        return Target(deed="create", path=new, section=section)
    if new == NOWHERE or (section.deletes and old == new):
        return Target(deed="delete", path=_existing(old, tree, scope), section=section)
    if old == new:
        return _modified(section, old, tree, scope)
    return _moved(section, old, new, tree, scope)


def _agreed(section: Section, ends: set[str], tree: _Known, scope: Scope) -> None:
    """Refuse when the line above the headers names a file that they do not."""
    for path in map(clean, _headline(section)):
        if path in ends or section.renames:
            continue
        if protected(scope, path):
            refuse("protected-path", f"{path} is protected", path)
        if tree.mode(path) is not None:
            refuse("malformed", f"the headers name different files: {path} and {', '.join(sorted(ends))}", path)


def _resolved(section: Section, tree: Tree) -> tuple[str, str]:
    """Both ends cleaned. A pair of prefixes is a pair of folders only where such files exist."""
    old, new = section.old or "", section.new or ""
    if section.renames and section.mentions:
        return clean(section.mentions[0]), clean(section.mentions[-1])
    if section.carrier == "unified" and old == new:
        old = new = _one_header(old, tree)
    left, right = _stripped(old, new)
    if left not in (old, right) and NOWHERE not in (left, right):
        left, right = _one_sided(old, new, left, right, tree)
    return _cleaned(left), _cleaned(right)


def _one_header(path: str, tree: Tree) -> str:
    """A lone prefix counts as one unless something of that name is there."""
    if path[:2] not in ("a/", "b/") or tree.mode(clean(path)) is not None:
        return path
    plain = path[2:]
    return plain if tree.mode(clean(plain)) is not None or tree.mode(path[0]) is None else path


def _one_sided(old: str, new: str, left: str, right: str, tree: Tree) -> tuple[str, str]:
    """When the stripped ends differ, the ends as written may be the two real names of a move."""
    literal = tree.mode(clean(old)) is not None and tree.mode(clean(left)) is None
    return (old, new) if literal else (left, right)


def _cleaned(path: str) -> str:
    return path if path == NOWHERE else clean(path)


def _modified(section: Section, path: str, tree: _Known, scope: Scope) -> Target:
    if tree.tree.mode(path) is None and _fresh(section):
        return Target(deed="create", path=path, section=section)
    if path in tree.fresh:
        return Target(deed="edit", path=path, section=section)
    if section.creates and tree.mode(path) is not None and section.carrier != "blocks":
        return Target(deed="create", path=path, section=section)
    return Target(deed="modify", path=_existing(path, tree, scope), section=section)


def _fresh(section: Section) -> bool:
    """Whether a section can be the whole text of a new file: it has lines, and no old ones."""
    if section.listing is not None:
        return True
    placed = any(hunk.old or hunk.anchors or hunk.at_end for hunk in section.hunks)
    return any(hunk.rows for hunk in section.hunks) and not placed


def _existing(path: str, tree: Tree, scope: Scope) -> str:
    """The file meant: itself, or the only one that may change whose path ends so."""
    if tree.mode(path) is not None or protected(scope, path):
        return path
    like = [one for one in tree.paths() if one.endswith("/" + path) and editable(scope, one)]
    if len(like) > 1:
        refuse("ambiguous", f"{path} is not there, and {len(like)} files end so: {', '.join(sorted(like)[:5])}", path)
    if not like:
        refuse("no-match", f"{path} is not there", path)
    check_links(like[0], tree)
    return like[0]


def _moved(section: Section, old: str, new: str, tree: _Known, scope: Scope) -> Target:
    if section.renames:
        return Target(deed="rename", path=_existing(old, tree, scope), to=new, section=section)
    if any(old == new + backup for backup in _BACKUPS) and tree.mode(old) is None:
        return _modified(section, new, tree, scope)
    if old.endswith("/" + new) or new.endswith("/" + old):
        here = [path for path in (old, new) if tree.mode(path) is not None]
        if len(here) == 1:
            return _modified(section, here[0], tree, scope)
    for path in (old, new):
        if protected(scope, path):
            refuse("protected-path", f"{path} is protected", path)
    refuse("malformed", f"the headers name different files: {old} and {new}", new)


def _permitted(target: Target, tree: Tree, scope: Scope) -> None:
    """Refuse what the scope does not allow."""
    for path in (target.path, target.to):
        if path and protected(scope, path):
            refuse("protected-path", f"{path} is protected", path)
    if target.deed == "delete" and not scope.allow_delete:
        refuse("protected-path", f"{target.path}: files may not be deleted in this run", target.path)
    if target.deed == "rename" and not scope.allow_rename:
        refuse("protected-path", f"{target.path}: files may not be renamed in this run", target.path)
    _within(target, tree, scope)


def _within(target: Target, tree: Tree, scope: Scope) -> None:
    fresh = target.to or (target.path if target.deed == "create" else "")
    if fresh and tree.mode(fresh) is not None:
        refuse("exists", f"{fresh} is there already", fresh)
    if fresh and not creatable(scope, fresh):
        refuse("protected-path", f"{fresh}: files may not be created here", fresh)
    if target.deed not in ("create", "edit") and target.path and not editable(scope, target.path):
        refuse("protected-path", f"{target.path} may not change in this run", target.path)
