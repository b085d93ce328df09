"""``sapper serve``: serve the web app as a public site, with one or several worker processes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sapper import server
from sapper._util.interrupt import noticed
from sapper.cli.play import announce, check_log, parse_networks, play, report_end
from sapper.errors import BadSetting
from sapper.solver.bots.named_engines import add_engines

__all__ = ["serve"]


def serve(
    host: str,
    port: int,
    proxies: Iterable[str] = (),
    sites: Collection[str] = (),
    metrics_readers: Iterable[str] = (),
    *,
    database: str | None = None,
    redis: str | None = None,
    workers: int = 1,
    json_log: bool = False,
    log_addresses: bool = False,
    engines: Iterable[str] = (),
    sso: server.SsoSettings | None = None,
    server_engine: bool = False,
) -> None:
    """Serve the web app until Ctrl-C or SIGTERM.

    Args:
        host: The address to listen on.
        port: The port to listen on.
        proxies: Addresses and networks of trusted reverse proxies.
        sites: Host names at which visitors reach them.
        metrics_readers: Addresses and networks that may read metrics, in addition to this machine.
        database: Address of a PostgreSQL database for the saved games (default: an SQLite file).
        redis: Address of a Redis server for messages between workers.
        workers: Number of worker processes.
        json_log: Whether to log everything to standard error as JSON lines.
        log_addresses: Whether these lines include the addresses of visitors.
        engines: Engines that players can choose as bots, each as ``NAME=COMMAND``.
        sso: The provider that people sign in with instead of passkeys.
        server_engine: Whether all chances are computed here, none in browsers.

    Raises:
        SapperError: If an option is missing or the port is taken.
    """
    if redis is None and workers == 1:
        play(
            host,
            port,
            browser=False,
            proxies=proxies,
            sites=sites,
            metrics_readers=metrics_readers,
            database=database,
            json_log=json_log,
            log_addresses=log_addresses,
            engines=engines,
            sso=sso,
            server_engine=server_engine,
        )
        return
    if database is None or redis is None:
        missing = "--database" if database is None else "--redis"
        raise BadSetting(f"several workers need --database and --redis; {missing} is missing")
    # Imported here because only a site with several workers needs it.
    from sapper.server.supervisor import supervise
    from sapper.server.worker import WorkerSettings

    check_log(json_log=json_log, log_addresses=log_addresses)
    hosts = server.served_hosts(host, sites)
    trusted, readers = tuple(proxies), tuple(metrics_readers)
    parse_networks("--proxy", trusted)
    parse_networks("--metrics-from", readers)
    # The workers add them too; this reports mistakes before the first worker starts.
    add_engines(engines, public=True)
    with server.bind(host, port) as sock:
        settings = WorkerSettings(
            name="",
            leads=False,
            sock=sock.fileno(),
            database=database,
            redis=redis,
            workers=workers,
            slots="",
            hosts=hosts,
            proxies=trusted,
            metrics_readers=readers,
            json_log=json_log,
            log_addresses=log_addresses,
            engines=tuple(engines),
            sso=sso,
            server_engine=server_engine,
        )
        noticed.set()
        saved = supervise(settings, lambda: announce(host, sock, json_log=json_log))
    report_end(saved, json_log=json_log)
