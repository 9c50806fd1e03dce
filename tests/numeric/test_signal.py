"""The signal, its scale and the intensity."""

from math import inf

import pytest

from skygit.numeric.signal import Gauge, accumulate, improvement, intensity, odds, relative, rescale


def test_the_equations_by_hand() -> None:
    assert improvement(110.0, 100.0, 0.0) == pytest.approx(0.1)
    assert improvement(90.0, 100.0, 0.0) == 0.0
    assert improvement(-5.0, -10.0, 0.0) == 0.5
    assert improvement(1.0, 0.0, 1e-8) == pytest.approx(1e8)
    assert accumulate(0.5, 0.2, 0.9) == pytest.approx(0.454)
    assert intensity(0.0, 0.1, 0.7, 0.0) == pytest.approx(0.7)
    assert intensity(1.0, 0.1, 0.7, 0.0) == pytest.approx(0.4)
    assert intensity(9.0, 0.1, 0.7, 0.0) == pytest.approx(0.25)


def test_a_share_as_odds_makes_the_intensity_fall_with_its_root() -> None:
    assert odds(0.0) == 0.0
    assert odds(1.0) == inf
    for share in (0.01, 0.25, 0.81):
        assert intensity(odds(share), 0.1, 0.7, 0.0) == pytest.approx(0.1 + 0.6 * (1 - share**0.5))
    assert intensity(inf, 0.1, 0.7, 1e-8) == 0.1


def test_the_scale_is_a_maximum_that_fades_by_the_round() -> None:
    assert rescale(1.0, [0.5, 2.0], 0.99) == 2.0
    assert rescale(rescale(1.0, [0.0, 0.0], 0.81), [0.0, 0.0], 0.81) == pytest.approx(0.81)
    assert relative(0.0, 0.0) == 0.0
    assert relative(1.0, 4.0) == 0.25


def test_a_leap_counts_as_a_doubling_when_scaled() -> None:
    kinds = {
        scaled: Gauge(rho=0.9, low=0.1, high=0.7, epsilon=1e-8, scaled=scaled, decay=0.99).stepped(0.0, 1e8)
        for scaled in (True, False)
    }
    assert kinds[True] == pytest.approx(0.1)
    assert kinds[False] == pytest.approx(1e15)
