"""`sapper generate`: boards dealt at random."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from sapper.cli.output import emit
from sapper.errors import BadSetting
from sapper.generate import Generated
from sapper.generate import generate as deal
from sapper.metrics import bbbv
from sapper.rules import Start
from sapper.topology import Cell

__all__ = ["EXAMPLE", "generate"]

EXAMPLE = "sapper generate --level 16x16:40 --start 8,8 --promise opening --seed 7 -n 3 --json"


def generate(
    level: Annotated[
        str,
        typer.Option(
            metavar="L",
            help="beginner, intermediate, expert, WIDTHxHEIGHT:MINES or WIDTHxHEIGHT@DENSITY.",
        ),
    ] = "expert",
    start: Annotated[
        str | None,
        typer.Option(
            metavar="R,C", help="The row and column of the first click; drawn where left out."
        ),
    ] = None,
    promise: Annotated[
        Start,
        typer.Option(
            metavar="P", help="What the first click promises: any (nothing), safe or opening."
        ),
    ] = Start.SAFE,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="Deals the same boards again; board i has seed S + i."),
    ] = None,
    n: Annotated[int, typer.Option("-n", metavar="N", min=0, help="How many boards.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a board.")] = False,
) -> None:
    """Deal boards at random.

    They are uniform among the boards that keep the first click's promise.
    """
    first = None if start is None else _cell(start)
    for number, made in enumerate(deal(level, n, start=promise, first=first, seed=seed)):
        if as_json:
            emit(made.to_json())
        else:
            print(end="\n" if number else "")
            print(_text(made), flush=True)


def _cell(text: str) -> Cell:
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise BadSetting(f"--start takes a row and a column such as 3,4, not {text!r:.40}")
    return Cell(int(match[1]), int(match[2]))


def _text(made: Generated) -> str:
    return f"// seed {made.seed}, first click {made.start}, 3BV {bbbv(made.board)}\n{made.board}"
