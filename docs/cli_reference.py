"""Writes `docs/cli.md` from the commands themselves: ``python docs/cli_reference.py``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from sapper.cli import app

PAGE = Path(__file__).with_name("cli.md")

HEAD = """\
# The command line

<!-- Written by docs/cli_reference.py from the commands; change their help instead. -->

Every command has `--help` with an example. With `--json` standard output holds one JSON value, or
one a line, and nothing else; what goes wrong is told on standard error, in one line.

| Exit status | Meaning |
| --- | --- |
| 0 | done |
| 1 | a negative answer: no arrangement fits, or there is nothing to open |
| 2 | bad input |
| 130 | interrupted by Ctrl-C |
| 141 | whoever read the output has left |

A *level* is `beginner` (9x9, 10 mines), `intermediate` (16x16, 40), `expert` (30x16, 99),
`WIDTHxHEIGHT:MINES`, or `WIDTHxHEIGHT@DENSITY`, where each cell is a mine with that chance.
Another shape of board follows a slash: `9x9:10/torus`.
Cells are row, column, counted from 0 at the top left. Chances run from 0 to 1.

## Positions as input

`analyze`, `arrange` and `hint` read a file, or standard input for `-`. The text form has one line a
row: `.` unopened, `0` to `8` opened, `F` flagged (which counts as unopened), `*` an opened mine.
Blank lines and lines that start with `//` are skipped, and `mines: N` before the rows gives the
total. Without a total any number of mines fits, and all arrangements are equally likely.

As JSON a position is `{"width": 2, "height": 2, "mines": 1, "rows": ["..", "11"]}`, of which only
`rows` is needed. Many positions are JSON Lines, one object a line. They are answered as they come:
a line that is bad input gets `{"error": {"code": ..., "message": ...}}` on its line of the
output, the others get their answers, and the exit status tells the worst.

## Answers of `analyze --json`

| Key | Value |
| --- | --- |
| `solutions` | how many arrangements fit, in decimal digits as a string; null if not counted |
| `p_mine` | for each row, each cell's chance of a mine; null where opened |
| `safe`, `mined` | the cells proved so, as `[row, col]`; proved without floats |
| `exact` | whether everything was counted; if not, `p_mine` is estimated |
| `p_mine_error` | 95 % half-widths of the estimates; only if not exact |
| `elapsed_s` | seconds taken |

## Answers of `arrange --json`

`{"found": true, "board": [...], "mines": 10}`, of which `board` is board text: `*` for a mine,
digits elsewhere; or `{"found": false, "reason": "...", "cause": "..."}`, where `cause` is `number`
(one number cannot be), `component` (numbers contradict each other) or `total`. A position that was
not decided within `--seconds` gets `{"error": {"code": "limit_reached", ...}}` and exit status 2.
"""


def page() -> str:
    """The whole page."""
    program = typer.main.get_command(app)
    commands: dict[str, Any] = program.commands  # type: ignore[attr-defined]
    return "\n".join([HEAD, *(line for c in commands.values() for line in _command(c, "sapper"))])


def _command(command: Any, above: str) -> Iterator[str]:
    name = f"{above} {command.name}"
    yield f"## {name}\n"
    yield inspect.cleandoc(command.help) + "\n"
    if hasattr(command, "commands"):
        for below in command.commands.values():
            yield from _command(below, name)
        return
    yield "| Option | Default | Meaning |\n| --- | --- | --- |"
    for parameter in command.params:
        if "--help" not in parameter.opts:
            yield _row(parameter)
    example = command.epilog.split("Example:\n")[1].strip()
    yield f"\n```sh\n{example}\n```\n"


def _row(parameter: Any) -> str:
    positional = parameter.param_type_name == "argument"
    name = parameter.metavar if positional else ", ".join(parameter.opts)
    if not positional and parameter.metavar:
        name += f" {parameter.metavar}"
    default = parameter.default
    shown = "" if default is None or default is False else f"`{default}`"
    return f"| `{name}` | {shown} | {parameter.help} |".replace("FILE|-", "FILE\\|-")


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print(page(), end="")
    else:
        PAGE.write_text(page(), encoding="utf-8")
