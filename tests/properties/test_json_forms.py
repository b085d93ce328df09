"""Proofs, hints and reviews can be read back from JSON."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from sapper.coach import Decision, Review, review
from sapper.dealer.registry import DEALERS
from sapper.errors import IllegalAction
from sapper.game import Game
from sapper.position import Position
from sapper.rules import FirstClick, Level
from sapper.solver import Deduction, Hint, analyze, deduce, hint
from sapper.topology import TOPOLOGIES
from support.examples import examples
from support.strategies import positions

SLOW = [HealthCheck.filter_too_much, HealthCheck.too_slow]


def through_text(obj: Any) -> Any:
    """Return a JSON value after a round trip through text."""
    return json.loads(json.dumps(obj))


@examples(300, suppress_health_check=SLOW)
@given(position=positions(lies=0))
def test_proofs_round_trip(position: Position) -> None:
    """A proof is equal after a round trip, including the order of its witnesses."""
    known = analyze(position)
    assume(known.safe or known.mined)
    for cell in sorted(known.safe | known.mined):
        proof = deduce(position, cell, mined=cell in known.mined)
        assert proof is not None
        assert Deduction.from_json(through_text(proof.to_json()), position) == proof


@examples(200, suppress_health_check=SLOW)
@given(position=positions(lies=0))
def test_hints_round_trip(position: Position) -> None:
    """A hint is equal after a round trip, including its proof or win chance."""
    try:
        clue = hint(position)
    except IllegalAction:
        assume(False)
        return
    assert Hint.from_json(through_text(clue.to_json()), position) == clue


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A small game after some clicks, under any rule set and on any topology."""
    rules = draw(st.sampled_from([*DEALERS]))
    if rules == "no-guess":
        level = Level(6, 5, 4)
    else:
        level = Level(
            draw(st.integers(3, 5)),
            draw(st.integers(3, 4)),
            draw(st.integers(1, 4)),
            topology=draw(st.sampled_from([*TOPOLOGIES])),
        )
    first_click = FirstClick.ANY if rules == "classic" and draw(st.booleans()) else None
    game = Game(level, rules, first_click=first_click, seed=draw(st.integers(0, 2**32)))
    for index in draw(st.lists(st.integers(0, level.width * level.height - 1), max_size=6)):
        if index % 5 == 4 and game.counts.clicks:
            game.undo()
        elif not game.over:
            game.open(game.position.topology.cell(index))
    return game


@examples(60, suppress_health_check=SLOW)
@given(game=games())
def test_reviews_round_trip(game: Game) -> None:
    """A review and each of its decisions are equal after a round trip."""
    before = review(game)
    after = Review.from_json(through_text(before.to_json()), game)
    assert after == before
    assert after.to_json() == before.to_json()
    for decision in before.decisions:
        position = before.position(decision.index)
        assert after.position(decision.index) == position
        assert Decision.from_json(through_text(decision.to_json()), position) == decision
