"""The browser and system of a request, to distinguish a person's logins and passkeys."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["device_of"]

_BROWSERS: Final = (
    ("Edge", "Edg/|EdgA/|EdgiOS/"),
    ("Opera", "OPR/"),
    ("Samsung Internet", "SamsungBrowser/"),
    ("Firefox", "Firefox/|FxiOS/"),
    ("Chrome", "Chrome/|CriOS/|Chromium/"),
    ("Safari", "Safari/"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iOS", "iPhone|iPad|iPod"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X|Macintosh"),
    ("ChromeOS", "CrOS"),
    ("Linux", "Linux|X11"),
)


def device_of(user_agent: str) -> str:
    """Return the product names in a ``User-Agent`` header; empty if it has none of the usual ones.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    found = (_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))
    return ", ".join(filter(None, found))


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, sign in names if re.search(sign, user_agent)), "")
