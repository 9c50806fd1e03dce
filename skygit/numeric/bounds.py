"""Options that must lie in a range."""


def between(name: str, value: float | None, low: float, high: float) -> None:
    """Raises ValueError, in one line, when the option is outside; None means it was left out."""
    if value is not None and not low <= value <= high:
        raise ValueError(f"{name} is {value}; it must be from {low:g} to {high:g}")


def ordered(lesser: str, low: float, greater: str, high: float) -> None:
    """Raises ValueError, in one line, when the first option is above the second."""
    if low > high:
        raise ValueError(f"{lesser} is {low}, above {greater}; it must be at most {high}")
