"""Read positions, print answers and return the exit status, for `analyze`, `arrange` and `hint`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

from sapper._grid import Known, check_known
from sapper.cli.exit_status import ExitStatus
from sapper.cli.input import opened, read_positions
from sapper.cli.output import complain, emit
from sapper.cli.signatures import Argument, Option
from sapper.errors import BadSetting, IllegalAction, InconsistentPosition, SapperError
from sapper.position import Position

__all__ = ["Density", "File", "Json", "Mines", "answer_all"]


File = Annotated[
    str,
    Argument(
        metavar="FILE|-",
        help="Position as text or JSON, many as JSON Lines, or an .mbf or .board file; - reads "
        "standard input.",
    ),
]
Mines = Annotated[
    int | None,
    Option(metavar="N", help="Mine total; overrides the input (default: from the input)."),
]
Density = Annotated[
    float | None,
    Option(
        metavar="D",
        help="Chance, from 0 to 1, that each cell is a mine, in place of a mine total; overrides "
        "the input.",
    ),
]
Json = Annotated[bool, Option("--json", help="Print JSON, one line per position.")]


def answer_all(
    path: str,
    overrides: Known,
    as_json: bool,
    to_json: Callable[[Position], dict[str, Any]],
    show: Callable[[Position], None],
    none_fits: Callable[[InconsistentPosition], dict[str, Any]] | None = None,
) -> int:
    """Answer each position as soon as it is read, and return the exit status.

    A malformed or inconsistent position does not stop the remaining ones. With JSON, its line is an
    error object or, if the position is inconsistent and `none_fits` is given, the result of that
    function. Malformed input is also reported on standard error.

    Raises:
        BadSetting: If both a mine total and a density are given, or the density is out of range.
    """
    check_known(Known(None, overrides.density), 0, "", BadSetting)
    if overrides.mines is not None and overrides.density is not None:
        raise BadSetting(
            f"give --mines or --density, not both, got {overrides.mines} and {overrides.density}"
        )
    status = ExitStatus.DONE
    shown = 0
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        complain("reading a position from the terminal; press Ctrl-D to end it")
    with opened(path) as source:
        for record in read_positions(source, overrides):
            problem: SapperError
            try:
                if isinstance(record.position, SapperError):
                    raise record.position
                if as_json:
                    emit(to_json(record.position))
                else:
                    print(end="\n" if shown else "")
                    show(record.position)
                    shown += 1
                continue
            except (InconsistentPosition, IllegalAction) as negative:
                problem = negative
                status = max(status, ExitStatus.NEGATIVE)
                if not as_json:
                    print(f"{record.where}{problem}", flush=True)
                elif none_fits and isinstance(problem, InconsistentPosition):
                    emit(none_fits(problem))
                    continue
            except SapperError as bad:
                problem = bad
                status = ExitStatus.BAD_INPUT
                complain(f"{record.where}{problem}")
            if as_json:
                error = {**problem.to_json(), "message": f"{record.where}{problem}"}
                emit({"error": error})
    return status
