"""Print an analysis as a grid of probabilities."""

from __future__ import annotations

import sys

import numpy as np

from sapper._grid import DIGITS, text_of
from sapper._util.work import Work
from sapper.cli.terminal import Line, has_colours, print_lines
from sapper.position import FLAGGED, UNOPENED
from sapper.solver import Analysis, Limit, hint_from
from sapper.solver.analysis import no_chance
from sapper.solver.search import WinChance
from sapper.stats import percent_text

__all__ = ["show", "show_win_chance"]

# This is the longest count that fits next to its label in 80 columns.
_FULL_DIGITS = 60
# How many cells are listed with their win chances; JSON lists them all.
_CELLS = 5
_STYLES = ("dim", "yellow", "bold green", "bold red")
_LEGEND = "S proved safe, M proved a mine, percent: mine probability; digits are opened cells"


def show(analysis: Analysis, work: Work | None = None) -> None:
    """Print the picture and a summary, in colour on a terminal.

    Args:
        analysis: The analysis.
        work: Deadline for the hint in the summary.
    """
    colours = has_colours(sys.stdout)
    position = analysis.position
    edge = len(str(position.height - 1))
    shape = position.topology
    wide = 4 + bool(shape.tile(0, 0).mark)
    head = " " * edge + "".join(f"{col:>{wide}}" for col in range(position.width))
    indents = [" " * round(wide * shape.indent(row)) for row in (0, 1)]
    words, kinds = _words(analysis), _kinds(analysis)
    print_lines(Line(head, "dim"))
    for row in range(position.height):
        cells = slice(row * position.width, (row + 1) * position.width)
        if colours:
            line = Line().append(f"{row:>{edge}}{indents[row % 2]}", "dim")
            for kind, word in zip(kinds[cells], words[cells], strict=True):
                line.append(word, _STYLES[kind])
            print_lines(line)
        else:
            # Plain printing is much faster for boards with millions of cells.
            print(f"{row:>{edge}}{indents[row % 2]}{''.join(words[cells])}".rstrip())
    print(f"\n{_LEGEND}\n{_summary(analysis, work)}", flush=True)


def show_win_chance(result: WinChance) -> None:
    """Print the win chance of the position and of the best cells."""
    print(f"win chance    {percent_text(result.win_chance, result.error)} ({result.kind})")
    for at in result.cells[:_CELLS]:
        chance = percent_text(at.win_chance, at.error)
        print(f"  {at.cell}: wins {chance}, mine in {100 * at.p_mine:.1f} %")
    sys.stdout.flush()


def _kinds(analysis: Analysis) -> bytes:
    """Return an index into `_STYLES` for each cell."""
    kinds = np.where(np.isnan(analysis.p_mine.ravel()), 0, 1).astype(np.uint8)
    kinds[list(analysis.safe_indices)] = 2
    kinds[list(analysis.mined_indices)] = 3
    return kinds.tobytes()


def _words(analysis: Analysis) -> list[str]:
    """Return the text of each cell."""
    opened = {char: f"{'·' if char == '0' else char:>4}" for char in DIGITS + ".F*"}
    text = text_of(analysis.position.cells)
    chances = analysis.p_mine.ravel().tolist()
    words = [
        opened[char] if chance != chance else f"{_percent(chance):>4}"
        for char, chance in zip(text, chances, strict=True)
    ]
    for cell in analysis.safe_indices:
        words[cell] = "   S"
    for cell in analysis.mined_indices:
        words[cell] = "   M"
    for cell in np.flatnonzero(no_chance(analysis.position)).tolist():
        words[cell] = "   ?"
    shape = analysis.position.topology
    if not shape.tile(0, 0).mark:
        return words
    marks = (shape.tile(*shape.cell(index)).mark for index in range(shape.size))
    return [f" {mark}{word[1:]}" for word, mark in zip(words, marks, strict=True)]


def _percent(chance: float) -> str:
    """Format a probability in whole percent; an unproved cell never shows 0 or 100."""
    return "<1%" if chance < 0.01 else f"{min(round(100 * chance), 99)}%"


def _summary(analysis: Analysis, work: Work | None) -> str:
    digits = analysis.solutions_text
    if digits is None:
        counted = "not counted within the limit; probabilities are estimates"
    else:
        counted = digits
        if len(digits) > _FULL_DIGITS:
            counted = f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1}"
    position = analysis.position
    lines = [
        *([] if position.density is None else [f"density       {position.density:g}"]),
        f"arrangements  {counted}",
        f"proved        {len(analysis.safe_indices)} safe, {len(analysis.mined_indices)} mined",
    ]
    if position.mines is None and position.density is None:
        lines.insert(0, "mine total    unknown: every arrangement counts equally")
        if no_chance(position).any():
            lines.insert(1, "cells with ?  touch no number: their chance of a mine is unknown")
    unopened = sum(map(analysis.position.cells.count, (UNOPENED.encode(), FLAGGED.encode())))
    if len(analysis.mined_indices) < unopened:
        hint = hint_from(analysis, limit=None if work is None else Limit(seconds=work.left))
        lines.append(f"open          {hint.cell}: {hint.sentence}")
    return "\n".join(lines)
