"""The conformance checker on engines that conform and engines that do not."""

from __future__ import annotations

import shlex
import sys

import pytest

from sapper.engine import check_engine, checking
from sapper.errors import BadSetting
from support.engines import FIRST, engine
from support.marks import slow

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
    """Sapper's own engine passes every check."""
    command = shlex.join([sys.executable, "-m", "sapper", "engine", "--bot", "exact"])
    assert set(_results(command).values()) == {True}


def test_an_engine_that_stops_at_broken_messages_fails_only_that() -> None:
    """Other checks continue with a new process."""
    results = _results(engine(FIRST))
    assert [name for name, passed in results.items() if passed is False] == [
        "survives broken messages"
    ]


@pytest.mark.parametrize(
    ("choose", "seconds", "reason"),
    [
        slow("time.sleep(600)", 0.3, "it did not answer within 0.3 s"),
        (
            'send(type="choice", id=id, actions=[["open", 0, 0]])',
            300.0,
            "has no effect",
        ),
        ('send(type="choice", id=id, actions=[])', 300.0, "list with an action"),
    ],
)
def test_a_failed_check_has_its_reason(choose: str, seconds: float, reason: str) -> None:
    """The report says why a check failed."""
    results = {r.name: r for r in check_engine(engine(choose), games=1, seconds=seconds)}
    assert results["plays whole games"].passed is False
    assert reason in results["plays whole games"].reason


def test_wrong_chances_that_are_called_exact_fail() -> None:
    """Chances declared exact must match the analysis."""
    analyze = _QUARTERS.format("safe=[], mined=[]")
    results = {
        r.name: r for r in check_engine(engine(FIRST, analyze, analysis=True), games=1, seconds=300)
    }
    assert "wrong by up to 2.5e-01" in results["analyses positions"].reason


def test_a_claim_that_is_not_proved_fails() -> None:
    """A cell called safe or a mine must be proved."""
    analyze = _QUARTERS.format("safe=[[0, 0]], exact=False")
    results = {
        r.name: r for r in check_engine(engine(FIRST, analyze, analysis=True), games=1, seconds=300)
    }
    assert "it calls [0, 0] safe, which is not proved" in results["analyses positions"].reason


def test_a_program_that_is_no_engine_fails_its_first_check() -> None:
    """The first check fails for a program that is not an engine."""
    [result] = check_engine("echo hello")
    assert not result.passed
    assert result.reason == "it sent 'hello', which is not JSON"


def test_the_number_of_games_must_be_positive() -> None:
    """Zero games are rejected."""
    with pytest.raises(BadSetting, match="at least 1, got 0"):
        list(check_engine("echo", games=0))
