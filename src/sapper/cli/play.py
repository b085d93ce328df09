"""``sapper play``: serve the web app and open it in a browser."""

from __future__ import annotations

import sys
import threading
import webbrowser

from sapper import server

__all__ = ["play"]


def play(host: str, port: int, browser: bool) -> None:
    """Serve the web app until Ctrl-C, and open it in a browser if `browser` is true.

    Raises:
        CannotServe: If the port is taken; a `SapperError`.
    """
    sock = server.bind(host, port)
    shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    url = f"http://{f'[{shown}]' if ':' in shown else shown}:{sock.getsockname()[1]}/"
    print(f"Sapper is running at {url} (press Ctrl-C to stop)", flush=True)
    if browser:
        # Some browsers do not return before they are closed.
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    with sock:
        server.serve(sock, host)
    print("\nStopped. Running games are saved.", file=sys.stderr)
