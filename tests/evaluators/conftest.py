"""Asserts in the contract say what they compared."""

import pytest

pytest.register_assert_rewrite("skygit.testing.evaluators")
