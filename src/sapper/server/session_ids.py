"""Session ids: random, issued only by this server, and verified by a signature in the cookie."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

__all__ = ["SessionIds"]

_COOKIE: Final = re.compile(r"([A-Za-z0-9_-]{24})\.([0-9a-f]{32})")


class SessionIds:
    """Issues cookies and reads the session id back, without keeping a list.

    Args:
        secret: The store's own secret; cookies signed with another one are not accepted.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new_cookie(self) -> str:
        """Return a cookie for a new session."""
        return self.sign(secrets.token_urlsafe(18))

    def sign(self, session_id: str) -> str:
        """Return the cookie of a session."""
        return f"{session_id}.{self._signature(session_id)}"

    def read(self, cookie: str) -> str | None:
        """Return the session id in a cookie, or None if this server did not issue it."""
        found = _COOKIE.fullmatch(cookie)
        if found is None or not hmac.compare_digest(found[2], self._signature(found[1])):
            return None
        return found[1]

    @staticmethod
    def is_cookie(text: str) -> bool:
        """Return whether a text looks like a cookie of any server."""
        return _COOKIE.fullmatch(text) is not None

    def _signature(self, session_id: str) -> str:
        return hmac.new(self._secret, session_id.encode(), hashlib.sha256).hexdigest()[:32]
