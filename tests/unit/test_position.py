"""Positions: their text and JSON forms, and their cells."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import BadPosition, SapperError
from sapper.position import NUMBERS, Position, json_part
from sapper.topology import TOPOLOGIES, Rectangle, topology


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any characters on any small board, whether or not mines can fit."""
    shape = topology(
        draw(st.sampled_from([*TOPOLOGIES])),
        draw(st.integers(1, 8)),
        draw(st.integers(1, 8)),
    )
    known = NUMBERS[: shape.most_neighbours + 1].decode() + ".F*"
    cells = draw(st.text(known, min_size=shape.size, max_size=shape.size))
    mines = draw(st.none() | st.integers(0, shape.size))
    density = draw(st.none() | st.floats(0, 1)) if mines is None else None
    return Position(shape, cells.encode(), mines, density)


@given(positions())
def test_text_round_trips(position: Position) -> None:
    """The printed text of a position gives the same position, whatever its numbers."""
    assert Position.parse(str(position)) == position


@given(positions())
def test_json_round_trips(position: Position) -> None:
    """A position is the same after a round trip through JSON text."""
    assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position


@given(st.text())
def test_any_text_is_read_or_rejected(text: str) -> None:
    """Invalid text raises one kind of error; valid text prints the same."""
    try:
        position = Position.parse(text)
    except BadPosition:
        return
    assert Position.parse(str(position)) == position


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("0.F*x"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    JSON
    | st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("rows", "mines", "density", "width", "height", "topology"), JSON),
    )
)
def test_any_json_is_read_or_rejected(obj: Any) -> None:
    """Invalid JSON always raises the same kind of error."""
    try:
        position = Position.from_json(obj)
    except BadPosition:
        return
    assert Position.from_json(position.to_json()) == position


@given(positions())
def test_flags_can_be_removed(position: Position) -> None:
    """Without flags, the same cells are unopened, and the same numbers are open."""
    bare = position.without_flags()
    assert "F" not in "".join(bare.rows)
    assert bare.unopened_cells() == position.unopened_cells()
    assert all(bare.number(c) == position.number(c) for c in position.topology.cells())


def test_cells_have_accessible_names() -> None:
    """A digit is a number, a flag is unopened, and an opened mine is neither."""
    position = Position.parse(".1\nF*", mines=2)
    assert position.number((0, 1)) == 1
    assert position.number((0, 0)) is None
    assert position.number((1, 1)) is None
    assert position[1, 0] == "F"
    assert position.is_unopened((1, 0))
    assert not position.is_unopened((1, 1))
    assert position.unopened_cells() == [(0, 0), (1, 0)]
    assert (position.width, position.height) == (2, 2)


def test_explicit_total_overrides_the_header() -> None:
    """The argument takes precedence; without either, the total is unknown."""
    assert Position.parse("mines: 1\n..\n..", mines=2).mines == 2
    assert Position.from_json({"rows": ["..", ".."], "mines": 1}, mines=2).mines == 2
    assert Position.parse("..\n..").mines is None


def test_before_the_first_click_nothing_is_open() -> None:
    """`Position.unopened` is all dots."""
    assert str(Position.unopened(Rectangle(3, 2), 1)) == "mines: 1\n...\n..."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected at least one row"),
        ("// nothing\n\n", "expected at least one row"),
        ("...\n..\n...", "row 2 has 2 cells, but row 1 has 3: '..'"),
        ("..\n.9", "row 2, column 2: '9' is not a cell; use . for unopened, 0 to 8, F for a flag"),
        ("..\n.x", "row 2, column 2: 'x' is not a cell"),
        ("mines: five\n..", "line 1: mines must be a whole number, 0 or more"),
        ("mines: -5\n..", "got '-5'"),
        ("mines: ²\n..", "got '²'"),
        (
            "mines: 99999999999999999999\n..",
            "mines must be between 0 and 2 for 2 cells, got 999999999999",
        ),
        ("mines: 3\n..", "mines must be between 0 and 2 for 2 cells, got 3"),
        ("..\nmines: 1", "line 2: 'mines' belongs before the rows"),
        ("9x9:4,4,sAA", "line 1: a game id is a board, not a position"),
        ("topology: klein\n..", "unknown topology 'klein'"),
    ],
)
def test_bad_text_is_rejected_with_a_reason(text: str, reason: str) -> None:
    """The message repeats the input and gives the location of the error."""
    with pytest.raises(BadPosition, match=reason.replace("(", r"\(")):
        Position.parse(text)


def test_a_long_bad_row_is_not_repeated_in_full() -> None:
    """The error for a long row stays one readable line."""
    with pytest.raises(BadPosition) as caught:
        Position.parse("..\n" + "." * 10_000)
    assert len(str(caught.value)) < 130


def test_too_many_cells_are_rejected() -> None:
    """A board above the limit is refused before anything is built."""
    with pytest.raises(BadPosition, match="the maximum is"):
        Position.parse("." * 5_000_000)


@pytest.mark.parametrize("mines", [-1, 5])
def test_invalid_total_is_rejected(mines: int) -> None:
    """A total must lie between 0 and the number of cells."""
    with pytest.raises(BadPosition, match=f"between 0 and 4 for 4 cells, got {mines}"):
        Position.parse("..\n..", mines=mines)


def test_errors_share_one_base_and_one_json_shape() -> None:
    """An error is a `SapperError` and a `ValueError`, and has a code."""
    with pytest.raises(ValueError, match="at least one row") as caught:
        Position.parse("")
    assert isinstance(caught.value, SapperError)
    assert caught.value.to_json() == {
        "code": "bad_position",
        "message": "expected at least one row",
    }


@pytest.mark.parametrize(
    ("cells", "mines", "message"),
    [
        (b"..", None, "a position of 3x3 has 9 cells, got 2"),
        (b"........9", None, "a cell must be one of 0 1 2 .*, got '9'"),
        (b".........", 10, "mines must be between 0 and 9 for 3x3, got 10"),
        (b".........", -1, "got -1"),
    ],
)
def test_constructor_rejects_invalid_positions(
    cells: bytes, mines: int | None, message: str
) -> None:
    """Every position that can be constructed can also be read."""
    with pytest.raises(BadPosition, match=message):
        Position(topology("rectangle", 3, 3), cells, mines)


def test_density_is_written_only_if_present() -> None:
    """Older JSON without this key can still be read."""
    plain = Position.parse("..\n11")
    assert plain.to_json() == {"width": 2, "height": 2, "mines": None, "rows": ["..", "11"]}
    dense = Position.parse("density: 0.12\n..\n11")
    assert dense.to_json() == {**plain.to_json(), "density": 0.12}
    assert (dense.without_flags(), str(dense)) == (dense, "density: 0.12\n..\n11")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("density: 2\n.", "density must be between 0 and 1, got 2.0"),
        ("density: -0.1\n.", "line 1: density must be between 0 and 1, got '-0.1'"),
        ("density: nan\n.", "line 1: density must be between 0 and 1, got 'nan'"),
        ("mines: 1\ndensity: 0.1\n.", "a mine total or a density, not both, got 1 and 0.1"),
    ],
)
def test_invalid_density_is_rejected(text: str, reason: str) -> None:
    """The message gives the value and the reason."""
    with pytest.raises(BadPosition, match=reason):
        Position.parse(text)


def test_a_given_density_or_total_replaces_the_header() -> None:
    """Either argument replaces both headers, as a position has at most one of them."""
    assert Position.parse("mines: 1\n..", density=0.2).mines is None
    assert Position.parse("density: 0.2\n..", 1).density is None
    with pytest.raises(BadPosition, match="not both"):
        Position.parse("..", 1, density=0.2)
    with pytest.raises(BadPosition, match="not both"):
        Position.from_json({"rows": [".."], "mines": 1, "density": 0.2})
    with pytest.raises(BadPosition, match=r"'density' must be a number or null, got '0\.2'"):
        Position.from_json({"rows": [".."], "density": "0.2"})


@given(positions())
def test_number_array_matches_the_cells(position: Position) -> None:
    """[#34] Open cells have their number; unopened, flagged and exploded ones -1, -2 and -3."""
    numbers, others = position.numbers, {".": -1, "F": -2, "*": -3}
    assert (numbers.shape, numbers.dtype) == ((position.height, position.width), np.int8)
    for cell in position.topology.cells():
        shown = position.number(cell)
        assert numbers[cell] == (others[position[cell]] if shown is None else shown)
        assert numbers.ravel()[position.topology.index(cell)] == numbers[cell]
    assert position.unopened_cells() == [
        cell for cell in position.topology.cells() if position.is_unopened(cell)
    ]


def test_number_array_is_read_only() -> None:
    """A bot can neither write to the array nor make it writable, as a position is frozen."""
    numbers = Position.parse(".F\n11", mines=1).numbers
    with pytest.raises(ValueError, match="read-only"):
        numbers[0, 0] = 3
    with pytest.raises(ValueError, match="WRITEABLE"):
        numbers.flags.writeable = True


def test_labels_are_left_out_and_misspelt_keys_are_errors() -> None:
    """A line of a data set has its own keys, but `mine` would be read as no total."""
    line = {"rows": [".."], "tag": "natural", "mined": [], "solutions": "1"}
    assert json_part(line) == {"rows": [".."]}
    assert json_part([1]) == [1]
    for key, meant in (("mine", "mines"), ("Mines", "mines"), ("densty", "density")):
        with pytest.raises(BadPosition, match=f"unknown key '{key}'; did you mean {meant}"):
            json_part({"rows": [".."], key: 1})


def test_unknown_keys_are_errors() -> None:
    """A misspelt mine total was ignored, which changes every answer."""
    with pytest.raises(BadPosition, match="unknown key 'mine'; use width, height, mines, density"):
        Position.from_json({"rows": [".."], "mine": 1})
