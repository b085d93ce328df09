"""``sapper serve``: serve the web app as a public site, with one or several worker processes."""

from __future__ import annotations

from sapper import server
from sapper._util.interrupt import noticed
from sapper.cli.play import announce, check, play, report_end
from sapper.cli.serving_options import ServerOptions

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
    # The workers check the options too; this reports mistakes before the first worker starts.
    hosts = check(options, redis, workers).hosts
    assert database is not None
    assert redis is not None
    if json_log:
        server.log_json()
    # Imported here because only a site with several workers needs it.
    from sapper.server.supervisor import supervise
    from sapper.server.worker import WorkerSettings

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
