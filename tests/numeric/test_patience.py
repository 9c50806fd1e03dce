"""What a long wait is."""

from skygit.numeric.patience import Waits


def after(*gains: bool) -> Waits:
    waits = Waits()
    for gained in gains:
        waits = waits.closed(gained=gained)
    return waits


def test_without_any_gain_every_wait_is_long() -> None:
    assert after().longer(5)
    assert after(False, False).longer(5)


def test_the_usual_wait_follows_the_gaps() -> None:
    assert after(False, False, False, True).usual == 4
    assert after(False, True, True).usual == 0.8 * 2 + 0.2 * 1
    waits = after(False, True)
    for step in range(12):
        assert waits.longer(5) == (step >= 10)
        waits = waits.closed(gained=False)
