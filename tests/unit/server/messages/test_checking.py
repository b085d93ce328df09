"""The checks of message fields."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from sapper.server.messages.checking import Checked, Range, checked, is_a, wrong_in
from sapper.server.protocol import BadMessage


class Inner(TypedDict):
    """An object inside another one."""

    a: int


class Sample(TypedDict):
    """One field of each type."""

    cell: tuple[int, int]
    turn: Annotated[int, Range(1, 9)]
    word: NotRequired[Literal["x", "y"]]
    switch: NotRequired[bool]
    later: NotRequired[Annotated[str, Checked("a bot", "string")]]
    inner: NotRequired[list[Inner] | None]
    share: NotRequired[float]
    named: NotRequired[dict[str, str]]


VALID: dict[str, Any] = {"cell": [0, 1], "turn": 1}


@pytest.mark.parametrize(
    "more",
    [
        {"word": "x", "switch": False, "later": 3},
        {"inner": None, "share": 1},
        {"inner": [{"a": 1}], "share": 0.5, "named": {"a": "b"}},
    ],
)
def test_a_valid_object_is_returned_without_the_other_fields(more: dict[str, Any]) -> None:
    """Optional fields, and fields that their handlers check, are accepted."""
    assert checked({**VALID, **more, "type": "open"}, Sample, ("type",)) == {**VALID, **more}
    assert checked({**VALID, "old": 1}, Sample, None) == VALID


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"cell": [0]}, r"'cell' must be \[row, column\], got \[0\]"),
        ({"cell": [True, 0]}, "'cell' must be"),
        ({"turn": 10}, "'turn' must be a whole number from 1 to 9, got 10"),
        ({"turn": 1.0}, "'turn' must be"),
        ({"word": "z"}, "'word' must be one of x, y, got 'z'"),
        ({"word": ["x"]}, "'word' must be"),
        ({"switch": 1}, "'switch' must be true or false, got 1"),
        ({"inner": [{}]}, "'inner' must be a list or null"),
        ({"inner": [{"a": 1, "b": 2}]}, "'inner' must be"),
        ({"share": "1"}, "'share' must be a number"),
        ({"named": {"a": 1}}, "'named' must be an object"),
        ({"colour": 1}, "unknown field 'colour'; choose from: cell, turn"),
    ],
)
def test_error_names_the_field_and_the_allowed_values(more: dict[str, Any], reason: str) -> None:
    """The error names the field, the given value and the allowed values."""
    with pytest.raises(BadMessage, match=reason):
        checked({**VALID, **more}, Sample)


def test_a_missing_field_is_an_error() -> None:
    """Required fields have no default."""
    with pytest.raises(BadMessage, match="'turn' must be a whole number from 1 to 9, got None"):
        checked({"cell": [0, 0]}, Sample)
    assert wrong_in({"cell": [0, 0], "more": 1}, Sample) == ["turn", "more"]
    assert not is_a(list[Sample])([{"cell": [0, 0]}])
