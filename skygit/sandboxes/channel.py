"""The result channel: a pipe on which exactly one line with the right nonce counts."""

import secrets

VARIABLE = "SKYGIT_RESULT"
FD = 3


def open_nonce() -> str:
    """A word nobody can guess."""
    return secrets.token_hex(16)


def variable(nonce: str, fd: int = FD) -> dict[str, str]:
    """What tells the program where and how to report."""
    return {VARIABLE: f"{fd}:{nonce}"}


def verdict(nonce: str, received: bytes) -> tuple[str, str]:
    """The JSON text that counts and "", or "" and the fault."""
    lines = [line for line in received.decode("utf-8", "replace").splitlines() if line.strip()]
    own = [
        text
        for word, _, text in (line.partition(" ") for line in lines)
        if secrets.compare_digest(word.encode(), nonce.encode())
    ]
    if len(own) == 1 and len(lines) == 1:
        return own[0], ""
    if not lines:
        return "", "no result was reported"
    if len(own) < len(lines):
        return "", "the result channel was written to without its nonce"
    return "", f"{len(own)} results were reported"
