"""The names in the ``Host`` headers of requests."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

__all__ = ["LOCAL_HOSTS", "host_name"]

LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "::1")


def host_name(host: str) -> str | None:
    """Return the name or address in a ``Host`` header, without the port, or None."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
