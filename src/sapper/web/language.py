"""The language of a request: the visitor's choice in a cookie, or the browser's preference."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, TypeVar

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from sapper.translation import catalogue, preferred_language

__all__ = [
    "LANGUAGE_COOKIE",
    "LanguageChoice",
    "current_language",
    "in_its_language",
    "translated",
    "translated_to",
]

LANGUAGE_COOKIE: Final = "sapper-language"
"""The cookie that the page sets when a visitor picks a language."""

_current: Final = ContextVar("language", default="en")

_Result = TypeVar("_Result")


class LanguageChoice:
    """Sets the language of each request and WebSocket, for all the work done for it.

    Args:
        app: The wrapped application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request in its language."""
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            accepted = connection.headers.get("accept-language", "")
            _current.set(preferred_language(connection.cookies.get(LANGUAGE_COOKIE), accepted))
        await self._app(scope, receive, send)


def current_language() -> str:
    """Return the language code of the current request."""
    return _current.get()


def translated(message: Any) -> Any:
    """Return a JSON message with its text in the current request's language."""
    return translated_to(_current.get(), message)


def translated_to(language: str, message: Any) -> Any:
    """Return a JSON message with its text in a language."""
    return message if language == "en" else catalogue(language).message(message)


def in_its_language(work: Callable[[], _Result]) -> Callable[[], _Result]:
    """Wrap a job so that it uses the language of the current request in any thread or process."""
    language = _current.get()
    return work if language == "en" else partial(_in_language, language, work)


def _in_language(language: str, work: Callable[[], _Result]) -> _Result:
    token = _current.set(language)
    try:
        return work()
    finally:
        _current.reset(token)
