"""Parse values given on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

import click
from click.core import ParameterSource

from sapper._util.shortening import shortened, shown
from sapper.cli import completing
from sapper.cli.signatures import Option
from sapper.errors import BadSetting
from sapper.topology import Cell

__all__ = [
    "BotName",
    "TopologyName",
    "given_options",
    "parse_cell",
    "parse_points",
    "parse_size",
    "shaped",
]

BotName = Annotated[
    str,
    Option(
        "--bot",
        metavar="B",
        help="Bot to run: a name, FILE.py:NAME or engine:COMMAND.",
        autocompletion=completing.bot_names,
    ),
]
TopologyName = Annotated[
    str | None,
    Option(
        "--topology",
        metavar="T",
        help="Shape of the board, such as torus or hexagon (default: the level's).",
        autocompletion=completing.topology_names,
    ),
]


def given_options(context: click.Context, names: Iterable[str]) -> list[str]:
    """Return those of the parameters `names` that are given on the command line.

    Args:
        context: The context of the command.
        names: Python names of the parameters.
    """
    given = ParameterSource.COMMANDLINE
    return [name for name in names if context.get_parameter_source(name) is given]


def shaped(level: str, topology: str | None) -> str:
    """Return a level with the topology given as ``--topology``.

    >>> shaped("9x9:10", "torus")
    '9x9:10/torus'

    Raises:
        BadSetting: If the level already names a topology.
    """
    if topology is None:
        return level
    if "/" in level:
        raise BadSetting(
            f"level {shown(level)} names a topology; leave out --topology {shortened(topology)}"
        )
    return f"{level}/{topology}"


def parse_cell(text: str, option: str) -> Cell:
    """Parse a cell written ``ROW,COLUMN``, the value of `option`.

    >>> parse_cell("3,4", "--start")
    Cell(row=3, col=4)

    Raises:
        BadSetting: If the text is not a cell.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise BadSetting(f"{option} must be a row and a column such as 3,4, got {shown(text)}")
    return Cell(int(match[1]), int(match[2]))


def parse_points(text: str, option: str) -> float:
    """Parse a difference in percentage points, the value of `option`, as a share.

    >>> parse_points("0.5pp", "--detect")
    0.005

    Raises:
        BadSetting: If the text has another form, or the value is not between 0 and 100 points.
    """
    match = re.fullmatch(r"\s*([0-9]{1,3}|[0-9]{0,3}\.[0-9]{1,9})\s*pp\s*", text)
    if match is None:
        raise BadSetting(f"{option} must be percentage points such as 0.5pp, got {shown(text)}")
    if not 0 < float(match[1]) < 100:
        raise BadSetting(f"{option} must be more than 0pp and less than 100pp, got {shown(text)}")
    return float(match[1]) / 100


def parse_size(text: str) -> tuple[int, int]:
    """Parse a board's size written ``WIDTHxHEIGHT``.

    >>> parse_size("30x16")
    (30, 16)

    Raises:
        BadSetting: If the text is not a size.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})x([0-9]{1,9})\s*", text)
    if match is None:
        raise BadSetting(f"a size must be WIDTHxHEIGHT such as 20x20, got {shown(text)}")
    return int(match[1]), int(match[2])
