"""A run's result does not depend on how it was divided, interrupted or damaged."""

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sapper.lab import run
from sapper.lab.play import Unit, UnitPlayer
from sapper.lab.record import Recorder
from sapper.lab.spec import Spec
from sapper.lab.store import RunStore
from sapper.lab.table import digest
from sapper.simulation.match import Match
from sapper.stats import Pairs
from support.examples import examples

SPEC = Spec(Match("exact", "beginner"), 1, 60)
WHOLE = run("exact", "beginner", n=60, seed=1)


@examples(25)
@given(cuts=st.sets(st.integers(1, 59)), data=st.data())
def test_games_can_arrive_in_any_pieces_and_order(cuts: set[int], data: st.DataObject) -> None:
    """Lost pieces can be replayed with the same result."""
    edges = [0, *sorted(cuts), 60]
    units = [Unit(0, *pair) for pair in pairwise(edges)]
    order = data.draw(st.permutations(units))
    kept = data.draw(st.integers(0, len(order)))
    player = UnitPlayer(SPEC)
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder) / "run")
        store.begin({**SPEC.to_json(), "command": ""})
        recorder = Recorder(SPEC, store)
        for unit in order[:kept]:
            recorder.take(player.play(unit, 100))
        again = Recorder(SPEC, store)
        assert again.tally.results == recorder.tally.results
        assert again.tally.by == recorder.tally.by
        for games in list(again.missing()):
            again.take(player.play(Unit(0, games.start, games.stop), 100))
        assert again.digest == WHOLE.summary["digest"]
        assert digest(store.read_shard(0)) == digest(WHOLE.table())


@given(st.tuples(*[st.integers(0, 2000)] * 4))
def test_swapped_pairs_are_symmetric(counts: tuple[int, int, int, int]) -> None:
    """Swapping two bots negates their difference and keeps the p-value."""
    both, first, second, neither = counts
    pairs, turned = Pairs(both, first, second, neither), Pairs(both, second, first, neither)
    low, high = pairs.interval
    assert -1 <= low <= high <= 1
    assert turned.interval == (-high, -low)
    assert 0 <= pairs.p_value == turned.p_value <= 1
    if pairs.games:
        assert low <= pairs.difference <= high or pairs.games < 10
