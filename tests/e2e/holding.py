"""Holds back messages and requests."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, Route, WebSocketRoute


class Holding:
    """Hold back the server's messages of one type until released.

    The page is reloaded, because only new connections can be held.
    """

    def __init__(self, page: Page, kind: str) -> None:
        self._kind, self._free = kind, False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket("**/ws", self._connect)
        page.reload()
        page.wait_for_selector("[role=gridcell]")

    def _connect(self, line: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if not self._free and json.loads(message).get("type") == self._kind:
                self._held.append((line, message))
            else:
                line.send(message)

        line.connect_to_server().on_message(pass_on)

    def let_go(self) -> None:
        """Release the held messages, and hold back no more."""
        self._free = True
        for line, message in self._held:
            line.send(message)


class HoldingSent:
    """Hold back the messages that a page sends, between `hold` and `let_go`.

    The page is reloaded, because only new connections can be held.
    """

    def __init__(self, page: Page, path: str) -> None:
        self._holds = False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(path, self._connect)
        page.reload()

    def _connect(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if self._holds:
                self._held.append((server, message))
            else:
                server.send(message)

        line.on_message(pass_on)

    def hold(self) -> None:
        """Hold back messages from now on."""
        self._holds = True

    def let_go(self) -> None:
        """Send the held messages."""
        self._holds = False
        for server, message in self._held:
            server.send(message)


def hold_requests(page: Page, path: str) -> Callable[[], Route]:
    """Hold back a page's requests; return a function that waits for the first and returns it."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))

    def first() -> Route:
        while not held:
            page.evaluate("() => null")
        return held[0]

    return first
