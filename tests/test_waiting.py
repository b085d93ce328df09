"""Waiting for a message: a test gives up, and shows what it saw."""

import asyncio
from collections.abc import Iterator

import pytest

from support import waiting
from support.waiting import awaited, awaited_async


def _clock(monkeypatch: pytest.MonkeyPatch, step_s: float) -> None:
    """Let each reading of the clock take some time."""

    def ticks() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += step_s

    monkeypatch.setattr(waiting, "monotonic", ticks().__next__)


def test_missing_message_is_an_error_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other messages used to extend the wait forever, and the error did not name them."""
    _clock(monkeypatch, 75.0)
    with pytest.raises(AssertionError) as told:
        awaited(lambda _: {"type": "clock"}, lambda told: told["type"] == "state", "'state'")
    first, *seen = str(told.value).splitlines()
    assert first == "waited 300 s for 'state'; 3 other messages arrived"
    assert seen == ['  {"type": "clock"}'] * 3


def test_silence_is_an_error() -> None:
    """The rest of the time is passed on to the connection."""
    given: list[float] = []

    def receive(seconds: float) -> dict[str, str]:
        given.append(seconds)
        raise TimeoutError

    with pytest.raises(AssertionError, match="for 'state'; 0 other messages arrived"):
        awaited(receive, lambda _: True, "'state'")
    assert len(given) == 1
    assert 0 < given[0] <= waiting.AWAITED_S


def test_wanted_message_is_returned() -> None:
    """Others before it are skipped."""
    messages = iter([{"type": "delta"}, {"type": "state"}])
    found = awaited(lambda _: next(messages), lambda told: told["type"] == "state", "'state'")
    assert found == {"type": "state"}


def test_queues_are_awaited_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms without connections put their messages into a queue."""

    async def receive() -> int:
        return 1

    assert asyncio.run(awaited_async(receive, lambda told: told == 1, "1")) == 1
    _clock(monkeypatch, 125.0)
    with pytest.raises(AssertionError, match=r"waited 300 s for 2; \d other messages arrived"):
        asyncio.run(awaited_async(receive, lambda told: told == 2, "2"))
