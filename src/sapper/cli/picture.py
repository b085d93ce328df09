"""Print an analysis as a grid of probabilities."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from sapper.solver import Analysis, hint_from
from sapper.topology import Cell

__all__ = ["show"]

# Longer counts are rounded; up to this length one fits next to its label in 80 columns.
_FULL_DIGITS = 60
_LEGEND = "S proved safe, M proved a mine, percent: mine probability; digits are opened cells"


def show(analysis: Analysis) -> None:
    """Print the grid and a summary, in colour on a terminal."""
    console = Console(file=sys.stdout, highlight=False)
    for line in _picture(analysis):
        # Plain printing is much faster, which matters for a board with a million cells.
        if console.is_terminal:
            console.print(line, soft_wrap=True)
        else:
            print(line.plain.rstrip())
    print(f"\n{_LEGEND}\n{_summary(analysis)}", flush=True)


def _picture(analysis: Analysis) -> Iterator[Text]:
    position = analysis.position
    edge = len(str(position.height - 1))
    yield Text(" " * edge + "".join(f"{col:>4}" for col in range(position.width)), "dim")
    chances = analysis.p_mine.tolist()
    for row in range(position.height):
        line = Text().append(f"{row:>{edge}}", "dim")
        for col in range(position.width):
            line.append_text(_cell(analysis, Cell(row, col), chances[row][col]))
        yield line


def _cell(analysis: Analysis, cell: Cell, chance: float) -> Text:
    if cell in analysis.safe:
        return Text(f"{'S':>4}", "bold green")
    if cell in analysis.mined:
        return Text(f"{'M':>4}", "bold red")
    if chance != chance:
        char = analysis.position[cell]
        return Text(f"{'·' if char == '0' else char:>4}", "dim")
    return Text(f"{_percent(chance):>4}", "yellow")


def _percent(chance: float) -> str:
    """Format a probability in whole percent; an unproved cell never shows 0 or 100."""
    return "<1%" if chance < 0.01 else f"{min(round(100 * chance), 99)}%"


def _summary(analysis: Analysis) -> str:
    digits = analysis.solutions_text
    if digits is None:
        counted = "not counted within the limit; probabilities are estimates"
    else:
        counted = digits
        if len(digits) > _FULL_DIGITS:
            counted = f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1}"
    lines = [
        f"arrangements  {counted}",
        f"proved        {len(analysis.safe)} safe, {len(analysis.mined)} mined",
    ]
    if len(analysis.mined) < len(analysis.position.unopened_cells()):
        hint = hint_from(analysis)
        lines.append(f"open          {hint.cell}: {hint.sentence}")
    return "\n".join(lines)
