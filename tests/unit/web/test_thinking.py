"""Chances and counts of guesses that a page computes match those of the server."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sapper import Game, Position
from sapper.game.review import Reviewer
from sapper.server.jobs import analyses
from sapper.server.jobs.snapshot import Snapshot, changes
from sapper.topology import TOPOLOGIES
from support.not_installed import not_installed

_NODE = shutil.which("node")
_SCRIPT = Path(__file__).parents[2] / "web" / "thinking.js"

pytestmark = pytest.mark.skipif(_NODE is None, reason=not_installed("node"))

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """The page's modules in Node."""
    assert _NODE is not None
    with subprocess.Popen(
        [_NODE, str(_SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        assert node.stdin is not None
        assert node.stdout is not None

        def answer(what: str, **given: Any) -> Any:
            node.stdin.write(f"{json.dumps({'ask': what, **given})}\n")  # type: ignore[union-attr]
            node.stdin.flush()  # type: ignore[union-attr]
            return json.loads(node.stdout.readline())  # type: ignore[union-attr]

        yield answer
        node.stdin.close()


def _positions() -> Iterator[Position]:
    """Positions of all shapes after random safe moves, with a total, a density and neither."""
    rng = random.Random(4)
    for number, topology in enumerate(TOPOLOGIES):
        for amount in (":14", "@0.17", ""):
            level = f"11x8{amount or ':14'}/{topology}"
            game = Game(level, seed=number, first_click="safe")
            for _ in range(6):
                cell = (rng.randrange(8), rng.randrange(11))
                if not game.over:
                    game.open(cell)
            position = game.position.without_flags()
            json_form = position.to_json()
            if not amount:
                json_form = {**json_form, "mines": None}
            yield Position.from_json(json_form)


@pytest.mark.parametrize("position", [*_positions()], ids=lambda one: one.topology.name)
def test_the_overlay_is_the_one_of_the_server(ask: Ask, position: Position) -> None:
    """Proved cells, counts and the chance of cells away from numbers match the server's."""
    shapes = [shape.to_json() for shape in TOPOLOGIES.values()]
    found = ask("overlay", position=_page_form(position), topologies=shapes)
    expected = json.loads(json.dumps(analyses.chances(position)))
    # Both are rounded to the sixth digit, which may fall on either side.
    for chances in (found, expected):
        chances["numbers"] = [c for _, c in chances["chances"] if isinstance(c, float | int)]
        chances["words"] = [(i, c) for i, c in chances["chances"] if isinstance(c, str)]
        del chances["chances"]
        if isinstance(chances["outside"], float | int):
            chances["numbers"].append(chances.pop("outside"))
    assert found.pop("numbers") == pytest.approx(expected.pop("numbers"), abs=1.1e-6)
    assert found == expected


def _page_form(position: Position) -> dict[str, Any]:
    form = position.to_json()
    return {"mines": None, "density": None, "topology": "rectangle", **form}


@pytest.mark.parametrize("seed", range(12))
def test_the_guesses_are_those_that_the_server_counts(ask: Ask, seed: int) -> None:
    """Counts match during random openings and chords with right and wrong flags."""
    rng = random.Random(seed)
    shapes = [shape.to_json() for shape in TOPOLOGIES.values()]
    game = Game("9x9:10", seed=seed, first_click="opening")
    ask("overlay", position=_page_form(game.position), topologies=shapes)
    now, turn = Snapshot.of(game), 0
    start = {
        "key": "game",
        "turn": 0,
        "width": 9,
        "height": 9,
        "topology": "rectangle",
        "helped": None,
        "settings": {"rules": "classic", "first_click": "opening"},
        "status": "ready",
        "cells": list(now.cells.decode()),
    }
    menu = {"rules": [{"name": "classic", "max_cells": 1_000_000}]}
    ask("begin", game=start, menu=menu)
    while not game.over:
        position = _page_form(game.position)
        cell = (rng.randrange(9), rng.randrange(9))
        kind = rng.choice(["open", "open", "chord", "mark"])
        done = {"open": game.open, "chord": game.chord, "mark": game.flag}[kind](cell)
        before, now, turn = now, Snapshot.of(game), turn + 1
        event = {"kind": kind if done else "nothing", "tried": kind, "cell": list(cell)}
        message = {
            "type": "delta",
            "turn": turn,
            "cells": changes(before.cells, now.cells),
            "event": event,
        }
        after = {"turn": turn, "status": str(now.status), "cells": list(now.cells.decode())}
        counted = ask("move", position=position, message=message, game=after)
        if counted == "unknown":
            # The page asks the server, for example after a chord on a wrong flag.
            break
        if counted is not None:
            expected = Reviewer().guesses(game.trail())
            assert (counted["forced"], counted["needless"]) == (expected.forced, expected.needless)
    else:
        assert game.over
