"""The command `sapper play`."""

from __future__ import annotations

from typing import Annotated

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

__all__ = ["EXAMPLE", "play"]

EXAMPLE = "sapper play --port 8080 --no-browser"


def play(
    host: Host = "localhost",
    port: Port = 8000,
    no_browser: Annotated[
        bool, Option("--no-browser", help="Do not open a browser window.")
    ] = False,
    proxy: Proxy = None,
    site: Site = None,
    metrics_from: MetricsFrom = None,
    engine: Engines = None,
    database: Database = None,
    log_format: Log = LogFormat.PLAIN,
    log_addresses: LogAddresses = False,
    sso_issuer: SsoIssuer = None,
    sso_client: SsoClient = None,
    sso_secret_file: SsoSecretFile = None,
    sso_name: SsoName = None,
    sso_scopes: SsoScopes = None,
    server_engine: ServerEngine = False,
) -> int:
    """Play Minesweeper in the browser.

    Start a web server on this machine and open its page. Press Ctrl-C to stop.
    """
    # Imported here because the imports of the server would slow down `sapper --help`.
    from sapper.cli.play import play as run
    from sapper.server.sso.settings import read_settings

    options = ServerOptions(
        host=host,
        port=port,
        proxies=tuple(proxy or ()),
        sites=tuple(site or ()),
        metrics_readers=tuple(metrics_from or ()),
        database=database,
        json_log=log_format is LogFormat.JSON,
        log_addresses=log_addresses,
        engines=tuple(engine or ()),
        sso=read_settings(sso_issuer, sso_client, sso_secret_file, sso_name, sso_scopes),
        server_engine=server_engine,
    )
    run(options, browser=not no_browser)
    return ExitStatus.DONE
