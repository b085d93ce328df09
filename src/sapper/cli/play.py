"""``sapper play``: serve the web app and open it in a browser."""

from __future__ import annotations

import logging
import sys
import threading
import webbrowser
from collections.abc import Iterable
from typing import Final

from sapper import server
from sapper._util.interrupt import noticed
from sapper.cli.serving_options import ServerOptions
from sapper.errors import BadSetting
from sapper.solver.bots.named_engines import add_engines

__all__ = ["announce", "check_log", "parse_networks", "play", "report_end"]

_log: Final = logging.getLogger(__name__)


def play(options: ServerOptions, *, browser: bool) -> None:
    """Serve the web app until Ctrl-C, and open it in a browser if `browser` is true.

    Raises:
        SapperError: If the port is taken, another server uses the saved games, or an engine cannot
            be used.
    """
    json_log = options.json_log
    check_log(json_log=json_log, log_addresses=options.log_addresses)
    add_engines(options.engines, public=True)
    hosts = server.served_hosts(options.host, options.sites)
    trusted = parse_networks("--proxy", options.proxies)
    readers = parse_networks("--metrics-from", options.metrics_readers)
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


def check_log(*, json_log: bool, log_addresses: bool) -> None:
    """Check the log options, and start a JSON log if requested.

    Raises:
        BadSetting: If the options contradict each other.
    """
    if log_addresses and not json_log:
        raise BadSetting("--log-addresses needs --log-format json")
    if json_log:
        server.log_json()


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


def parse_networks(option: str, values: Iterable[str]) -> server.Networks:
    """Parse the addresses and networks of an option.

    Raises:
        BadSetting: If one of them is invalid.
    """
    try:
        return server.Networks(values)
    except BadSetting as problem:
        raise BadSetting(f"{option}: {problem}") from None
