"""Every response restricts what pages may do, and what other sites may do with it."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.server import Networks, create_app
from sapper.server.storage.store import Store
from support.requests import REQUESTS

_SITE = "play.example.org"
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
_HTTPS = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1", "host": _SITE}


def _answers(app: Starlette, *requests: httpx.Request) -> list[httpx.Response]:
    """Return the answers of an app to requests, which come from this machine."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as own:
            return [await own.send(request) for request in requests]

    return asyncio.run(ask())


def _get(path: str, url: str = "http://localhost:8000", **headers: str) -> httpx.Request:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Request("GET", f"{url}{path}", headers=given)


def _site(store: Store) -> Starlette:
    return create_app(store, [_SITE, "localhost"], proxies=Networks(["127.0.0.1"]))


def _check(answer: httpx.Response, *, secure: bool) -> None:
    """Check the headers of an answer; none occurs twice."""
    names = [name.decode().lower() for name, _ in answer.headers.raw]
    where = f"{answer.request.method} {answer.request.url} {answer.status_code}"
    assert {name: answer.headers.get(name) for name in _ALWAYS} == _ALWAYS, where
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], where
    assert "camera=()" in answer.headers["permissions-policy"], where
    assert answer.headers["cross-origin-resource-policy"] in ("same-origin", "cross-origin"), where
    assert ("strict-transport-security" in names) is secure, where
    added = {*_ALWAYS, "content-security-policy", "permissions-policy", "cache-control"}
    assert [name for name in names if names.count(name) > 1 and name in added] == []


@pytest.mark.parametrize("secure", [False, True])
def test_every_address_has_the_headers(store: Store, secure: bool) -> None:
    """Including unknown URLs, wrong methods, static files and refused requests."""
    headers = _HTTPS if secure else {"x-forwarded-for": "192.0.2.1", "host": _SITE}
    filled = {"key": "x", "me": "m" * 24, "other": "o" * 24}
    requests = []
    asked = {request: body for each in REQUESTS.items() for request, body in _flat(*each)}
    asked |= {("GET", "/nowhere"): None, ("DELETE", "/"): None, ("GET", "/static/none"): None}
    asked |= {("GET", "/static/icon.svg"): None, ("GET", "/static/../app.py"): None}
    for (method, path), body in asked.items():
        for name, value in filled.items():
            path = path.replace(f"{{{name}}}", value)
        text = None if body is None else json.dumps(body)
        url = f"http://127.0.0.1{path}"
        requests.append(httpx.Request(method, url, headers=headers, content=text))
    answers = _answers(_site(store), *requests)
    assert {200, 400, 404, 405} <= {answer.status_code for answer in answers}
    for answer in answers:
        _check(answer, secure=secure)


def _flat(
    route: tuple[str, str], requests: list[tuple[str, object]]
) -> list[tuple[tuple[str, str], object]]:
    return [((route[0], path), body) for path, body in requests]


def test_refusals_have_the_headers(store: Store) -> None:
    """The checks of the host, the origin and the proxy's headers refuse before any route."""
    other_host = _get("/", host="evil.example")
    other_page = httpx.Request(
        "POST", "http://localhost:8000/api/move", headers={"origin": "https://evil.example"}
    )
    bad_proxy = _get("/", x_forwarded_for="nonsense")
    answers = _answers(_site(store), other_host, other_page, bad_proxy)
    assert [answer.status_code for answer in answers] == [403, 403, 400]
    for answer in answers:
        _check(answer, secure=False)


def test_a_failure_has_the_headers(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """An unexpected error leaves by another way than usual answers."""

    async def fail(_: Request) -> Response:
        raise ZeroDivisionError

    app = _site(store)
    app.router.routes.insert(0, Route("/fail", fail))
    [plain, secure] = _answers(
        app, _get("/fail"), httpx.Request("GET", "http://127.0.0.1/fail", headers=_HTTPS)
    )
    assert (plain.status_code, secure.status_code) == (500, 500)
    assert plain.json()["error"]["code"] == "internal"
    _check(plain, secure=False)
    _check(secure, secure=True)


def test_https_is_not_required_of_this_machine(store: Store) -> None:
    """The header would apply to all ports of localhost, whose other servers may have no HTTPS."""
    [own, told] = _answers(
        _site(store),
        httpx.Request("GET", "http://127.0.0.1/", headers=_HTTPS | {"host": "localhost:8000"}),
        httpx.Request("GET", "http://127.0.0.1/", headers=_HTTPS),
    )
    _check(own, secure=False)
    assert told.headers["strict-transport-security"] == "max-age=31536000"


def test_a_stranger_cannot_require_https(store: Store) -> None:
    """Only a trusted proxy says that a connection is encrypted."""
    app = create_app(store, [_SITE])
    [answer] = _answers(app, httpx.Request("GET", "http://127.0.0.1/", headers=_HTTPS))
    _check(answer, secure=False)


def test_other_sites_may_show_pictures_only(store: Store) -> None:
    """Previews and shared boards appear in forums; pages, scripts and data do not."""
    paths = ["/static/preview.png", "/static/icon.svg", "/", "/api/menu", "/static/js/dom.js"]
    found = [
        answer.headers["cross-origin-resource-policy"]
        for answer in _answers(_site(store), *map(_get, paths))
    ]
    assert found == ["cross-origin", "cross-origin", "same-origin", "same-origin", "same-origin"]
