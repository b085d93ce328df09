"""How long the bot waits for a program, depending on the speed of the machine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, cycle, repeat

import pytest

from sapper.vision.patience import Patience


def _waited(monkeypatch: pytest.MonkeyPatch, seconds: float, looks: Iterable[float]) -> float:
    """Return how long a wait lasts if the looks take these numbers of seconds in turn."""
    now = [0.0]
    monkeypatch.setattr("sapper.vision.patience.monotonic", lambda: now[0])
    patience = Patience(seconds)
    for taken in looks:
        now[0] += taken
        if patience.is_over():
            break
    return now[0]


@pytest.mark.parametrize("look", [1 / 256, 1 / 16, 0.5])
def test_uniform_looks_end_on_time(monkeypatch: pytest.MonkeyPatch, look: float) -> None:
    """The wait takes the same time, however long each look takes."""
    assert _waited(monkeypatch, 2.0, repeat(look)) == 2.0


@pytest.mark.parametrize("first", [0.0, 1e-6])
def test_check_before_the_first_look_has_no_effect(
    monkeypatch: pytest.MonkeyPatch, first: float
) -> None:
    """A check before the first look says nothing about the speed of looks."""
    waited = _waited(monkeypatch, 2.0, chain([first], repeat(1 / 64)))
    assert 2.0 <= waited <= 2.0 + 2 / 64


def test_a_busy_machine_gets_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One look in four is as fast as on an idle machine; the others take eight times as long."""
    waited = _waited(monkeypatch, 2.0, cycle([1 / 64, *[8 / 64] * 3]))
    assert 6 < waited < 6.5


def test_wait_is_extended_at_most_five_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """One look in eight is as fast as on an idle machine; the others take half a second."""
    waited = _waited(monkeypatch, 2.0, cycle([0.5, 1 / 64, *[0.5] * 6]))
    assert 10 <= waited < 10.6


def test_single_interruption_has_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is suspended for five seconds after the second look."""
    waited = _waited(monkeypatch, 2.0, chain([1 / 64, 1 / 64, 5.0], repeat(1 / 64)))
    assert 5.9 < waited < 6.1


def test_pauses_get_longer_but_do_not_count_as_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long wait takes only a few looks and ends on time."""
    now, looks = [0.0], 0

    def pass_by(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr("sapper.vision.patience.monotonic", lambda: now[0])
    monkeypatch.setattr("sapper.vision.patience.sleep", pass_by)
    patience = Patience(6.0)
    while not patience.is_over():
        patience.pause()
        pass_by(1 / 64)
        looks += 1
    assert 6.0 <= now[0] < 6.1
    assert looks < 60
