"""Bots served as engines: requests, answers and errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sapper import make_bot
from sapper.engine import serve


def _answers(*requests: object) -> list[dict[str, Any]]:
    lines = [
        request if isinstance(request, bytes) else json.dumps(request).encode()
        for request in requests
    ]
    written: list[bytes] = []
    serve(lambda: make_bot("exact"), "exact", lines, written.append)
    return [json.loads(line) for line in written]


_GAME = {"type": "game", "game": 1, "width": 3, "height": 2, "mines": 1, "seed": 1}


def test_a_game_is_answered_choice_by_choice() -> None:
    """Each request in a game gets one choice."""
    greeting, choice = _answers(
        {"type": "hello", "protocol": 1},
        _GAME,
        {"type": "choose", "id": 7, "game": 1, "rows": ["1..", "..."]},
        {"type": "end", "game": 1, "result": "won"},
        {"type": "quit"},
        {"type": "hello", "protocol": 1},
    )
    assert greeting["name"] == "Sapper exact"
    assert choice["id"] == 7
    assert not choice["guess"]
    assert {tuple(action) for action in choice["actions"]} == {("open", 0, 2), ("open", 1, 2)}


def test_an_analysis_has_chances_and_proved_cells() -> None:
    """The answer to an analysis includes chances and proved cells."""
    position = {"width": 2, "height": 2, "mines": 1, "rows": ["..", "11"]}
    [answer] = _answers({"type": "analyze", "id": 1, **position})
    assert answer["chances"] == [[0.5, 0.5], [None, None]]
    assert (answer["safe"], answer["mined"], answer["exact"]) == ([], [], True)


@pytest.mark.parametrize(("running", "last"), [({}, 0), ({"running": False}, 0.5)])
def test_an_analysis_knows_that_the_game_goes_on(running: dict[str, bool], last: float) -> None:
    """With a density, a request says whether the game may be over; if so, nothing is inferred."""
    position = {"width": 3, "height": 1, "density": 0.5, "rows": ["1.."], **running}
    [answer] = _answers({"type": "analyze", "id": 1, **position})
    assert answer["chances"] == [[None, 1, last]]
    assert answer["safe"] == ([] if running else [[0, 2]])


def test_a_choice_knows_that_the_game_goes_on() -> None:
    """The last cell that can be clear is opened without a guess."""
    [choice] = _answers(
        {"type": "game", "game": 1, "width": 3, "height": 1, "density": 0.5, "seed": 1},
        {"type": "choose", "id": 1, "game": 1, "rows": ["1.."]},
    )
    assert (choice["actions"], choice["guess"]) == ([["open", 0, 2]], False)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (b"{", "a request must be a JSON object on a line, got '{'"),
        (b"[" * 100_000, "a request must be a JSON object on a line"),
        ([1], "a request must be an object with a type, got [1]"),
        ({"type": "sing"}, "unknown type 'sing'; the types are: hello, game, choose"),
        ({"type": "hello", "protocol": 9}, "version 1 of the protocol, got 9"),
        ({"type": "choose", "id": 1, "game": 5, "rows": []}, "game 5 has not been started"),
        ({"type": "choose", "id": "x", "game": 5}, "id must be a whole number, got 'x'"),
        ({**_GAME, "mines": 99}, "mines must be between 0 and 6 for 3x2, got 99"),
        ({**_GAME, "topology": "moebius"}, "unknown topology 'moebius'"),
        ({**_GAME, "width": "3"}, "in whole numbers, got '3'x2"),
        ({"type": "analyze", "id": 3}, "must be a list of strings, got None"),
    ],
)
def test_a_bad_request_is_answered_with_an_error(request_: object, message: str) -> None:
    """The answer to a bad request is an error."""
    [error, greeting] = _answers(request_, {"type": "hello", "protocol": 1})
    assert error["type"] == "error"
    assert message in error["message"]
    assert greeting["type"] == "hello"


def test_rows_of_another_size_are_refused_with_the_id_of_the_request() -> None:
    """The error for rows of another size gives the id of the request."""
    [error] = _answers(_GAME, {"type": "choose", "id": 4, "game": 1, "rows": ["..."]})
    assert (error["type"], error["id"]) == ("error", 4)


def test_sixty_four_games_run_at_once() -> None:
    """One process plays sixty-four games at a time."""
    games = [{**_GAME, "game": number} for number in range(65)]
    [error] = _answers(*games)
    assert "at most 64 games" in error["message"]
    assert not _answers(*(games[:64] * 2))
