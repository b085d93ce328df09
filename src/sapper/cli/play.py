"""``sapper play``: serve the web app and open it in a browser."""

from __future__ import annotations

import logging
import sys
import threading
import webbrowser
from collections.abc import Iterable
from typing import Final, NamedTuple

from sapper import server
from sapper._util.interrupt import noticed
from sapper.cli.serving_options import ServerOptions
from sapper.database.postgresql import place_of
from sapper.errors import BadSetting
from sapper.server.storage.opening import check_address
from sapper.solver.bots.named_engines import add_engines

__all__ = ["Checked", "announce", "check", "play", "report_end"]

_log: Final = logging.getLogger(__name__)


class Checked(NamedTuple):
    """Checked values of the options.

    Attributes:
        hosts: The host names to serve; see `sapper.server.served_hosts`.
        proxies: The reverse proxies whose headers are trusted.
        metrics_readers: The networks that may read the metrics.
    """

    hosts: tuple[str, ...] | None
    proxies: server.Networks
    metrics_readers: server.Networks


def play(options: ServerOptions, *, browser: bool) -> None:
    """Serve the web app until Ctrl-C, and open it in a browser if `browser` is true.

    Raises:
        SapperError: If the port is taken, another server uses the saved games, or an engine cannot
            be used.
    """
    json_log = options.json_log
    hosts, trusted, readers = check(options)
    if json_log:
        server.log_json()
    with (
        server.open_store(options.database) as store,
        server.bind(options.host, options.port) as listening,
    ):
        url = announce(listening, json_log=json_log)
        if browser:
            # Some browsers block until they are closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        # From here on, the server handles Ctrl-C: it saves the games, then exits.
        noticed.set()
        saved = server.serve(
            listening.sockets,
            store,
            hosts,
            trusted,
            readers,
            json_log=json_log,
            log_addresses=options.log_addresses,
            sso=options.sso,
            server_engine=options.server_engine,
            moves_to_localhost=listening.localhost,
        )
    report_end(saved, json_log=json_log)


def check(options: ServerOptions, redis: str | None = None, workers: int = 1) -> Checked:
    """Check all options before anything is started; also for `sapper serve --show-config`.

    Args:
        options: The options.
        redis: Address of a Redis server for messages between workers.
        workers: Number of worker processes.

    Raises:
        SapperError: If a value is invalid, an option is missing, or an engine cannot be used.
    """
    if options.log_addresses and not options.json_log:
        raise BadSetting("--log-addresses needs --log-format json")
    add_engines(options.engines, public=True)
    checked = Checked(
        server.served_hosts(options.host, options.sites),
        _parse_networks("--proxy", options.proxies),
        _parse_networks("--metrics-from", options.metrics_readers),
    )
    if redis is not None or workers > 1:
        missing = [
            name
            for name, value in (("--database", options.database), ("--redis", redis))
            if value is None
        ]
        if missing:
            raise BadSetting(
                f"several workers need --database and --redis; {missing[0]} is missing"
            )
    if options.database is not None:
        check_address(options.database)
        place_of(options.database)
    if redis is not None:
        # Imported here because only a site with several workers needs it.
        from sapper.server.cluster.redis_bus import redis_client

        redis_client(redis)
    return checked


def announce(listening: server.Listening, *, json_log: bool) -> str:
    """Report the URL of the server, and return it."""
    url = listening.url
    if json_log:
        _log.info("Sapper is running", extra={"fields": {"url": url}})
    else:
        print(f"Sapper is running at {url} (press Ctrl-C to stop)", flush=True)
    return url


def report_end(saved: bool, *, json_log: bool) -> None:
    """Report that the server has stopped, and whether all games were saved."""
    outcome = "Running games are saved." if saved else "Running games could not be saved."
    if json_log:
        _log.log(logging.INFO if saved else logging.ERROR, "Stopped. %s", outcome)
    else:
        print(f"\nStopped. {outcome}", file=sys.stderr)


def _parse_networks(option: str, values: Iterable[str]) -> server.Networks:
    """Parse the addresses and networks of an option.

    Raises:
        BadSetting: If one of them is invalid.
    """
    try:
        return server.Networks(values)
    except BadSetting as problem:
        raise BadSetting(f"{option}: {problem}") from None
