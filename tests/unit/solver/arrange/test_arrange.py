"""`sapper.arrange`: comparison of its methods, answers and errors."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from sapper import Limit, Position, arrange
from sapper.errors import BadSetting, LimitReached
from sapper.generation import generate
from sapper.position import json_part
from sapper.solver.arrange import Likelihood, Method, StartRule, sat
from sapper.topology import Cell
from support.known import DATA

METHODS = list(Method)
GADGETS = {
    gate["name"]: Position.from_json(json_part(gate))
    for gate in map(json.loads, (DATA / "gadgets.jsonl").read_text("ascii").splitlines())
}
# Either the only mine is the middle one, or all three cells around it are mines. Opened mines have
# no number.
GAP = "**.**\n**5**\n.6.6.\n*****"
# A signal is 1 if the farther of a wire's two cells is a mine.
GATES: dict[str, tuple[list[Any], list[Any], Any]] = {
    "wire_we": ([(1, 1)], [(1, 4)], lambda a: [a]),
    "wire_ns": ([(1, 1)], [(4, 1)], lambda a: [a]),
    "not": ([(2, 1)], [(2, 6)], lambda a: [not a]),
    "bend_wn": ([(4, 1)], [(0, 4)], lambda a: [a]),
    "cross": ([(4, 1), (1, 5)], [(4, 13), (7, 5)], lambda a, b: [a, b]),
    "or": ([(2, 1), (9, 1)], [(9, 13)], lambda a, b: [a or b]),
}


def forced(cells: list[tuple[int, int]], values: Any) -> dict[str, list[tuple[int, int]]]:
    """Return arguments that fix cells as mines where the value is true, and as clear elsewhere."""
    pairs = list(zip(cells, values, strict=True))
    return {"mined": [c for c, v in pairs if v], "safe": [c for c, v in pairs if not v]}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GATES)
def test_forced_inputs_give_circuit_outputs(name: str, method: Method) -> None:
    """With fixed inputs, only the correct outputs have an arrangement."""
    inputs, outputs, function = GATES[name]
    for input_values in product((False, True), repeat=len(inputs)):
        for output_values in product((False, True), repeat=len(outputs)):
            result = arrange(
                GADGETS[name], method, **forced(inputs + outputs, (*input_values, *output_values))
            )
            assert result.found == (list(output_values) == function(*input_values))
        free = arrange(GADGETS[name], method, **forced(inputs, input_values))
        assert free.board is not None
        assert [free.board.is_mine(cell) for cell in outputs] == function(*input_values)


@pytest.mark.parametrize("method", METHODS)
def test_arrangement_fits_an_ordinary_board(method: Method) -> None:
    """The arrangement matches every number and the total."""
    position = Position.parse("1....\n.11..\n.....\n..1..", 4)
    result = arrange(position, method)
    assert result.found
    assert result.board is not None
    assert result.board.mines == 4
    for cell in position.topology.cells():
        if (number := position.number(cell)) is not None:
            around = position.topology.neighbours(cell)
            assert sum(map(result.board.is_mine, around)) == number
    assert result.reason is result.cause is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("text", "mines", "cause", "reason"),
    [
        ("8.", None, "number", r"the 8 is impossible: .*: \(0, 0\)"),
        ("...\n143\n...", None, "component", r"3 numbers contradict each other: \(1, 0\)"),
        (".1.1....", 8, "total", "8 mines are impossible: the numbers"),
        ("1.1.1.1.", 5, "total", "5 mines are impossible: the numbers"),
        ("1.0...1\n.......", 0, "total", "0 mines are impossible: the numbers need at least 2"),
        (GAP, 15, "total", "15 mines are impossible: the numbers allow 14 to 16"),
        (GAP, 17, "total", "17 mines are impossible"),
    ],
)
def test_impossible_position_reports_its_cause(
    text: str, mines: int | None, cause: str, reason: str, method: Method
) -> None:
    """The cause is the most local one: one number, one area, or the total."""
    result = arrange(Position.parse(text, mines), method)
    assert not result.found
    assert result.board is None
    assert result.cause == cause
    assert result.reason is not None
    assert re.match(reason, result.reason)


@pytest.mark.parametrize("method", METHODS)
def test_total_in_a_gap_is_disproved(method: Method) -> None:
    """Fourteen and sixteen mines fit but not fifteen, which bounds alone would miss."""
    by_total = {mines: arrange(Position.parse(GAP, mines), method) for mines in range(12, 19)}
    assert [mines for mines, answer in by_total.items() if answer.found] == [14, 16]


@pytest.mark.parametrize("method", METHODS)
def test_every_possible_total_is_found(method: Method) -> None:
    """If the first arrangement has a different number of mines, the search continues."""
    rows = ["..1..1..", "..1..1..", "11111111", "..1..1..", "..1..1.."]
    for mines in range(21):
        expected = arrange(Position.parse("\n".join(rows), mines), Method.EXACT)
        assert arrange(Position.parse("\n".join(rows), mines), method).found == expected.found


@pytest.mark.parametrize("method", METHODS)
def test_floating_cells_are_clear_without_total(method: Method) -> None:
    """Cells away from numbers stay clear, because nothing requires a mine there."""
    result = arrange(Position.parse("1....\n....."), method)
    assert result.board is not None
    assert result.board.mines == 1


@pytest.mark.parametrize("start", StartRule)
@pytest.mark.parametrize("likelihood", Likelihood)
def test_every_backtracking_variant_finds_an_arrangement(
    start: StartRule, likelihood: Likelihood
) -> None:
    """All nine variants give an answer, including those chosen by name."""
    text = "......\n.2..1.\n......\n...1.."
    result = arrange(Position.parse(text, 6), start_rule=start.value, likelihood=likelihood.value)
    assert result.found
    assert result.areas == 1
    assert result.combinations > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["torus", "rectangle"])
def test_torus_is_arranged(method: Method, text: str) -> None:
    """The search on a torus has no edge to start from."""
    position = Position.parse(f"topology: {text}\n1...\n....\n..1.\n....", 2)
    assert arrange(position, method).found


@pytest.mark.parametrize("method", [Method.EXACT, Method.SAT])
def test_wide_board_is_split_into_windows(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """The windows of a wide area fit together, and a wrong number in it is found."""
    monkeypatch.setattr(sat, "_WINDOW", 12)
    [made] = generate("30x30:150", seed=3)
    cells = bytes(
        char if (7 * at) % 10 < 5 and char != ord("*") else ord(".")
        for at, char in enumerate("".join(made.board.rows).encode())
    )
    position = Position(made.board.topology, cells, 150)
    result = arrange(position, method)
    assert result.found


@pytest.mark.parametrize("method", METHODS)
def test_timeout_is_reported(method: Method) -> None:
    """The result is neither an arrangement nor a proof that there is none."""
    wide = "\n".join(["." * 60, ".2" * 30] * 20)
    with pytest.raises(LimitReached, match="undecided"):
        arrange(Position.parse(wide, 300), method, limit=Limit(seconds=1e-9))


def test_large_count_falls_back_to_sat() -> None:
    """Above a limit, satisfiability replaces counting, and the arrangement fits."""
    position = Position.parse("......\n.1.2.1\n......", 4)
    for states in (0, None):
        assert arrange(position, "exact", limit=Limit(states=states)).found


def test_exception_in_progress_callback_stops_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exception is raised unchanged."""
    monkeypatch.setattr("sapper._util.work._PROGRESS_S", 0.0)

    def enough(doing: str) -> None:
        raise LimitReached(f"enough of {doing}")

    wide = "\n".join(["." * 60, ".2" * 30] * 20)
    with pytest.raises(LimitReached, match="enough of"):
        arrange(Position.parse(wide, 300), progress=enough)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "luck"}, "method must be backtracking, exact or sat, got 'luck'"),
        ({"start_rule": "end"}, "start_rule must be rows, fewest or weighted, got 'end'"),
        ({"likelihood": "much"}, "likelihood must be values, combinations or product, got 'much'"),
        ({"safe": [(9, 9)]}, "no cell"),
        ({"mined": [(1, 0)]}, "opened"),
    ],
)
def test_invalid_setting_is_rejected(options: Any, message: str) -> None:
    """The error is one line and repeats the value."""
    with pytest.raises(BadSetting, match=message):
        arrange(Position.parse("..\n11"), **options)


def test_fixed_cells_stay_fixed() -> None:
    """Every method respects fixed cells."""
    position = Position.parse("..\n11", 1)
    for method in METHODS:
        for cell in (Cell(0, 0), Cell(0, 1)):
            result = arrange(position, method, mined=[cell])
            assert result.board is not None
            assert result.board.mine_cells() == [cell]


@pytest.mark.parametrize("method", METHODS)
def test_equal_arrangements_compare_equal(method: Method) -> None:
    """[#17] Equal results differed because of their elapsed times."""
    position = Position.parse("....\n.11.\n....", mines=2)
    assert arrange(position, method) == arrange(position, method)
