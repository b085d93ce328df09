"""The steps of a proof in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sapper.solver.wording import counted_numbers, in_words, listed
from sapper.translation import Text, capital, t, tn

__all__ = [
    "MOST_NAMED",
    "around",
    "goes_on",
    "has_its_mines",
    "leave_no_mine",
    "needs_all",
    "nothing_fits",
    "settle_one_by_one",
    "shares_at_most",
    "so_clear",
    "so_mined",
    "too_little_room",
    "too_many",
]

MOST_NAMED: Final = 6
"""Above this number of cells, messages give only the count."""


def too_many(number: str, mines: int) -> str:
    """Explain that a number would have more mines than it shows."""
    return tn(
        "Then {number} would have {n} mine.",
        "Then {number} would have {n} mines.",
        mines,
        n=in_words(mines),
        number=number,
    )


def too_little_room(number: str, room: int) -> str:
    """Explain that a number would have room for fewer mines than it shows."""
    return (
        tn(
            "Then {number} would have room for only {n} mine.",
            "Then {number} would have room for only {n} mines.",
            room,
            n=in_words(room),
            number=number,
        )
        if room
        else t("Then {number} would have no room for a mine.", number=number)
    )


def nothing_fits(numbers: Sequence[str]) -> str:
    """Explain that no arrangement fits these numbers."""
    if len(numbers) > MOST_NAMED:
        return tn(
            "Then no arrangement of mines fits this {n} number.",
            "Then no arrangement of mines fits these {n} numbers.",
            len(numbers),
        )
    return t("Then no arrangement of mines fits {numbers}.", numbers=listed(numbers))


def settle_one_by_one(numbers: int, mines: int, clear: int) -> str:
    """Explain that this many numbers settle cells one after another."""
    return capital(
        t(
            "Working through {numbers} in turn gives {mines} and {cells}.",
            numbers=counted_numbers(numbers),
            mines=tn("{n} mine", "{n} mines", mines, n=in_words(mines)),
            cells=tn("{n} clear cell", "{n} clear cells", clear, n=in_words(clear)),
        )
    )


# Reasons, each the first half of a sentence that `so_clear` or `so_mined` completes.


def has_its_mines(number: str, mines: int) -> Text:
    """Explain that a number has all its mines."""
    return (
        tn(
            "{number} already has its mine",
            "{number} already has its mines",
            mines,
            number=number,
        )
        if mines
        else t("{number} leaves no mine", number=number)
    )


def needs_all(number: str, mines: int, *, more: bool) -> Text:
    """Explain that a number needs all its remaining cells; `more` if it already has some mines."""
    words = {"n": in_words(mines), "number": number}
    return (
        tn(
            "{number} needs {n} more mine and has only {n} cell left",
            "{number} needs {n} more mines and has only {n} cells left",
            mines,
            **words,
        )
        if more
        else tn(
            "{number} needs {n} mine and has only {n} cell left",
            "{number} needs {n} mines and has only {n} cells left",
            mines,
            **words,
        )
    )


def goes_on(*, alone: bool) -> Text:
    """Explain that one unopened cell is left that is not a mine; `alone` if there is no other."""
    if alone:
        return t("the game is not over with this one cell unopened")
    return t("all other unopened cells are mines and the game is not over")


def leave_no_mine(first: str, second: str) -> Text:
    """Explain that a number and the mine total leave no mine elsewhere."""
    return t("{first} and {second} leave no mine for other cells", first=first, second=second)


def shares_at_most(first: str, second: str, mines: int, *, missing: bool) -> Text:
    """Explain that two numbers share few mines; `missing` if some of their mines are open."""
    words = {"n": in_words(mines), "first": first, "second": second}
    return (
        tn(
            "{second} shares at most {n} missing mine with {first}",
            "{second} shares at most {n} missing mines with {first}",
            mines,
            **words,
        )
        if missing
        else tn(
            "{second} shares at most {n} mine with {first}",
            "{second} shares at most {n} mines with {first}",
            mines,
            **words,
        )
    )


def around(first: str, second: str, mines: int, *, whole: bool, missing: bool) -> Text:
    """Explain that mines around one number are also around another.

    Args:
        first: The number whose mines they are.
        second: The other one.
        mines: The number of mines.
        whole: Whether these are all of the first number's missing mines.
        missing: Whether some of its mines are open.
    """
    words = {"n": in_words(mines), "first": first, "second": second}
    if whole and missing:
        return tn(
            "the missing mine around {first} is also around {second}",
            "the {n} missing mines around {first} are also around {second}",
            mines,
            **words,
        )
    if whole:
        return tn(
            "the mine around {first} is also around {second}",
            "the {n} mines around {first} are also around {second}",
            mines,
            **words,
        )
    if missing:
        return tn(
            "at least {n} missing mine around {first} is also around {second}",
            "at least {n} missing mines around {first} are also around {second}",
            mines,
            **words,
        )
    return tn(
        "at least {n} mine around {first} is also around {second}",
        "at least {n} mines around {first} are also around {second}",
        mines,
        **words,
    )


def so_clear(reason: str, names: Sequence[str]) -> str:
    """Conclude that these cells are clear."""
    return capital(
        tn(
            "{reason}, so {cells} is clear.",
            "{reason}, so {cells} are clear.",
            len(names),
            reason=reason,
            cells=_named(names),
        )
    )


def so_mined(reason: str, names: Sequence[str]) -> str:
    """Conclude that these cells are mines."""
    return capital(
        tn(
            "{reason}, so {cells} is a mine.",
            "{reason}, so {cells} are mines.",
            len(names),
            reason=reason,
            cells=_named(names),
        )
    )


def _named(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    return tn("{n} cell", "{n} cells", len(names))
