"""Keep the bot on its page: answer dialogs, close other pages and block navigation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Dialog, Error, Page

__all__ = ["Guard"]

_NO_MENU = "addEventListener('contextmenu', event => event.preventDefault(), true)"


class Guard:
    """Watches one page.

    Args:
        context: The browser context, which has no other page.
        page: The page with the game.
        session: A DevTools protocol connection to the page.
        starting: Function that returns whether a new game is being requested.
    """

    def __init__(
        self,
        context: BrowserContext,
        page: Page,
        session: CDPSession,
        starting: Callable[[], bool],
    ) -> None:
        self.may_load = True
        """Whether the page may currently load another document."""
        self._page, self._session, self._starting = page, session, starting
        page.add_init_script(_NO_MENU)
        page.on("dialog", self._answer)
        context.on("page", self._close)
        session.on("Fetch.requestPaused", self._decide)
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
        session.send("Fetch.enable", {"patterns": [pattern]})
        self._frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def _answer(self, dialog: Dialog) -> None:
        """Close a dialog; during a game, decline it, because accepting might leave the board."""
        with suppress(Error):
            if dialog.type == "alert" or self._starting() or self.may_load:
                dialog.accept()
            else:
                dialog.dismiss()

    def _close(self, other: Page) -> None:
        """Close a page that the game's page has opened."""
        if other == self._page:
            return
        with suppress(Error):
            other.close()
            self._page.bring_to_front()

    def _decide(self, event: dict[str, Any]) -> None:
        """Allow any navigation in frames, but navigation of the page itself only on request."""
        allowed = self.may_load or event["frameId"] != self._frame
        request = {"requestId": event["requestId"]}
        with suppress(Error):
            if allowed:
                self._session.send("Fetch.continueRequest", request)
            else:
                self._session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
