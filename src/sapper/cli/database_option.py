"""The option `--database` of commands for operators."""

from __future__ import annotations

from typing import Annotated

from sapper.cli.signatures import Option

__all__ = ["DatabaseUrl"]

DatabaseUrl = Annotated[
    str | None,
    Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        help="PostgreSQL database, postgresql://USER@HOST/NAME (default: SAPPER_DATABASE, or the "
        "SQLite file).",
    ),
]
