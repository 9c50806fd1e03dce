"""What may change, and what never may."""

from skygit.domain.value import Value


class Scope(Value, frozen=True, kw_only=True):
    """The `scope` section: globs (gitignore style, `**` included) and limits of one edit.

    `protected` wins over everything. Files with EVOLVE-BLOCK markers change only inside
    their blocks; that is enforced where edits are judged, not here.
    """

    evolvable: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    new_files: tuple[str, ...] = ()
    allow_delete: bool = False
    allow_rename: bool = False
    allow_mode_change: bool = False
    max_files: int = 20
    max_change_bytes: int = 65536
