"""Limits of analyses: invalid values, and stopping a call from outside."""

import math
import threading
from typing import Any

import pytest

import sapper
from sapper.errors import BadPosition, BadSetting, Cancelled, SapperError
from sapper.solver.limit import Cancel

WIDE = "\n".join("." * 60 if row % 2 else ".2" * 30 for row in range(60))


@pytest.mark.parametrize("states", [-1, 2**64, 10**30, 1.5, "x"])
def test_states_out_of_range_are_rejected(states: Any) -> None:
    """The error is raised before the core can overflow."""
    with pytest.raises(BadSetting, match="states must be a whole number"):
        sapper.Limit(states=states)


@pytest.mark.parametrize("seconds", [-1, math.nan, "x", True])
def test_invalid_seconds_are_rejected(seconds: Any) -> None:
    """Negative numbers and NaN are refused; infinity is accepted."""
    with pytest.raises(BadSetting, match="seconds must be a number"):
        sapper.Limit(seconds=seconds)
    assert sapper.Limit(seconds=math.inf).seconds == math.inf


@pytest.mark.parametrize(
    "call", [sapper.analyze, sapper.hint, sapper.arrange, lambda p: sapper.sample(p, n=1, seed=1)]
)
def test_none_is_not_a_position(call: Any) -> None:
    """None raises `WrongType`, which is a `TypeError`."""
    with pytest.raises(TypeError, match="expected a Position") as told:
        call(None)
    assert isinstance(told.value, SapperError)


def test_fractional_total_is_rejected() -> None:
    """Fractional totals were accepted and then failed in the core."""
    total: Any = 1.5
    with pytest.raises(BadPosition, match="whole number"):
        sapper.Position.parse("..", total)


def test_too_many_boards_are_rejected() -> None:
    """Asking for too many boards aborted the interpreter."""
    with pytest.raises(BadSetting, match="too many at once"):
        sapper.sample(sapper.Position.parse("..", 1), n=10**12, seed=0)


def test_set_flag_cancels_analysis() -> None:
    """The cancel flag is already set when the analysis is called."""
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        sapper.analyze(sapper.Position.parse(WIDE, 1000), limit=sapper.Limit(cancel=cancel))


def test_analysis_can_be_cancelled_from_another_thread() -> None:
    """The cancel flag is set while the analysis is counting."""
    cancel = Cancel()
    position = sapper.Position.parse(WIDE, 1000)
    limit = sapper.Limit(states=10**12, cancel=cancel)

    def analyse() -> None:
        while True:
            sapper.analyze(position, limit=limit)

    timer = threading.Timer(0.3, cancel.set)
    timer.start()
    with pytest.raises(Cancelled):
        analyse()
    timer.join()
