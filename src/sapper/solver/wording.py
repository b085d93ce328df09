"""Explain in words why a cell is safe or a mine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sapper.position import Position
from sapper.solver.witnesses import Witness
from sapper.topology import Cell
from sapper.translation import Text, capital, sentences, t, tn

__all__ = [
    "counted_numbers",
    "in_words",
    "last_clear_cell",
    "listed",
    "number_at",
    "sentence",
    "with_unknown_total",
]

_MOST_NAMED: Final = 4
"""Above this number of numbers, messages give only the count."""

_WORDS: Final = (
    t("no"),
    t("one"),
    t("two"),
    t("three"),
    t("four"),
    t("five"),
    t("six"),
    t("seven"),
    t("eight"),
    t("nine"),
    t("ten"),
    t("eleven"),
    t("twelve"),
)


def sentence(
    witnesses: Sequence[Witness],
    mines: int | None,
    place: Callable[[Cell], str],
    *,
    mined: bool = False,
) -> str:
    """Return a sentence that explains why a cell is safe or a mine.

    Args:
        witnesses: The numbers that prove it; if there are two, the one that touches the cell is
            last.
        mines: The mine total if it is needed, otherwise None.
        place: Names a cell.
        mined: Whether it is a mine.
    """
    told = witnesses if len(witnesses) < 3 else sorted(witnesses, key=lambda w: w.cell)
    names = [number_at(witness.number, place(witness.cell)) for witness in told]
    if mined:
        return _mine(names, mines)
    if mines is not None:
        return _by_total(names, mines)
    if len(names) == 1:
        return _single(names[0], witnesses[0])
    if len(names) == 2 and (said := _pair(names, *witnesses)):
        return said
    return capital(t("{numbers} together leave no room for a mine here.", numbers=_together(names)))


def last_clear_cell(*, alone: bool) -> str:
    """Return a sentence that explains why a cell is the last clear one of a running game.

    Args:
        alone: Whether no other cell is unopened; otherwise, all others are mines.
    """
    if alone:
        return t("This is the only unopened cell. The game is not over, so it is clear.")
    return t("All other unopened cells are mines. The game is not over, so this one is clear.")


def with_unknown_total(position: Position, said: Text) -> Text:
    """Append a note to a message about a chance if neither mine total nor density is known."""
    if position.mines is not None or position.density is not None:
        return said
    return sentences(said, t("Mine total unknown: every arrangement counts equally."))


def _by_total(names: list[Text], mines: int) -> str:
    if not names:
        return t("The mine total leaves no mine for unopened cells.")
    total = _mines(mines)
    if len(names) == 1:
        return t(
            "With {total} in all, {number} leaves no room for a mine here.",
            total=total,
            number=names[0],
        )
    return t(
        "With {total} in all, {numbers} together leave no room for a mine here.",
        total=total,
        numbers=_together(names),
    )


def _mine(names: list[Text], mines: int | None) -> str:
    if not names:
        return t("The mine total fills every unopened cell.")
    if len(names) == 1:
        if mines is None:
            return capital(t("{number} needs a mine here.", number=names[0]))
        return t(
            "With {total} in all, {number} needs a mine here.", total=_mines(mines), number=names[0]
        )
    known = _together(names)
    if mines is None:
        return capital(t("{numbers} together need a mine here.", numbers=known))
    return t(
        "With {total} in all, {numbers} together need a mine here.",
        total=_mines(mines),
        numbers=known,
    )


def _single(name: Text, witness: Witness) -> str:
    if witness.number == 0:
        return capital(t("{number} has no mine around it.", number=name))
    return capital(
        tn(
            "{number} already has its mine, which is open.",
            "{number} already has its mines, which are open.",
            witness.number,
            number=name,
        )
    )


def _pair(names: list[Text], first: Witness, own: Witness) -> str:
    """Explain a proof by two numbers; return an empty text if they do not form one."""
    if first.least_in(own) < own.mines:
        return ""
    if first.mines == len(first.cells):
        full = tn(
            "{first} has only {n} unopened cell around it, which must be a mine.",
            "{first} has only {n} unopened cells around it, which must be mines.",
            first.mines,
            n=in_words(first.mines),
            first=names[0],
        )
        met = tn(
            "So {second} already has its mine.",
            "So {second} already has its mines.",
            own.number,
            second=names[1],
        )
        return sentences(capital(full), met)
    if first.cells - own.cells:
        lying = tn(
            "At least {n} mine around {first} lies in cells that {second} also touches.",
            "At least {n} mines around {first} lie in cells that {second} also touches.",
            own.mines,
            n=in_words(own.mines),
            first=names[0],
            second=names[1],
        )
    else:
        lying = tn(
            "The mine around {first} lies in cells that {second} also touches.",
            "The {n} mines around {first} lie in cells that {second} also touches.",
            own.mines,
            n=in_words(own.mines),
            first=names[0],
            second=names[1],
        )
    none = t("So {second} has no mine left for its other cells.", second=names[1])
    return sentences(lying, none)


def _together(names: list[Text]) -> str:
    return listed(names) if len(names) <= _MOST_NAMED else counted_numbers(len(names))


def _mines(count: int) -> Text:
    return tn("{n} mine", "{n} mines", count, n=in_words(count))


def number_at(number: int, place: str) -> Text:
    """Return the name of a number on the board."""
    return t("the {number} at {place}", number=number, place=place)


def counted_numbers(count: int) -> Text:
    """Return a count of numbers on the board, in words."""
    return tn("{n} number", "{n} numbers", count, n=in_words(count))


def in_words(count: int) -> str:
    """Return a small number in words."""
    return _WORDS[count] if count < len(_WORDS) else str(count)


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    if len(names) == 1:
        return names[0]
    return t("{names} and {last}", names=list(names[:-1]), last=names[-1])
