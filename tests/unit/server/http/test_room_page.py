"""The room page, and its preview in a chat."""

from __future__ import annotations

import re
from typing import Any

import httpx


def _page(site: Any, path: str) -> str:
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as client:
        return client.get(path, headers={"accept": "text/html"}).text


def test_a_link_to_a_room_unfolds_with_its_code(site: Any) -> None:
    """The preview contains the room's URL, and search engines do not index it."""
    html = _page(site, "/r/k7qm3x")
    assert "<title>Minesweeper room K7QM3X - Sapper</title>" in html
    tags = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', html))
    assert tags["og:url"].endswith("/r/K7QM3X")
    assert '<meta name="robots" content="noindex" />' in html
    assert '<a href="/together" aria-current="true">Together</a>' in html


def test_text_that_cannot_be_a_code_is_not_repeated(site: Any) -> None:
    """The page says that the room does not exist."""
    assert "<title>Minesweeper room - Sapper</title>" in _page(site, "/r/%3Cb%3E")
