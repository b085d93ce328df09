"""A finished game's result as the browser receives it, and the rank of a win."""

from __future__ import annotations

from typing import Any

ME = "a" * 24


def _lose(player: Any) -> Any:
    """Open cells of a crowded board until one is a mine."""
    told = player.send(
        "new", settings={"level": "5x5:15", "rules": "classic", "first_click": "safe"}
    )
    cells = [[row, col] for row in range(5) for col in range(5)]
    while cells and told.get("status") != "lost":
        told = player.send("open", cell=cells.pop())
    assert told["status"] == "lost"
    return told


def test_a_loss_has_figures_like_a_win(site: Any) -> None:
    """The time, the 3BV and its solved part are reported, to later windows as well."""
    with site.player(ME) as player:
        event = _lose(player)["event"]
        assert 0 < event["solved"] < event["bbbv"]
        assert event["seconds"] >= 0
        figures = {name: event[name] for name in ("seconds", "bbbv", "solved", "clicks", "helped")}
        assert event["helped"] is None
        assert "rank" not in event
    with site.player(ME) as player:
        assert player.welcome["game"]["result"] == figures
        assert player.send("undo")["status"] == "playing"
        assert player.send("sync")["game"]["result"] is None


def test_win_is_compared_with_earlier_wins(site: Any) -> None:
    """Without mines, the first click wins; losses end the streak, helped wins are excluded."""
    empty = {"level": "9x9:0", "rules": "classic", "first_click": "safe"}

    def win(player: Any, **help: bool) -> Any:
        player.send("new", settings=empty)
        if help:
            player.send("assist", mode="assisted", overlay="states")
        event = player.send("open", cell=[4, 4])["event"]
        player.send("assist", mode="solo")
        return event

    with site.player(ME) as player:
        first, second = win(player), win(player)
        assert (first["before"], first["streak"], first["longest"]) == (None, 1, 0)
        assert second["before"]["seconds"] == second["best"] == first["seconds"]
        assert second["before"]["efficiency"] == first["bbbv"] / first["clicks"]
        assert (second["streak"], second["longest"], second["wins"]) == (2, 1, 2)
        helped = win(player, overlay=True)
        assert (helped["helped"], helped["rank"]) == ("overlay", None)
        assert "before" not in helped
        _lose(player)
        assert win(player)["streak"] == 3, "the loss was of another kind"


def test_chord_without_effect_has_a_reason(site: Any) -> None:
    """Flags are suggested only if a number lacks some and has cells to open."""
    with site.player(ME) as player:
        settings = {"level": "9x1:1", "rules": "classic", "first_click": "opening"}
        seed = 1
        player.send("new", settings=settings, seed=seed)
        while player.send("open", cell=[0, 0])["status"] != "playing":
            seed += 1
            player.send("new", settings=settings, seed=seed)
        reasons = [player.send("chord", cell=[0, col])["event"]["why"] for col in range(9)]

    number = reasons.index("flags")
    assert reasons == ["finished"] * number + ["flags"] + ["unopened"] * (8 - number)
