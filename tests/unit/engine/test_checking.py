"""The conformance checker on engines that conform and engines that do not."""

from __future__ import annotations

import shlex
import sys

import pytest

from sapper.engine import check_engine, checking
from sapper.errors import BadSetting
from support.engines import FIRST, engine

_QUARTERS = (
    'send(type="analysis", id=message["id"], {}, '
    'chances=[[0.25] * message["width"]] * message["height"])'
)
"""Answers that each cell is a mine with the same chance."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow for programs that take longer to end on a busy machine."""
    monkeypatch.setattr(checking, "_END_S", 300.0)


def _results(command: str) -> dict[str, bool | None]:
    return {result.name: result.passed for result in check_engine(command, games=2, seconds=300)}


def test_sapper_passes_its_own_checks() -> None:
    """Sapper passes its own checks."""
    command = shlex.join([sys.executable, "-m", "sapper", "engine", "--bot", "exact"])
    assert set(_results(command).values()) == {True}


def test_an_engine_that_stops_at_broken_messages_fails_only_that() -> None:
    """An engine that stops at broken messages fails only that check."""
    results = _results(engine(FIRST))
    assert [name for name, passed in results.items() if passed is False] == [
        "survives broken messages"
    ]


@pytest.mark.parametrize(
    ("choose", "seconds", "reason"),
    [
        ("time.sleep(600)", 0.3, "it did not answer within 0.3 s"),
        (
            'send(type="choice", id=id, actions=[["open", 0, 0]])',
            300.0,
            "has no effect",
        ),
        ('send(type="choice", id=id, actions=[])', 300.0, "list with an action"),
    ],
)
def test_a_failed_check_has_its_reason(choose: str, seconds: float, reason: str) -> None:
    """A failed check gives its reason."""
    results = {r.name: r for r in check_engine(engine(choose), games=1, seconds=seconds)}
    assert results["plays whole games"].passed is False
    assert reason in results["plays whole games"].reason


def test_wrong_chances_that_are_called_exact_fail() -> None:
    """Wrong chances that are declared exact fail."""
    analyze = _QUARTERS.format("safe=[], mined=[]")
    results = {
        r.name: r for r in check_engine(engine(FIRST, analyze, analysis=True), games=1, seconds=300)
    }
    assert "wrong by up to 2.5e-01" in results["analyses positions"].reason


def test_a_claim_that_is_not_proved_fails() -> None:
    """A claim that is not proved fails."""
    analyze = _QUARTERS.format("safe=[[0, 0]], exact=False")
    results = {
        r.name: r for r in check_engine(engine(FIRST, analyze, analysis=True), games=1, seconds=300)
    }
    assert "it calls [0, 0] safe, which is not proved" in results["analyses positions"].reason


def test_a_program_that_is_no_engine_fails_its_first_check() -> None:
    """A program that is not an engine fails its first check."""
    [result] = check_engine("echo hello")
    assert not result.passed
    assert result.reason == "it sent 'hello', which is not JSON"


def test_the_number_of_games_must_be_positive() -> None:
    """The number of games must be positive."""
    with pytest.raises(BadSetting, match="at least 1, got 0"):
        list(check_engine("echo", games=0))
