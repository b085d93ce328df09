"""Pictures are valid XML with a group per cell; all input is escaped or refused."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapper
from sapper.board import Board
from sapper.drawing import MARKS, MOST_SHOWN, THEMES
from sapper.drawing.glyphs import DIGITS
from sapper.errors import BadSetting, WrongType
from sapper.overlays import OVERLAYS, TINTS, Mark, marks_of
from sapper.position import Position
from sapper.solver import analyze
from sapper.topology import topology
from sapper.web import STATIC
from support.strategies import positions

SVG = "{http://www.w3.org/2000/svg}"
WALL = Position.parse("mines: 2\n..F.\n1111")


def groups(svg: str) -> dict[tuple[int, int], ElementTree.Element]:
    """Return the group of each cell."""
    found = ElementTree.fromstring(svg).iterfind(f".//{SVG}g[@data-row]")
    return {(int(one.attrib["data-row"]), int(one.attrib["data-col"])): one for one in found}


def accessible_text(svg: str, cell: tuple[int, int]) -> str | None:
    """Return the accessible text of a cell."""
    return groups(svg)[cell].findtext(f"{SVG}title")


@given(
    position=positions(),
    px=st.integers(8, 128),
    theme=st.sampled_from(sorted(THEMES)),
    coordinates=st.sampled_from([None, 0, 1]),
    data=st.data(),
)
def test_picture_is_valid_xml_with_a_group_per_cell(
    position: Position, px: int, theme: str, coordinates: int | None, data: st.DataObject
) -> None:
    """Groups are in row order for any position, topology, options, marks and chances."""
    cells = st.sampled_from(sorted(position.topology.cells()))
    marks = data.draw(st.dictionaries(st.sampled_from(sorted(MARKS)), st.lists(cells, max_size=5)))
    chances = data.draw(st.dictionaries(cells, st.floats(0, 1), max_size=5))
    text = data.draw(st.text())
    svg = position.to_svg(
        cell_px=px,
        theme=theme,
        coordinates=coordinates,
        marks=marks,
        chances=chances,
        title=text,
        description=text,
    )
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert list(groups(svg)) == list(position.topology.cells())
    assert root[0].tag == f"{SVG}title"
    assert not [
        element for element in root.iter() if {"id", "href", "onload"} & set(element.attrib)
    ]
    labels = [e for e in root.iterfind(f"{SVG}g/{SVG}text") if e.text and e.text.isdigit()]
    assert len(labels) == (0 if coordinates is None else position.width + position.height)


def test_titles_and_descriptions_are_escaped() -> None:
    """Markup in a title is shown as text; characters that XML does not allow are replaced."""
    svg = WALL.to_svg(title="</title><script>&\0", description="<b>")
    root = ElementTree.fromstring(svg)
    assert [root[0].text, root[1].text] == ["</title><script>&\ufffd", "<b>"]
    assert "<script" not in svg


def test_cells_have_accessible_names() -> None:
    """A name gives a cell's row and column (from 1 by default), content, chance and marks."""
    svg = WALL.to_svg(
        chances={(0, 0): 0.003, (0, 1): 1 / 3, (0, 3): 0.999}, marks={"best": [(0, 1)]}
    )
    assert accessible_text(svg, (0, 0)) == "row 1, column 1, unopened, mine chance <1%"
    assert (
        accessible_text(svg, (0, 1)) == "row 1, column 2, unopened, mine chance 33%, best to open"
    )
    assert accessible_text(svg, (0, 2)) == "row 1, column 3, flag"
    assert accessible_text(svg, (0, 3)) == "row 1, column 4, unopened, mine chance >99%"
    assert accessible_text(svg, (1, 2)) == "row 2, column 3, 1"
    assert accessible_text(WALL.to_svg(coordinates=0), (1, 2)) == "row 1, column 2, 1"


def test_description_has_counts() -> None:
    """The default description gives the size and the numbers of mines, opened cells and flags."""
    assert ElementTree.fromstring(WALL.to_svg())[1].text == (
        "4x2 cells, 2 mines; 4 cells opened, 4 unopened, 1 of them flagged."
    )
    unknown = ElementTree.fromstring(Position.parse(".").to_svg())
    assert unknown[1].text == "1x1 cells, unknown mine total; 0 cells opened, 1 unopened."


def test_analysis_adds_marks_and_chances() -> None:
    """The caller's marks are drawn together with those of the analysis."""
    known = analyze(Position.parse("mines: 2\n.....\n.1.1."))
    svg = known.to_svg(marks={"ring": [(1, 1)]}, cell_px=20)
    assert accessible_text(svg, (1, 1)) == "row 2, column 2, 1, named"
    for cell in known.position.unopened_cells():
        text = accessible_text(svg, cell) or ""
        assert ("safe" in text) == (cell in known.safe)
        assert ("a mine" in text) == (cell in known.mined)
        assert ("mine chance" in text) == (cell not in known.safe | known.mined)


def test_an_overlay_is_drawn_with_its_words() -> None:
    """A mark has a colour, glyph or text, and replaces the chances and proofs of an analysis."""
    position = Position.parse("mines: 4\n......\n.1.1F.")
    known = analyze(position)
    theme = THEMES["dark"]
    tints = {index: Mark(tint=name, spoken=f"<{name}>") for index, name in enumerate(TINTS)}
    others = {6: Mark("3", "three", heat=0.25), 8: Mark("!!"), 10: Mark(tint="high")}
    svg = known.to_svg(overlay={**tints, **others}, theme="dark")
    for index, name in enumerate(TINTS):
        assert accessible_text(svg, (0, index)) == f"row 1, column {index + 1}, unopened, <{name}>"
        assert f'fill="{theme.tints[name]}"' in svg
    assert accessible_text(svg, (1, 0)) == "row 2, column 1, unopened, three"
    assert accessible_text(svg, (1, 4)) == "row 2, column 5, flag"
    assert f'fill="{theme.heat[2]}"' in svg
    assert "mine chance" not in svg
    assert [e.text for e in ElementTree.fromstring(svg).iter(f"{SVG}text")] == ["3", "!!"]
    assert accessible_text(svg, (1, 5)) == "row 2, column 6, unopened"


def test_every_registered_overlay_can_be_drawn() -> None:
    """The result of `marks_of` can be given as the option."""
    for name in OVERLAYS:
        marks = marks_of(name, WALL, analyze(WALL.without_flags()))
        assert marks
        svg = WALL.to_svg(overlay=marks)
        assert all(mark.spoken in svg for mark in marks.values())


def test_a_board_shows_every_mine() -> None:
    """Every cell is drawn as a digit or a mine."""
    board = sapper.Board.parse("*1\n11")
    svg = board.to_svg()
    assert accessible_text(svg, (0, 0)) == "row 1, column 1, mine"
    assert THEMES["light"]["hit"] not in svg


def test_a_torus_has_a_dashed_frame() -> None:
    """A torus has a dashed frame, a rectangle a solid one."""
    shape = sapper.Level.parse("5x4:3/torus").shape()
    assert "stroke-dasharray" in Position.unopened(shape).to_svg()
    assert "stroke-dasharray" not in Position.unopened(sapper.BEGINNER.shape()).to_svg()


def test_notebooks_show_small_boards_as_pictures() -> None:
    """Small positions, boards and analyses are drawn automatically; larger ones stay text."""
    wide = Position.unopened(sapper.Level.parse(f"{MOST_SHOWN + 1}x1:3").shape(), 3)
    for small, large in (
        (WALL, wide),
        (sapper.sample(WALL, n=1, seed=1)[0], sapper.sample(wide, n=1, seed=1)[0]),
        (analyze(WALL), analyze(wide)),
    ):
        assert (small._repr_svg_() or "").startswith("<svg")
        assert large._repr_svg_() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"marks": 3}, "expected marks by name, got 3"),
        ({"marks": {"safe": 3}}, "expected cells (row, col), got 3"),
        ({"overlay": 3}, "expected the marks of an overlay, got 3"),
        ({"overlay": {0: "3"}}, "expected a mark of an overlay, got '3'"),
        ({"title": None}, "expected a title or a description as text, got None"),
        ({"description": 3}, "expected a title or a description as text, got 3"),
    ],
)
def test_wrong_option_type_is_reported(options: dict[str, Any], message: str) -> None:
    """[#17] A wrong type raised a `TypeError` from internal code."""
    for picture in (WALL.to_svg, analyze(WALL).to_svg):
        with pytest.raises(WrongType, match=re.escape(message)):
            picture(**options)


def test_board_shows_numbers_above_nine() -> None:
    """[#17] Cells with larger numbers were empty, because only positions had such numbers."""
    shape = topology("triangle", 7, 5)
    around = [shape.cell(near) for near in shape.graph.neighbours(shape.index((2, 3)))]
    board = Board.from_mines(shape, around)
    seen = Position(shape, board.cells.replace(b"*", b"."), board.mines)
    drawn, expected = (
        re.search(r'<g data-row="2" data-col="3".*?</g>', picture)
        for picture in (board.to_svg(), seen.to_svg())
    )
    assert drawn is not None
    assert expected is not None
    assert "<path" in drawn[0]
    assert drawn[0] == expected[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cell_px": 7}, "cell_px must be a whole number from 8 to 128, got 7"),
        ({"cell_px": 20.5}, "cell_px must be a whole number from 8 to 128, got 20.5"),
        ({"theme": "blue"}, "unknown theme 'blue'; choose from: light, dark"),
        ({"coordinates": 2}, "coordinates must start at 0 or 1, or be None, got 2"),
        ({"marks": {"star": []}}, "unknown mark 'star'; choose from: safe, mine, best"),
        ({"marks": {"safe": [(2, 0)]}}, "no cell (2, 0)"),
        ({"chances": {(0, 0): 1.2}}, "a chance must be between 0 and 1, got 1.2"),
        ({"chances": {(0, 0): "much"}}, "a chance must be a number, got 'much'"),
        ({"overlay": {8: Mark("1")}}, "cell indices from 0 to 7, got 8"),
        ({"chances": np.zeros((4, 2))}, "chances must have shape (2, 4), got (4, 2)"),
    ],
)
def test_wrong_options_are_rejected(options: dict[str, Any], message: str) -> None:
    """The message states the value and the allowed values."""
    with pytest.raises(BadSetting, match=re.escape(message)):
        WALL.to_svg(**options)


def test_too_large_board_is_rejected() -> None:
    """The error includes the limit."""
    with pytest.raises(BadSetting, match="at most 40000 cells, got 300x300"):
        Position.unopened(sapper.Level.parse("300x300:9").shape()).to_svg()


def _tokens(block: Callable[[str], bool]) -> dict[str, str]:
    """Return the hex colours in the blocks of the style sheet that have this selector."""
    css = (STATIC / "css" / "tokens.css").read_text("utf-8")
    found: dict[str, str] = {}
    for selector, body in re.findall(r"^(:root[^{]*)\{(.*?)^\}", css, re.M | re.S):
        if block(selector.strip()):
            found |= dict(re.findall(r"--([\w-]+): (#\w+)", body))
    full = "".join
    return {k: v if len(v) == 7 else full(["#", *(2 * c for c in v[1:])]) for k, v in found.items()}


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_colours_match_the_web_app(theme: str) -> None:
    """Each colour is the same as the modern look's colour of that name."""
    chosen = {":root", ':root[data-look="modern"]'}
    if theme == "dark":
        chosen |= {':root[data-dark="true"]', ':root[data-look="modern"][data-dark="true"]'}
    tokens = _tokens(lambda selector: selector in chosen)
    colours = dict(THEMES[theme].colours)
    assert colours == {name: tokens[name] for name in colours}


def test_digits_match_the_web_app() -> None:
    """Every stroke of every number is the same as in the web app."""
    script = (STATIC / "js" / "board" / "glyphs.js").read_text("utf-8")
    assert tuple(re.findall(r'^  "(M[^"]+)",$', script, re.M)[:8]) == DIGITS


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_chance_scale_is_even(theme: str) -> None:
    """The scale has ten tints, and the style sheet contains the first and the last."""
    heat = THEMES[theme].heat
    assert (heat[0], heat[-1]) == (THEMES[theme]["heat-0"], THEMES[theme]["heat-9"])
    assert len(set(heat)) == 10
