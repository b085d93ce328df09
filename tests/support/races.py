"""Races for tests."""

from __future__ import annotations

from typing import Any

from sapper import Action
from sapper.community import Race, RaceSettings
from sapper.generation import parse_id

HOST = "host"


def started(level: str, players: int = 2, **settings: Any) -> Race:
    """Return a race whose first round begins at 6,000 ms; its players are `HOST`, p1, p2 ..."""
    race = Race(RaceSettings(level, **settings), 7)
    for number in range(players):
        race.join(0, f"p{number}" if number else HOST, f"P{number}")
    race.start(1_000, HOST)
    race.tick(6_000)
    return race


def cells_of(race: Race, member: str) -> str:
    """Return the cells of a player's own board."""
    return "".join(race.view(member)["board"]["rows"])


def open_all(race: Race, member: str, now_ms: int) -> None:
    """Open all clear cells for one player at the same moment."""
    board = parse_id(race.to_json()["round"]["board"]).board
    for index, mined in enumerate(board.mined):
        if not mined:
            race.act(now_ms, member, Action("open", board.topology.cell(index)))
