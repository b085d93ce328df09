"""Pages and errors over HTTP."""

from __future__ import annotations

import http.client
import json
import re
import socket
from typing import Any

import pytest

from sapper.server.http.connections import HTTPConnection


def get(
    site: Any, path: str, method: str = "GET", **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Send one request."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def test_page_and_its_files_are_served(site: Any) -> None:
    """The style sheet, the scripts and the icon exist."""
    _, headers, page = get(site, "/")
    assert headers["Content-Type"].startswith("text/html")
    found = set(re.findall(r'(?:src|href)="(/(?:static|assets)/[^"]+)"', page.decode()))
    seen: set[str] = set()
    while found - seen:
        path = (found - seen).pop()
        seen.add(path)
        code, headers, body = get(site, path)
        assert code == 200, path
        if path.endswith(".js"):
            assert "javascript" in headers["Content-Type"]
            assert not re.search(rb"^(import|export)\b", body, re.M), path
    assert len(seen) == 7


def test_browser_keeps_its_session(site: Any) -> None:
    """A new browser gets a long HTTP-only secret; a known browser keeps its own."""
    _, headers, _ = get(site, "/")
    cookie = headers["Set-Cookie"]
    assert re.match(r"sapper=[\w-]{24}\.[0-9a-f]{32};", cookie)
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    given = cookie.partition(";")[0]
    _, headers, _ = get(site, "/", Cookie=given)
    assert headers["Set-Cookie"].startswith(given)
    assert "secure" not in cookie.lower()


@pytest.mark.parametrize("forged", ["short", "a" * 24, "a" * 24 + "." + "0" * 32])
def test_forged_session_is_replaced(site: Any, forged: str) -> None:
    """A forged id starts a new session."""
    _, headers, _ = get(site, "/", Cookie="sapper=" + forged)
    assert not headers["Set-Cookie"].startswith("sapper=" + forged + ";")


@pytest.mark.parametrize(
    ("path", "method", "headers", "code"),
    [
        ("/nowhere", "GET", {}, 404),
        ("/static/nowhere.js", "GET", {}, 404),
        ("/static/../session.py", "GET", {}, 404),
        ("/static/%2e%2e/session.py", "GET", {}, 404),
        ("/", "DELETE", {}, 405),
        ("/", "GET", {"Host": "evil.example"}, 403),
    ],
)
def test_errors_have_one_shape(
    site: Any, path: str, method: str, headers: dict[str, str], code: int
) -> None:
    """Every failure returns ``{"error": {"code", "message"}}``."""
    status, found, body = get(site, path, method, **headers)
    assert status == code
    assert found["Content-Type"] == "application/json"
    error = json.loads(body)
    assert set(error) == {"error"}
    assert set(error["error"]) == {"code", "message"}


def test_the_menu_lists_levels_and_rules(site: Any) -> None:
    """New rule sets appear automatically, each with a one-line explanation."""
    menu = json.loads(get(site, "/api/menu")[2])
    assert {"classic", "windows-xp"} <= {rules["name"] for rules in menu["rules"]}
    assert all(
        rules["summary"] and rules["label"] and rules["first_clicks"] for rules in menu["rules"]
    )
    assert [level["name"] for level in menu["levels"]] == ["beginner", "intermediate", "expert"]


def test_policy_forbids_foreign_scripts(site: Any) -> None:
    """The content security policy forbids inline scripts and scripts from other hosts."""
    _, headers, page = get(site, "/")
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    allowed = headers["Content-Security-Policy"].replace("'wasm-unsafe-eval'", "")
    assert "unsafe" not in allowed
    assert b"style=" not in page


def test_answer_is_sent_immediately(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The body does not wait until the headers are acknowledged."""
    seen: list[int] = []
    made = HTTPConnection.connection_made

    def noting(self: HTTPConnection, transport: Any) -> None:
        made(self, transport)
        own = transport.get_extra_info("socket")
        seen.append(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(HTTPConnection, "connection_made", noting)
    assert get(site, "/api/menu")[0] == 200
    assert seen
    assert all(seen)
