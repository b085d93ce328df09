"""Windows that compute chances themselves, so that the server does not have to."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.game.review import Reviewer
from sapper.server.session import analysis_tasks, assist_messages


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The analyses that the server has made for overlays and counts of guesses."""
    made: list[str] = []
    look, guesses = assist_messages.look, Reviewer.guesses

    def counted(*given: Any) -> Any:
        made.append("overlay")
        return look(*given)

    def reviewed(*given: Any) -> Any:
        made.append("guesses")
        return guesses(*given)

    monkeypatch.setattr(analysis_tasks, "look", counted)
    monkeypatch.setattr(Reviewer, "guesses", reviewed)
    return made


def _assisted(player: Any) -> None:
    player.send("assist", mode="assisted", overlay="chances")
    player.send("new", settings={"level": "beginner", "rules": "classic"}, seed=5)


def test_a_thinking_window_costs_the_server_no_analysis(site: Any, looks: list[str]) -> None:
    """In Assisted, the server neither sends the overlay nor counts the guesses of each move."""
    with site.player() as player:
        _assisted(player)
        player.raw('{"type": "thinking", "here": true}')
        assert player.send("open", cell=[4, 4])["status"] == "playing"
        # Answers come in order, so an overlay would have been started before this one.
        for _ in range(3):
            player.send("mark", cell=[0, 0])
        assert looks == []
        assert [frame for frame in player.frames if '"overlay"' in frame[:20]] == []


def test_a_window_that_stops_thinking_gets_the_whole_overlay(site: Any) -> None:
    """The window has no earlier overlay to which changes could be applied."""
    with site.player() as player:
        _assisted(player)
        player.send("open", cell=[4, 4])
        assert player.until("overlay")["whole"]
        player.raw('{"type": "thinking", "here": true}')
        player.send("mark", cell=[0, 0])
        player.raw('{"type": "thinking", "here": false}')
        assert player.until("overlay")["whole"]


def test_another_window_that_does_not_think_gets_the_overlay(site: Any) -> None:
    """The server may leave the chances to the windows only if all of them compute chances."""
    with site.player("a" * 24) as first:
        _assisted(first)
        first.raw('{"type": "thinking", "here": true}')
        first.send("open", cell=[4, 4])
        with site.player("a" * 24) as second:
            assert second.until("overlay")["whole"]


def test_the_guesses_are_counted_on_request(site: Any) -> None:
    """A reloaded window asks once for the guesses that it has not seen."""
    with site.player() as player:
        _assisted(player)
        player.raw('{"type": "thinking", "here": true}')
        turn = player.send("open", cell=[4, 4])["turn"]
        player.raw('{"type": "guesses"}')
        counted = player.until("guesses")
        assert (counted["turn"], counted["made"]) == (turn, 0)


def test_a_loss_is_explained_without_the_count(site: Any, looks: list[str]) -> None:
    """Only the last position is analysed; the window has counted the guesses."""
    with site.player() as player:
        _assisted(player)
        player.raw('{"type": "thinking", "here": true}')
        player.send("open", cell=[4, 4])
        cells = [(row, col) for row in range(9) for col in range(9)]
        for cell in cells:
            if player.send("open", cell=cell).get("status") == "lost":
                break
        assert player.until("review")["cell"] == list(cell)
        assert looks == ["guesses"]
