"""The errors skygit raises on purpose.

    SkygitError
    ├── UserError            a mistake the user can mend: one line, exit status 2
    │   ├── ConfigError      a set-up file: file, line, what would be right
    │   └── RepositoryError  the repository is not what the command needs
    ├── Conflict             another writer moved a ref: nothing was written
    ├── DiskFull             below the reserve: nothing more is bought
    └── Outage               no model answers: the run pauses and continues later
        └── Denied           a model refuses us for good (key, name): waiting is useless

An outcome of the search (a reply that does not apply, a crash of a candidate) is not an
error: it is an event. Everything else that is raised is a bug and shows a traceback.
"""


class SkygitError(Exception):
    """The root of all errors raised on purpose."""


class UserError(SkygitError):
    """What is wrong, where, and what would be right, in one line."""


class ConfigError(UserError):
    """A set-up file says something skygit cannot obey."""


class RepositoryError(UserError):
    """The git repository is missing something the command needs."""


class Conflict(SkygitError):
    """A compare-and-swap lost: someone else moved the ref."""


class DiskFull(SkygitError):
    """Too little free space to keep what a model would be paid for."""


class Outage(SkygitError):
    """No model answers now; the same request may succeed later."""


class Denied(Outage):
    """A model refuses for good: wrong key, unknown name, no money."""
