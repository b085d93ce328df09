"""``sapper serve``: serve the web app as a public site, with one or several worker processes."""

from __future__ import annotations

from sapper import server
from sapper._util.interrupt import noticed
from sapper.cli.play import announce, check_log, parse_networks, play, report_end
from sapper.cli.serving_options import ServerOptions
from sapper.errors import BadSetting
from sapper.solver.bots.named_engines import add_engines

__all__ = ["serve"]


def serve(options: ServerOptions, *, redis: str | None, workers: int) -> None:
    """Serve the web app until Ctrl-C or SIGTERM.

    Args:
        options: The options shared with `play`.
        redis: Address of a Redis server for messages between workers.
        workers: Number of worker processes.

    Raises:
        SapperError: If an option is missing or the port is taken.
    """
    if redis is None and workers == 1:
        play(options, browser=False)
        return
    database, json_log = options.database, options.json_log
    if database is None or redis is None:
        missing = "--database" if database is None else "--redis"
        raise BadSetting(f"several workers need --database and --redis; {missing} is missing")
    # Imported here because only a site with several workers needs it.
    from sapper.server.supervisor import supervise
    from sapper.server.worker import WorkerSettings

    check_log(json_log=json_log, log_addresses=options.log_addresses)
    hosts = server.served_hosts(options.host, options.sites)
    parse_networks("--proxy", options.proxies)
    parse_networks("--metrics-from", options.metrics_readers)
    # The workers add them too; this reports mistakes before the first worker starts.
    add_engines(options.engines, public=True)
    with server.bind(options.host, options.port) as listening:
        settings = WorkerSettings(
            name="",
            leads=False,
            sockets=tuple(sock.fileno() for sock in listening.sockets),
            database=database,
            redis=redis,
            workers=workers,
            slots="",
            hosts=hosts,
            proxies=options.proxies,
            metrics_readers=options.metrics_readers,
            json_log=json_log,
            log_addresses=options.log_addresses,
            engines=options.engines,
            sso=options.sso,
            server_engine=options.server_engine,
            moves_to_localhost=listening.localhost,
        )
        noticed.set()
        saved = supervise(settings, lambda: announce(listening, json_log=json_log))
    report_end(saved, json_log=json_log)
