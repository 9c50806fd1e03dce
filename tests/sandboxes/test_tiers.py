"""Every tier keeps the laws of sandboxes."""

from skygit.ports import Sandbox
from skygit.sandboxes.bare import Bare
from skygit.sandboxes.hygiene import Hygiene
from skygit.testing.containment import ContainmentContract
from skygit.testing.sandboxes import SandboxContract


class TestBare(SandboxContract):
    def make(self) -> Sandbox:
        return Bare()


class TestHygiene(ContainmentContract):
    def make(self) -> Sandbox:
        return Hygiene()
