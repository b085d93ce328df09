"""Visitors behind a trusted proxy are counted by their own addresses."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from sapper import lab
from sapper.server import Networks, limits, served_hosts
from sapper.server.http.connections import HTTPConnection
from sapper.server.http.proxies import ProxyHeaders
from sapper.server.storage.store import Store

ME = "a" * 24
PROXIES = Networks(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"])
_Header = tuple[str, str]


def _seen(
    *headers: _Header, peer: str = "127.0.0.1", kind: str = "http"
) -> tuple[list[Scope], list[Any]]:
    """Return the scopes that the application receives, and the messages sent to the peer."""
    reached: list[Scope] = []
    sent: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)

    async def receive() -> Any:
        return {"type": f"{kind}.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "client": (peer, 4711),
        "scheme": "ws" if kind == "websocket" else "http",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    asyncio.run(ProxyHeaders(app, PROXIES)(scope, receive, send))
    return reached, sent


def _visitor(*values: str, peer: str = "127.0.0.1") -> str:
    [scope], _ = _seen(*(("x-forwarded-for", value) for value in values), peer=peer)
    return str(scope["client"][0])


@pytest.mark.parametrize(
    ("values", "visitor"),
    [
        (["203.0.113.9"], "203.0.113.9"),
        # Only the last untrusted address was added by a proxy; a visitor can forge the earlier
        # ones.
        (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        (["junk, 203.0.113.9"], "203.0.113.9"),
        (["127.0.0.1, 203.0.113.9"], "203.0.113.9"),
        # Chained proxies may use one header or several.
        (["198.51.100.1, 203.0.113.9, 10.1.2.3,2001:db8::1"], "203.0.113.9"),
        (["198.51.100.1", "203.0.113.9", "10.1.2.3"], "203.0.113.9"),
        # The visitor is on a machine that is also a proxy.
        (["10.1.2.4, 10.1.2.3"], "10.1.2.4"),
        (["203.0.113.9:1234"], "203.0.113.9"),
        (["[2001:db9::7]:1234"], "2001:db9::7"),
        (["[2001:db9::7]"], "2001:db9::7"),
        (["2001:DB9:0::7"], "2001:db9::7"),
        (["::ffff:203.0.113.9"], "203.0.113.9"),
        ([], "127.0.0.1"),
    ],
)
def test_visitor_is_the_last_untrusted_address(values: list[str], visitor: str) -> None:
    """Visitors can send the header too, but a proxy appends to it."""
    assert _visitor(*values) == visitor
    assert _visitor(*values, peer="::ffff:10.0.0.1") == visitor.replace("127", "::ffff:10")


@pytest.mark.parametrize("peer", ["192.0.2.1", "127.0.0.2", "::1", ""])
def test_headers_from_untrusted_peers_are_ignored(peer: str) -> None:
    """Trusted headers would let anyone exhaust another address's limits or evade their own."""
    forged = ("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https")
    [scope], sent = _seen(*forged, peer=peer)
    assert (scope["client"], scope["scheme"], sent) == ((peer, 4711), "http", [])
    [scope], _ = _seen(("x-forwarded-for", "junk"), peer=peer)
    assert scope["client"] == (peer, 4711)


@pytest.mark.parametrize(
    ("kind", "values", "scheme"),
    [
        ("http", ["https"], "https"),
        ("http", [" HTTPS "], "https"),
        ("http", ["https", "http"], "http"),
        ("websocket", ["https"], "wss"),
        ("websocket", ["wss"], "wss"),
        ("websocket", ["http"], "ws"),
        ("websocket", [], "ws"),
    ],
)
def test_scheme_comes_from_the_nearest_proxy(kind: str, values: list[str], scheme: str) -> None:
    """WebSocket requests have different URL schemes."""
    [scope], _ = _seen(*(("x-forwarded-proto", value) for value in values), kind=kind)
    assert scope["scheme"] == scheme


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x-forwarded-for", ""),
        ("x-forwarded-for", "unknown"),
        ("x-forwarded-for", "203.0.113.9,"),
        ("x-forwarded-for", "203.0.113.9, junk"),
        ("x-forwarded-for", "203.0.113.9, junk, 10.0.0.1"),
        ("x-forwarded-for", "203.0.113.999"),
        ("x-forwarded-for", "203.0.113.9:http"),
        ("x-forwarded-for", "[2001:db9::7"),
        ("x-forwarded-for", "2001:db9::7]:1"),
        ("x-forwarded-for", "[]"),
        ("x-forwarded-for", "203.0.113.9;203.0.113.8"),
        ("x-forwarded-for", "\xff"),
        ("x-forwarded-proto", ""),
        ("x-forwarded-proto", "ftp"),
        ("x-forwarded-proto", "https, http"),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_headers_without_a_visitor_are_rejected(kind: str, name: str, value: str) -> None:
    """A request without a visitor would count as the proxy's own, which has no limits."""
    reached, sent = _seen((name, value), kind=kind)
    assert reached == []
    if kind == "websocket":
        assert (sent[0]["type"], sent[0]["code"]) == ("websocket.close", 1008)
    else:
        assert sent[0]["status"] == 400
        assert b'"code":"bad_proxy_header"' in sent[1]["body"]


@given(
    value=st.one_of(
        st.text(st.characters(max_codepoint=255)),
        st.text("0123456789abcdef.:,[]% "),
        st.lists(st.ip_addresses().map(str) | st.just("junk")).map(", ".join),
    )
)
def test_any_header_is_rejected_or_has_an_address(value: str) -> None:
    """Any value of the header gives an address or a refusal, never a server error."""
    reached, sent = _seen(("x-forwarded-for", value))
    if reached:
        ipaddress.ip_address(reached[0]["client"][0])
    else:
        assert sent[0]["status"] == 400


def test_unconfigured_local_proxy_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A warning says that the proxy's visitors have no limits."""
    with caplog.at_level(logging.WARNING):
        _seen(("x-forwarded-for", "203.0.113.9"), peer="192.0.2.1")
        assert caplog.text == ""
        _seen(("x-forwarded-for", "203.0.113.9"), peer="::1")
    assert "--proxy ::1" in caplog.text
    assert "203.0.113.9" not in caplog.text


def test_limits_count_the_visitors_of_a_proxy(
    store: Store, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One visitor's windows do not count against another, whatever the header contains."""
    monkeypatch.setattr(limits, "WINDOWS_PER_ADDRESS", 1)
    with run(store, proxies=Networks(["127.0.0.1"])) as site:

        def is_refused(hops: str) -> bool:
            with site.player(ME, **{"X-Forwarded-For": hops}) as window:
                return "error" in window.welcome

        with site.player(ME, **{"X-Forwarded-For": "203.0.113.9"}):
            assert is_refused("203.0.113.9")
            assert is_refused("198.51.100.1, 203.0.113.9")
            assert not is_refused("203.0.113.8")
        with pytest.raises(InvalidStatus) as refused, site.player(ME, **{"X-Forwarded-For": "-"}):
            pass
        assert refused.value.response.status_code == 403
        # Without the header, the visitor is this machine itself.
        with site.player(ME), site.player(ME):
            pass


def test_local_headers_are_ignored_unless_configured(
    store: Store, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default, Uvicorn trusts this machine and an environment variable; the server does not."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.setattr(limits, "WINDOWS_PER_ADDRESS", 1)
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    with run(store) as site:
        with site.player(ME, **forged), site.player(ME, **forged) as second:
            assert second.welcome["type"] == "welcome"
        answer = httpx.get(site.url, headers=forged, trust_env=False, verify=False, timeout=300)
        assert "secure" not in answer.headers["set-cookie"].lower()


def test_a_visitor_by_https_gets_a_secure_cookie(store: Store, run: Callable[..., Any]) -> None:
    """Only host names given by the operator are accepted."""
    hosts = served_hosts("127.0.0.1", ["play.example.org"])
    with run(store, hosts, Networks(["127.0.0.1"])) as site:

        def get(host: str, scheme: str) -> httpx.Response:
            headers = {"Host": host, "X-Forwarded-Proto": scheme, "X-Forwarded-For": "203.0.113.9"}
            return httpx.get(site.url, headers=headers, trust_env=False, verify=False, timeout=300)

        assert "; Secure" in get("play.example.org", "https").headers["set-cookie"]
        assert "; Secure" not in get("play.example.org", "http").headers["set-cookie"]
        refused = get("evil.example", "https")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")

        def opened(origin: str) -> ClientConnection:
            sock = socket.create_connection(("127.0.0.1", site.port), timeout=300)
            url = "ws://play.example.org/ws"
            return connect(url, sock=sock, origin=Origin(origin), proxy=None, open_timeout=300)

        with opened("https://play.example.org") as window:
            assert "welcome" in str(window.recv(timeout=300))
        with pytest.raises(InvalidStatus):
            opened("https://evil.example")


def test_visitors_behind_a_proxy_are_not_local(
    store: Store, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even behind an unnamed proxy, visitors do not see the machine's directories."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    lab.run("exact", "beginner", n=5, out=tmp_path / "run")
    for proxies in (Networks(), Networks(["127.0.0.1"])):
        with run(store, proxies=proxies) as site:

            def keys(name: str = "accept", value: str = "*/*", url: str = site.url) -> set[str]:
                answer = httpx.get(
                    f"{url}/api/runs",
                    headers={name: value},
                    trust_env=False,
                    verify=False,
                    timeout=300,
                )
                [found] = answer.json()
                return set(found)

            assert "path" in keys()
            assert "path" not in keys("x-forwarded-for", "203.0.113.9")
            assert "path" not in keys("x-forwarded-for", "127.0.0.1")
            assert "path" not in keys("x-real-ip", "203.0.113.9")
            assert "path" not in keys("via", "1.1 proxy")


def test_proxy_connections_have_no_address_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The limit on connections per address does not apply to a trusted proxy."""
    monkeypatch.setattr(limits, "CONNECTIONS_PER_ADDRESS", 0)

    def is_one_too_many(peer: str) -> bool:
        connection = HTTPConnection.__new__(HTTPConnection)
        connection.client, connection.connections = (peer, 1), {connection}
        connection.proxies = PROXIES
        return connection._exceeded_limit() is not None

    assert is_one_too_many("192.0.2.1")
    assert not is_one_too_many("10.0.0.1")
