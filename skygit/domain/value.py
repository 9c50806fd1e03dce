"""The root of all values: frozen, slotted, compared by content, checked when decoded."""

import msgspec


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A frozen record. Subclasses repeat `frozen` and `kw_only`: type checkers do not inherit them."""
