"""What `analyze`, `arrange` and `hint` share: positions in, answers out, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from sapper.cli.output import complain, emit
from sapper.cli.reading import opened, read
from sapper.errors import IllegalAction, InconsistentPosition, SapperError
from sapper.position import Position

__all__ = ["File", "Json", "Mines", "answer_all"]

DONE, NEGATIVE, BAD_INPUT = 0, 1, 2

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|-",
        help="A position as text or JSON, or many as JSON Lines; - is standard input.",
    ),
]
Mines = Annotated[
    int | None,
    typer.Option(metavar="N", help="The mine total, where the input does not say or is wrong."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, one line a position.")]


def answer_all(
    path: str,
    mines: int | None,
    as_json: bool,
    to_json: Callable[[Position], dict[str, Any]],
    show: Callable[[Position], None],
    none_fits: Callable[[InconsistentPosition], dict[str, Any]] | None = None,
) -> int:
    """Answer every position as it is read, and return the exit status.

    A position that is bad input, or that cannot be, does not keep the others from their
    answers. With JSON each gets an error object on its line, or what `none_fits` makes of one
    that cannot be; and bad input is told on standard error either way.
    """
    status = DONE
    shown = 0
    if path == "-" and sys.stdin.isatty():
        complain("reading a position from the keyboard; Ctrl-D ends it")
    with opened(path) as source:
        for record in read(source, mines):
            problem: SapperError
            try:
                if isinstance(record.found, SapperError):
                    raise record.found
                if as_json:
                    emit(to_json(record.found))
                else:
                    print(end="\n" if shown else "")
                    show(record.found)
                    shown += 1
                continue
            except (InconsistentPosition, IllegalAction) as negative:
                problem = negative
                status = max(status, NEGATIVE)
                if not as_json:
                    print(f"{record.where}{problem}", flush=True)
                elif none_fits and isinstance(problem, InconsistentPosition):
                    emit(none_fits(problem))
                    continue
            except SapperError as bad:
                problem = bad
                status = BAD_INPUT
                complain(f"{record.where}{problem}")
            if as_json:
                error = {**problem.to_json(), "message": f"{record.where}{problem}"}
                emit({"error": error})
    return status
