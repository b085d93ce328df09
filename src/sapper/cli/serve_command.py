"""The command `sapper serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from sapper.cli.configuration import (
    PREFIX,
    ConfigFile,
    ShowConfig,
    secret_of,
    shown_settings,
)
from sapper.cli.exit_status import ExitStatus
from sapper.cli.serving_options import (
    Database,
    Engines,
    Host,
    Log,
    LogAddresses,
    LogFormat,
    MetricsFrom,
    Port,
    Proxy,
    ServerEngine,
    ServerOptions,
    Site,
    SsoClient,
    SsoIssuer,
    SsoName,
    SsoScopes,
    SsoSecretFile,
)
from sapper.cli.signatures import Option

__all__ = ["CONTEXT", "EXAMPLE", "serve"]

CONTEXT = {"auto_envvar_prefix": PREFIX}

EXAMPLE = "sapper serve --database postgresql:///sapper --redis redis://127.0.0.1 --workers 2"


def serve(
    context: click.Context,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    proxy: Proxy = None,
    site: Site = None,
    metrics_from: MetricsFrom = None,
    engine: Engines = None,
    database: Database = None,
    database_file: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="File with the address of the database, so that its password is not on the "
            "command line.",
        ),
    ] = None,
    redis: Annotated[
        str | None,
        Option(
            metavar="URL",
            envvar="SAPPER_REDIS",
            help="Redis or Valkey server for messages between workers, redis://HOST:PORT "
            "(default: SAPPER_REDIS, or none).",
        ),
    ] = None,
    redis_file: Annotated[
        Path | None,
        Option(metavar="FILE", help="File with the address of the Redis server."),
    ] = None,
    workers: Annotated[
        int,
        Option(
            metavar="N",
            min=1,
            max=64,
            help="Number of worker processes; more than one needs --database and --redis.",
        ),
    ] = 1,
    log_format: Log = LogFormat.PLAIN,
    log_addresses: LogAddresses = False,
    sso_issuer: SsoIssuer = None,
    sso_client: SsoClient = None,
    sso_secret_file: SsoSecretFile = None,
    sso_name: SsoName = None,
    sso_scopes: SsoScopes = None,
    server_engine: ServerEngine = False,
    config: ConfigFile = None,
    show_config: ShowConfig = False,
) -> int:
    """Serve the web app as a public site.

    Like `sapper play`, but without opening a browser, and optionally with several worker processes.
    SIGTERM or Ctrl-C stops it. Every option can also be set in a TOML file or by an environment
    variable.
    """
    if show_config:
        for line in shown_settings(context):
            print(line, flush=True)
    # Imported here because the imports of the server would slow down `sapper --help`.
    from sapper.cli.play import check
    from sapper.cli.serve import serve as run
    from sapper.server.sso.settings import read_settings

    options = ServerOptions(
        host=host,
        port=port,
        proxies=tuple(proxy or ()),
        sites=tuple(site or ()),
        metrics_readers=tuple(metrics_from or ()),
        database=secret_of(context, "database"),
        json_log=log_format is LogFormat.JSON,
        log_addresses=log_addresses,
        engines=tuple(engine or ()),
        sso=read_settings(sso_issuer, sso_client, sso_secret_file, sso_name, sso_scopes),
        server_engine=server_engine,
    )
    redis = secret_of(context, "redis")
    if show_config:
        check(options, redis, workers)
    else:
        run(options, redis=redis, workers=workers)
    return ExitStatus.DONE
