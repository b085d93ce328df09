"""Read patterns from their text files in ``library/``."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final, TypeVar

from sapper._util.shortening import shown
from sapper.coach.patterns.definitions import (
    NUMBERS,
    UNOPENED,
    BadPattern,
    Elsewhere,
    Family,
    Form,
    Pattern,
)
from sapper.translation import Text

__all__ = ["MOST_SIDE", "pattern", "patterns", "read_pattern"]

MOST_SIDE: Final = 8
"""Maximum number of rows or columns of a picture."""

_Choice = TypeVar("_Choice", Family, Elsewhere)
_CHARACTERS: Final = NUMBERS + UNOPENED + "+o#*?"
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NEEDED: Final = ("name", "family", "level", "order", "source", "summary")
_OPTIONAL: Final = ("looks like", "remaining", "elsewhere")
_MARKS: Final = {Family.DEAD: "g", Family.FALSE: "SM"}


@cache
def patterns() -> dict[str, Pattern]:
    """Return the patterns that come with Sapper by their ids, in the order of the library.

    Raises:
        BadPattern: If a file is damaged.
    """
    files = resources.files("sapper.coach.patterns").joinpath("library").iterdir()
    read = [
        read_pattern(file.read_text("utf-8"), file.name.removesuffix(".txt"))
        for file in files
        if file.name.endswith(".txt")
    ]
    return {found.id: found for found in sorted(read, key=lambda found: (found.order, found.id))}


def pattern(pattern_id: str) -> Pattern:
    """Return a pattern by its id.

    Raises:
        BadPattern: If there is no such pattern.
    """
    found = patterns().get(pattern_id)
    if found is None:
        raise BadPattern(f"there is no pattern {shown(pattern_id)}")
    return found


def read_pattern(text: str, pattern_id: str) -> Pattern:
    """Read a pattern: lines ``key: value``, then pictures, each after an empty line.

    The claims of the pictures are not checked; see `sapper.coach.patterns.proving`.

    Args:
        text: The text of the file.
        pattern_id: Its id, the name of the file without ``.txt``.

    Raises:
        BadPattern: If the text is not a pattern; the message gives the id and the reason.
    """
    try:
        if not _ID.fullmatch(pattern_id):
            raise BadPattern("an id has small letters and digits in groups joined by hyphens")
        blocks = [block.splitlines() for block in re.split(r"\n\s*\n", text.strip())]
        known = _headers(blocks[0])
        family = _member(Family, known, "family")
        remaining = _whole(known, "remaining", 0, 99) if "remaining" in known else None
        elsewhere = _member(Elsewhere, {"elsewhere": "none", **known}, "elsewhere")
        forms = tuple(Form(_picture(block, family), remaining, elsewhere) for block in blocks[1:])
        _check(known, family, forms)
        return Pattern(
            id=pattern_id,
            name=Text(known["name"], {}),
            family=family,
            level=_whole(known, "level", 1, 3),
            order=_whole(known, "order", 0, 9999),
            source=known["source"],
            summary=Text(known["summary"], {}),
            looks_like=known.get("looks like", ""),
            forms=forms,
        )
    except BadPattern as problem:
        raise BadPattern(f"pattern {shown(pattern_id)}: {problem}") from None


def _headers(lines: list[str]) -> dict[str, str]:
    known: dict[str, str] = {}
    for line in lines:
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in _NEEDED + _OPTIONAL:
            raise BadPattern(
                f"a line before the pictures is KEY: VALUE with one of the keys "
                f"{', '.join(_NEEDED + _OPTIONAL)}, got {shown(line)}"
            )
        if key in known:
            raise BadPattern(f"'{key}' is given twice")
        known[key] = value
    missing = [key for key in _NEEDED if not known.get(key) and key != "source"]
    if missing or "source" not in known:
        raise BadPattern(f"'{(missing or ['source'])[0]}' is missing")
    return known


def _picture(lines: list[str], family: Family) -> tuple[str, ...]:
    rows = tuple("".join(line.split()) for line in lines)
    if len({*map(len, rows)}) != 1:
        raise BadPattern(f"all rows of a picture must have the same length, got {shown(rows)}")
    if max(len(rows), len(rows[0])) > MOST_SIDE:
        raise BadPattern(f"a picture has at most {MOST_SIDE} rows and columns")
    cells = "".join(rows)
    for char in cells:
        if char not in _CHARACTERS or (char in "gSM" and char not in _MARKS.get(family, "")):
            raise BadPattern(f"{shown(char)} is not a cell of a pattern of the family {family}")
    if "#" in cells and not _walls_are_straight(rows):
        raise BadPattern("# must fill a whole row or column at the side of the picture")
    form = Form(rows)
    low = [at for at in form.at(NUMBERS) if form.left(*at) < 1] if "*" in cells else []
    if low or not any(number in cells for number in NUMBERS):
        raise BadPattern("a picture needs numbers, each larger than its known mines")
    return rows


def _walls_are_straight(rows: tuple[str, ...]) -> bool:
    """Return whether every # is in a line of # at a side."""
    inner = [row for at, row in enumerate(rows) if at not in (0, len(rows) - 1) or row.strip("#")]
    columns = list(zip(*inner, strict=True))[1:-1] if inner else []
    sides = [{row[0] for row in inner}, {row[-1] for row in inner}]
    straight = all("#" not in side or side == {"#"} for side in sides)
    return bool(inner) and straight and not any("#" in column for column in columns)


def _check(known: dict[str, str], family: Family, forms: tuple[Form, ...]) -> None:
    if not forms:
        raise BadPattern("there is no picture")
    if ("looks like" in known) != (family is Family.FALSE):
        raise BadPattern("'looks like' is for false friends, which need it")
    if ("remaining" in known) != (family is Family.END):
        raise BadPattern("'remaining' is for end games, which need it")
    if "elsewhere" in known and family is not Family.END:
        raise BadPattern("'elsewhere' is for end games")
    if known["source"] and not known["source"].startswith(("https://", "http://")):
        raise BadPattern(f"'source' must be an address, got {shown(known['source'])}")


def _member(kind: type[_Choice], known: dict[str, str], key: str) -> _Choice:
    try:
        return kind(known[key])
    except ValueError:
        raise BadPattern(
            f"'{key}' must be one of {', '.join(kind)}, got {shown(known[key])}"
        ) from None


def _whole(known: dict[str, str], key: str, least: int, most: int) -> int:
    value = known[key]
    if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
        raise BadPattern(f"'{key}' must be from {least} to {most}, got {shown(value)}")
    return int(value)
