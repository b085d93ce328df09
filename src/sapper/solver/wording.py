"""Explain in words why a cell is safe, or a mine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sapper.solver.witnesses import Witness
from sapper.topology import Cell

__all__ = ["capital", "counted", "listed", "sentence"]

_MOST_NAMED: Final = 4
"""More numbers than this are counted, not named."""

_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def sentence(
    witnesses: Sequence[Witness],
    mines: int | None,
    place: Callable[[Cell], str],
    *,
    mined: bool = False,
) -> str:
    """Return a sentence that explains why a cell is safe, or a mine.

    Args:
        witnesses: The numbers that prove it; of two, the one that touches it is last.
        mines: The mine total, where that is needed as well; else None.
        place: Names a cell.
        mined: Whether it is a mine.
    """
    told = witnesses if len(witnesses) < 3 else sorted(witnesses, key=lambda w: w.cell)
    names = [f"the {witness.number} at {place(witness.cell)}" for witness in told]
    if mined:
        return _mine(names, mines)
    if mines is not None:
        if not names:
            return "The mine total leaves no mine for unopened cells."
        total = counted(mines, "mine")
        return f"With {total} in all, {_together(names)} no room for a mine here."
    if len(names) == 1:
        return _single(names[0], witnesses[0])
    if len(names) == 2 and (said := _pair(names, *witnesses)):
        return said
    return capital(f"{_together(names)} no room for a mine here.")


def _mine(names: list[str], mines: int | None) -> str:
    if not names:
        return "The mine total fills every unopened cell."
    known = listed(names) if len(names) <= _MOST_NAMED else counted(len(names), "number")
    verb = f"{'needs' if len(names) == 1 else 'together need'} a mine here."
    if mines is None:
        return capital(f"{known} {verb}")
    return f"With {counted(mines, 'mine')} in all, {known} {verb}"


def _single(name: str, witness: Witness) -> str:
    if witness.number == 0:
        return capital(f"{name} has no mine around it.")
    return capital(f"{name} has its {_mines(witness.number)} already, and that is open.")


def _pair(names: list[str], first: Witness, own: Witness) -> str:
    """Explain what two numbers prove; return nothing if they are not such a pair."""
    if first.least_in(own) < own.mines:
        return ""
    if first.mines == len(first.cells):
        return capital(
            f"{names[0]} has only {counted(first.mines, 'unopened cell')} around it, "
            f"which must be {_mines(first.mines, 'a ')}. "
            f"So {names[1]} has its {_mines(own.number)} already."
        )
    if first.cells - own.cells:
        lying = f"at least {counted(own.mines, 'mine')}"
    else:
        lying = "the mine" if own.mines == 1 else f"the {counted(own.mines, 'mine')}"
    verb = "lies" if own.mines == 1 else "lie"
    return capital(
        f"{lying} around {names[0]} {verb} in cells that {names[1]} touches as well. "
        f"So {names[1]} has no mine left for its other cells."
    )


def _together(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} leaves"
    if len(names) <= _MOST_NAMED:
        return f"{listed(names)} together leave"
    return f"{counted(len(names), 'number')} together leave"


def _mines(count: int, one: str = "") -> str:
    return f"{one}mine" if count == 1 else "mines"


def counted(count: int, noun: str) -> str:
    """Return a number in words with its noun."""
    word = _WORDS[count] if count < len(_WORDS) else str(count)
    return f"{word} {noun}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
