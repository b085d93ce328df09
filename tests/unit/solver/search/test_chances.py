"""The chance to win from a position."""

from __future__ import annotations

from threading import Timer

import pytest

from sapper import Game, Position, analyze, optimal, win_chance
from sapper._util.work import Work
from sapper.errors import Cancelled, InconsistentPosition, LimitReached
from sapper.solver.limit import Cancel, Limit
from sapper.solver.search.chances import compared
from sapper.topology import topology

ENDINGS = [
    ("..\n11", 1),
    ("....\n.2..\n....\n....", 3),
    ("...\n...\n...", 2),
    ("..1\n..1\n111", 2),
]
EARLY = "1......\n.......\n.......\n.......\n.......\n.......\n......."


@pytest.mark.parametrize(("text", "mines"), ENDINGS)
def test_few_solutions_give_an_exact_chance(text: str, mines: int) -> None:
    """The chance assumes perfect play, and the best cells come first."""
    position = Position.parse(text, mines=mines)
    best, chance = optimal(position), win_chance(position)
    assert (chance.kind, chance.error) == ("exact", 0)
    assert chance.win_chance == best.win_chance
    top = {at.cell for at in chance.cells if at.win_chance == chance.win_chance}
    assert top == best.best
    assert [at.win_chance for at in chance.cells] == sorted(
        (at.win_chance for at in chance.cells), reverse=True
    )


def test_analysis_gives_the_same_win_chance() -> None:
    """The position is not analysed again."""
    for text, mines in ENDINGS:
        position = Position.parse(text, mines=mines)
        assert analyze(position).win_chance() == win_chance(position)
    early = Position.parse(EARLY, mines=10)
    assert analyze(early).win_chance(samples=3, seed=1) == win_chance(early, samples=3, seed=1)


def test_exceeded_time_limit_gives_no_chance() -> None:
    """The limit covers perfect play, search and simulated games (issue 33)."""
    position = Position.parse("." * 100, mines=1)
    assert analyze(position).win_chance().kind == "exact"
    with pytest.raises(LimitReached, match="within the limit of 0 s"):
        analyze(position).win_chance(samples=2, limit=Limit(seconds=0))


def test_time_limit_stops_sampling() -> None:
    """A million games would take half an hour; those finished in time are used (issue 33)."""
    shape = topology("rectangle", 16, 16)
    position = Position(shape, b"." * shape.size, 40)
    chance = win_chance(position, samples=1_000_000, limit=Limit(seconds=2))
    assert chance.kind == "sampled"
    assert chance.error


def test_json_form() -> None:
    """The JSON form contains the kind, the error and every cell."""
    obj = win_chance(Position.parse("..\n11", mines=1)).to_json()
    assert (obj["win_chance"], obj["kind"], obj["error"]) == (0.5, "exact", 0.0)
    cell = {"cell": [0, 0], "p_mine": 0.5, "win_chance": 0.5, "error": 0.0}
    assert obj["cells"] == [cell, {**cell, "cell": [0, 1]}]


def test_many_solutions_give_an_estimate() -> None:
    """On an Expert board, the estimate has no stated error."""
    rows = ["1" + "." * 29] + ["." * 30] * 15
    chance = win_chance(Position.parse("\n".join(rows), mines=99))
    assert (chance.kind, chance.error) == ("estimated", None)
    assert 0 < chance.win_chance < 1
    assert chance.cells[0].win_chance == chance.win_chance


def test_all_games_won_still_has_an_error() -> None:
    """[#33] 200 won games gave "100.0 ± 0.0 %", although 0.3 % of 6000 are lost."""
    game = Game("14x14:20", first_click="opening", seed=8)
    game.open((5, 5))
    chance = win_chance(game.position, samples=200, seed=1)
    assert (chance.kind, chance.win_chance) == ("sampled", 1.0)
    assert chance.error is not None
    assert 0.0027 < chance.error < 0.03
    assert all(at.error is not None and at.error > 0 for at in chance.cells)


def test_opened_mine_changes_little() -> None:
    """[#11] Whether a known mine is open hardly changes the estimate."""
    game = Game("expert", first_click="opening", seed=5)
    game.open((8, 15))
    position = game.position
    mine = min(analyze(position).mined)
    cells = bytearray(position.cells)
    cells[position.topology.index(mine)] = ord("*")
    exploded = Position(position.topology, bytes(cells), 99)
    assert win_chance(exploded).win_chance == pytest.approx(
        win_chance(position).win_chance, abs=0.05
    )


def test_boards_unlike_expert_are_sampled() -> None:
    """Without a learned estimate, games are played to the end."""
    chance = win_chance(Position.parse(EARLY, mines=10))
    assert chance.kind == "sampled"
    assert chance.error is not None


def test_sampled_chance_has_an_error() -> None:
    """Sampled chances agree with the estimate and are reproducible from their seed."""
    position = Position.parse(EARLY, mines=10)
    chance = win_chance(position, samples=40, seed=3)
    assert chance.kind == "sampled"
    assert chance.error is not None
    assert 0 < chance.error < 0.2
    assert 0.2 < chance.win_chance < 1
    assert win_chance(position, samples=40, seed=3) == chance


def test_impossible_position_is_rejected() -> None:
    """An impossible position has no win chance."""
    with pytest.raises(InconsistentPosition):
        win_chance(Position.parse("1.\n..", mines=0))


@pytest.mark.parametrize(
    ("height", "width", "mines", "searched"),
    [(1, 100, 1, True), (7, 7, 2, True), (3, 150, 1, False), (1, 450, 1, False)],
)
def test_large_boards_with_few_mines_are_not_searched(
    height: int, width: int, mines: int, searched: bool
) -> None:
    """With one mine, 3x150 has only 450 solutions, but perfect play took 10 s."""
    position = Position.parse("\n".join(["." * width] * height), mines=mines)
    comparison = compared(position, analyze(position).p_mine.ravel())
    assert (comparison is not None and comparison.kind == "exact") == searched


def test_perfect_play_observes_deadline_and_cancel_flag() -> None:
    """Without a deadline and a cancel flag, the position is solved."""
    position = Position.parse("." * 100, mines=1)
    risks = analyze(position).p_mine.ravel()
    solved = compared(position, risks)
    assert solved is not None
    assert solved.kind == "exact"
    late = compared(position, risks, work=Work(seconds=0))
    assert late is None or late.kind != "exact"
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        compared(position, risks, work=Work(cancel=cancel))


@pytest.mark.parametrize(
    ("text", "mines"), [("00\n00", None), ("0", 0), (".1", None), ("F1", 1), ("..\n..", 4)]
)
def test_position_without_safe_cells_is_won(text: str, mines: int | None) -> None:
    """[#17] Without a total, such a position was called too wide, and a mine was suggested."""
    position = Position.parse(text, mines)
    chance = win_chance(position)
    assert (chance.win_chance, chance.kind, chance.error, chance.cells) == (1.0, "exact", 0.0, ())
    assert analyze(position).win_chance() == chance


def test_equal_results_compare_equal() -> None:
    """[#17] No two results were ever equal."""
    position = Position.parse("..\n11", mines=1)
    assert optimal(position) == optimal(position)
    assert len({optimal(position), optimal(position)}) == 1


def test_sampling_can_be_cancelled() -> None:
    """[#17] Sampling always ran to its end, which can take hours."""
    cancel = Cancel()
    timer = Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(Cancelled):
        win_chance(Position.parse(EARLY), samples=1_000_000, limit=Limit(cancel=cancel))
    timer.join()
