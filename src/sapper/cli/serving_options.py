"""The options shared by `sapper play` and `sapper serve`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Database",
    "Engines",
    "Host",
    "Log",
    "LogAddresses",
    "LogFormat",
    "MetricsFrom",
    "Port",
    "Proxy",
    "ServerEngine",
    "Site",
    "SsoClient",
    "SsoIssuer",
    "SsoName",
    "SsoScopes",
    "SsoSecretFile",
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
        help="PostgreSQL database for saved games, postgresql://USER@HOST/NAME (default: "
        "SAPPER_DATABASE, or an SQLite file).",
    ),
]
Engines = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=COMMAND",
        help="Program that players can choose as a bot; see docs/engine-protocol.md. May be "
        "repeated.",
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
ServerEngine = Annotated[
    bool,
    typer.Option(
        "--server-engine", help="Compute all chances on the server, none in visitors' browsers."
    ),
]
SsoIssuer = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="SAPPER_SSO_ISSUER",
        show_envvar=False,
        help="OpenID provider that people sign in with, instead of passkeys (default: "
        "SAPPER_SSO_ISSUER, or none). It needs --sso-client and the client secret, from "
        "SAPPER_SSO_SECRET or --sso-secret-file.",
    ),
]
SsoClient = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        envvar="SAPPER_SSO_CLIENT",
        show_envvar=False,
        help="Client id at the provider (default: SAPPER_SSO_CLIENT).",
    ),
]
SsoSecretFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="SAPPER_SSO_SECRET_FILE",
        show_envvar=False,
        help="File with the client secret (default: SAPPER_SSO_SECRET_FILE).",
    ),
]
SsoName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        envvar="SAPPER_SSO_NAME",
        show_envvar=False,
        help="Name of the provider on the page (default: SAPPER_SSO_NAME, or its host name).",
    ),
]
SsoScopes = Annotated[
    str | None,
    typer.Option(
        metavar="SCOPES",
        envvar="SAPPER_SSO_SCOPES",
        show_envvar=False,
        help="Scopes to request, separated by spaces (default: SAPPER_SSO_SCOPES, or openid "
        "profile).",
    ),
]
