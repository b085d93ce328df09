"""The option `--database` of commands for operators."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["DatabaseUrl"]

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        show_envvar=False,
        help="PostgreSQL database, postgresql://USER@HOST/NAME (default: SAPPER_DATABASE, or the "
        "SQLite file).",
    ),
]
