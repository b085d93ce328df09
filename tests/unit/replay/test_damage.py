"""Errors about replay files are translated as a whole, and count rows and columns from 1."""

from __future__ import annotations

import pytest

from sapper.errors import BadReplay
from sapper.replay import parse
from sapper.web.language import translated_to

RAWVF = b"Level: custom\nWidth: 2\nHeight: 2\nMines: 1\nBoard:\n%s\nEvents:\n0.000 start\n"


@pytest.mark.parametrize(
    ("data", "english", "german"),
    [
        (RAWVF % b"*0\n0", "row 2 of the board has 1 cells instead of 2", "Zeile 2"),
        (RAWVF % b"**\n00", "says 1 mines, but its board has 2", "laut Datei 1 Minen"),
        (
            b"*rmv\0\2\0\0",
            "cannot be read: the file ends too early",
            "Datei endet zu früh",
        ),
        (b"*rmv\0\7\0\0", "must be between 1 and 2, got 7", "zwischen 1 und 2"),
        (
            b"nothing",
            "not a replay of a known format",
            "keine Aufzeichnung in",
        ),
    ],
)
def test_details_are_translated_too(data: bytes, english: str, german: str) -> None:
    """The reason stands in the language of the sentence around it."""
    with pytest.raises(BadReplay, match=english) as refused:
        parse(data)
    assert german in str(translated_to("de", refused.value.args[0]))
