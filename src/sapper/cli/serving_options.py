"""The options shared by `sapper play` and `sapper serve`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sapper.cli.signatures import Option

if TYPE_CHECKING:
    from sapper.server import SsoSettings

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
    "ServerOptions",
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


Host = Annotated[str, Option(metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[
    int,
    Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 picks a free one."),
]
Proxy = Annotated[
    list[str] | None,
    Option(
        metavar="ADDRESS",
        help="Address or network of a reverse proxy whose X-Forwarded-For and "
        "X-Forwarded-Proto headers are trusted. May be repeated.",
    ),
]
Site = Annotated[
    list[str] | None,
    Option(metavar="NAME", help="Host name that visitors use behind a proxy. May be repeated."),
]
MetricsFrom = Annotated[
    list[str] | None,
    Option(
        metavar="ADDRESS",
        help="Address or network that may read /metrics, besides this machine. May be repeated.",
    ),
]
Database = Annotated[
    str | None,
    Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        help="PostgreSQL database for saved games, postgresql://USER@HOST/NAME (default: "
        "SAPPER_DATABASE, or an SQLite file).",
    ),
]
Engines = Annotated[
    list[str] | None,
    Option(
        metavar="NAME=COMMAND",
        help="Program that players can choose as a bot; see docs/engine-protocol.md. May be "
        "repeated.",
    ),
]
Log = Annotated[
    LogFormat,
    Option("--log-format", help="Log format; json adds a line for each request."),
]
LogAddresses = Annotated[
    bool,
    Option("--log-addresses", help="Add visitors' addresses to the JSON log."),
]
ServerEngine = Annotated[
    bool,
    Option(
        "--server-engine", help="Compute all chances on the server, none in visitors' browsers."
    ),
]
SsoIssuer = Annotated[
    str | None,
    Option(
        metavar="URL",
        envvar="SAPPER_SSO_ISSUER",
        help="OpenID provider that people sign in with, instead of passkeys (default: "
        "SAPPER_SSO_ISSUER, or none). It needs --sso-client and the client secret, from "
        "SAPPER_SSO_SECRET or --sso-secret-file.",
    ),
]
SsoClient = Annotated[
    str | None,
    Option(
        metavar="ID",
        envvar="SAPPER_SSO_CLIENT",
        help="Client id at the provider (default: SAPPER_SSO_CLIENT).",
    ),
]
SsoSecretFile = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        envvar="SAPPER_SSO_SECRET_FILE",
        help="File with the client secret (default: SAPPER_SSO_SECRET_FILE).",
    ),
]
SsoName = Annotated[
    str | None,
    Option(
        metavar="NAME",
        envvar="SAPPER_SSO_NAME",
        help="Name of the provider on the page (default: SAPPER_SSO_NAME, or its host name).",
    ),
]
SsoScopes = Annotated[
    str | None,
    Option(
        metavar="SCOPES",
        envvar="SAPPER_SSO_SCOPES",
        help="Scopes to request, separated by spaces (default: SAPPER_SSO_SCOPES, or openid "
        "profile).",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """The values of these options.

    Attributes:
        host: The address to listen on.
        port: The port to listen on.
        proxies: Addresses and networks of trusted reverse proxies.
        sites: Host names at which visitors reach the proxies.
        metrics_readers: Addresses and networks that may read metrics, in addition to this machine.
        database: Address of a PostgreSQL database for the saved games; None for an SQLite file.
        json_log: Whether to log everything to standard error as JSON lines.
        log_addresses: Whether these lines include the addresses of visitors.
        engines: Engines that players can choose as bots, each as ``NAME=COMMAND``.
        sso: The provider that people sign in with instead of passkeys.
        server_engine: Whether all chances are computed here, none in browsers.
    """

    host: str = "localhost"
    port: int
    proxies: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    metrics_readers: tuple[str, ...] = ()
    database: str | None = None
    json_log: bool = False
    log_addresses: bool = False
    engines: tuple[str, ...] = ()
    sso: SsoSettings | None = None
    server_engine: bool = False
