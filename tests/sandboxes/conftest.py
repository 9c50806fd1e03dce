"""Asserts in the contracts say what they compared."""

import pytest

pytest.register_assert_rewrite("skygit.testing.sandboxes", "skygit.testing.containment")
