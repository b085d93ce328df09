"""Pattern files: the text form and its errors."""

import pytest

from sapper.coach.patterns import BadPattern, Family, pattern, patterns, read_pattern

TEXT = """name: 1-1
family: basic
level: 1
order: 10
source: https://example.org/guide
summary: The far cell is safe.

o . . s
o 1 1 +
o ? ? +

o ? ? +
o 1 1 +
o ? ? +
"""


def test_a_file_has_its_headers_and_pictures() -> None:
    """The first picture is the typical one, with cells counted inside its walls."""
    found = read_pattern(TEXT, "1-1")
    assert (found.id, found.name, found.family, found.level) == ("1-1", "1-1", Family.BASIC, 1)
    assert found.forms[0].rows == ("o..s", "o11+", "o??+")
    assert found.forms[0].safe == ((0, 3),)
    assert found.forms[0].numbers == ((1, 1), (1, 2))
    assert found.forms[0].position.rows == ["0...", "0110", "0000"]
    assert len(found.forms) == 2


def test_walls_are_not_part_of_the_position() -> None:
    """The edge of the small board replaces a wall."""
    form = pattern("corner-1-1").forms[0]
    assert form.position.rows[0].startswith("11")
    assert form.numbers == ((0, 0), (0, 1))
    assert set(form.safe) == {(1, 2)}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("family: basic", "family: odd", "'family' must be one of basic, wall"),
        ("level: 1", "level: 4", "'level' must be from 1 to 3, got '4'"),
        ("order: 10", "order: ten", "'order' must be from 0 to 9999, got 'ten'"),
        ("name: 1-1", "name:", "'name' is missing"),
        ("source: https://example.org/guide\n", "", "'source' is missing"),
        ("https://example.org/guide", "a book", "'source' must be an address"),
        ("level: 1", "level: 1\nlevel: 1", "'level' is given twice"),
        ("level: 1", "level: 1\ncolour: red", "got 'colour: red'"),
        ("level: 1", "level: 1\nlooks like: 1-2", "'looks like' is for false friends"),
        ("level: 1", "level: 1\nremaining: 2", "'remaining' is for end games"),
        ("level: 1", "level: 1\nelsewhere: safe", "'elsewhere' is for end games"),
        ("family: basic", "family: end", "'remaining' is for end games, which need it"),
        ("o 1 1 +", "o 1 1", "must have the same length"),
        ("o 1 1 +", "o 1 x +", "'x' is not a cell of a pattern of the family basic"),
        ("o . . s", "o g . s", "'g' is not a cell of a pattern of the family basic"),
        ("o . . s", "o # . s", "# must fill a whole row or column"),
        ("o 1 1 +", "o . . +", "a picture needs numbers"),
        ("o . . s", "o * . s", "each larger than its known mines"),
        ("o . . s", "o . . s . . . . .", "same length"),
    ],
)
def test_a_damaged_file_has_one_clear_error(old: str, new: str, reason: str) -> None:
    """The error gives the id of the pattern and the reason."""
    with pytest.raises(BadPattern, match="pattern '1-1': ") as error:
        read_pattern(TEXT.replace(old, new, 1), "1-1")
    assert reason in str(error.value)


@pytest.mark.parametrize("text", ["", "\n\n", "name: 1-1", TEXT.split("\n\n", maxsplit=1)[0]])
def test_a_file_without_a_picture_is_rejected(text: str) -> None:
    """An empty file is not a pattern."""
    with pytest.raises(BadPattern):
        read_pattern(text, "1-1")


def test_a_large_picture_is_rejected() -> None:
    """The matcher looks at most seven cells away from a number."""
    head = TEXT.split("\n\n", maxsplit=1)[0]
    with pytest.raises(BadPattern, match="at most 8 rows and columns"):
        read_pattern(f"{head}\n\n{'1 ' * 9}", "1-1")


@pytest.mark.parametrize("name", ["", "One", "a b", "../1-1", "1--1"])
def test_an_id_is_a_safe_file_name(name: str) -> None:
    """Ids can be part of a URL."""
    with pytest.raises(BadPattern, match="an id has small letters"):
        read_pattern(TEXT, name)


def test_an_unknown_pattern_is_an_error() -> None:
    """The error repeats the id."""
    with pytest.raises(BadPattern, match="there is no pattern '9-9'"):
        pattern("9-9")
    assert pattern("1-2-1") is patterns()["1-2-1"]
