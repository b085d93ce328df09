"""The options that `sapper play` and `sapper serve` share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

__all__ = [
    "Database",
    "Host",
    "Log",
    "LogAddresses",
    "LogFormat",
    "MetricsFrom",
    "Port",
    "Proxy",
    "Site",
]


class LogFormat(StrEnum):
    """The form of the log."""

    PLAIN = "plain"
    JSON = "json"


Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[
    int,
    typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 picks a free one."),
]
Proxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address or network of a reverse proxy whose X-Forwarded-For and "
        "X-Forwarded-Proto headers are trusted. May be repeated.",
    ),
]
Site = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="Host name that visitors use behind a proxy. May be repeated."
    ),
]
MetricsFrom = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address or network that may read /metrics, besides this machine. May be repeated.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        show_envvar=False,
        help="PostgreSQL database of the saved games, postgresql://USER@HOST/NAME (default: "
        "SAPPER_DATABASE, or an SQLite file).",
    ),
]
Log = Annotated[
    LogFormat,
    typer.Option("--log-format", help="Log format; json adds a line for each request."),
]
LogAddresses = Annotated[
    bool,
    typer.Option("--log-addresses", help="Add visitors' addresses to the JSON log."),
]
