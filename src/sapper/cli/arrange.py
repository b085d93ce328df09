"""`sapper arrange`: find an arrangement of mines that fits, or explain why there is none."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from sapper._grid import Known
from sapper._util.interrupt import noticed
from sapper.board import MINE
from sapper.cli.answering import Density, File, Json, Mines, answer_all
from sapper.cli.output import complain
from sapper.cli.signatures import Option
from sapper.cli.terminal import Line, has_colours, print_lines, status_line
from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import FLAGGED, UNOPENED, Position, headers
from sapper.solver.arrange import Arrangement, Likelihood, Method, StartRule
from sapper.solver.arrange import arrange as find
from sapper.solver.limit import Limit

__all__ = ["EXAMPLE", "arrange"]

EXAMPLE = r"printf '....\n.11.\n....\n' | sapper arrange --mines 2"


def arrange(
    file: File = "-",
    mines: Mines = None,
    density: Density = None,
    method: Annotated[
        Method,
        Option(
            metavar="M",
            help="Method: backtracking (area by area, as in the original), exact (draw from the "
            "exact count) or sat (a satisfiability solver).",
        ),
    ] = Method.BACKTRACKING,
    start_rule: Annotated[
        StartRule,
        Option(
            metavar="R",
            help="Where backtracking starts an area: rows (first in row order), fewest (fewest "
            "combinations) or weighted (fewest, with the neighbours' combinations added at half "
            "weight).",
        ),
    ] = StartRule.WEIGHTED,
    likelihood: Annotated[
        Likelihood,
        Option(
            metavar="L",
            help="How backtracking orders combinations: by the sum of the numbers around a cell "
            "(values), the sum of their combinations (combinations), or the product of their "
            "chances (product).",
        ),
    ] = Likelihood.COMBINATIONS,
    seconds: Annotated[
        float | None,
        Option(metavar="S", help="Time limit per position; exit status 2 if it runs out."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Find an arrangement of mines that fits, or explain why there is none.

    The arrangement agrees with every number and with the mine total, if given. Without a total,
    cells that touch no number get no mines. "No arrangement" is reported only if it is proved. Exit
    status 1 if no arrangement fits.
    """
    if seconds is not None and not seconds > 0:
        raise BadSetting(f"--seconds must be greater than 0, got {seconds}")

    def arranged(position: Position) -> Arrangement:
        with status_line("searching") as progress:
            answer = find(
                position,
                method,
                start_rule=start_rule,
                likelihood=likelihood,
                limit=Limit(seconds=seconds),
                progress=progress,
            )
        if answer.problem is not None:
            raise answer.problem
        return answer

    def picture(position: Position) -> None:
        _show(position, arranged(position), method)

    try:
        return answer_all(
            file,
            Known(mines, density),
            as_json,
            lambda position: arranged(position).to_json(),
            picture,
            _negative,
        )
    except KeyboardInterrupt:
        noticed.set()
        complain("interrupted before an arrangement was found")
        raise


def _negative(problem: InconsistentPosition) -> dict[str, Any]:
    """Return the JSON answer for a position without a fitting arrangement."""
    return Arrangement(None, problem).to_json()


def _show(position: Position, answer: Arrangement, method: Method) -> None:
    """Print the board as text that can be parsed again, with coloured mines on a terminal."""
    board = answer.board
    assert board is not None
    colours = has_colours(sys.stdout)
    print(f"// {_account(answer, method)}")
    print("\n".join(headers(board.topology, board.mines)))
    for seen, row in zip(position.rows, board.rows, strict=True):
        if colours:
            print_lines(_coloured(seen, row))
        else:
            print(row)
    sys.stdout.flush()


def _account(answer: Arrangement, method: Method) -> str:
    summary = f"found by {method}"
    if answer.areas:
        summary += f": {answer.areas} areas" if answer.areas > 1 else ": 1 area"
    if answer.combinations:
        summary += f", {answer.combinations} combinations tried"
    return summary


def _coloured(seen: str, row: str) -> Line:
    """Highlight mines and dim unopened cells."""
    line = Line()
    for before, char in zip(seen, row, strict=True):
        style = "bold red" if char == MINE else "dim" if before in (UNOPENED, FLAGGED) else ""
        line.append(char, style)
    return line
