"""Requests that browsers send about accounts."""

from __future__ import annotations

from typing import Any

import httpx

from support.authenticators import SoftAuthenticator

__all__ = [
    "ask",
    "claim",
    "closed",
    "login_cookie",
    "origin",
    "refused",
    "response",
    "sign_in",
]


def ask(client: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """Send a request that must succeed, and return its answer."""
    answer = client.post(f"/api/account/{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(client: httpx.Client, path: str, **body: Any) -> tuple[int, str]:
    """Send a request that must be refused; return the status and code."""
    answer = client.post(f"/api/account/{path}", json=body)
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) == {"code", "message"}
    return answer.status_code, answer.json()["error"]["code"]


def origin(client: httpx.Client) -> str:
    """Return the origin of the client's pages."""
    return str(client.base_url).rstrip("/")


def claim(client: httpx.Client, device: SoftAuthenticator, name: str) -> dict[str, Any]:
    """Claim a name."""
    options = ask(client, "claim/options", name=name)["options"]
    return ask(client, "claim", name=name, credential=device.create(options, origin(client)))


def response(client: httpx.Client, device: SoftAuthenticator) -> dict[str, Any]:
    """Return a device's response to a new sign-in."""
    return device.sign(ask(client, "sign-in/options")["options"], origin(client))


def sign_in(client: httpx.Client, device: SoftAuthenticator) -> dict[str, Any]:
    """Sign in."""
    return ask(client, "sign-in", credential=response(client, device))


def login_cookie(client: httpx.Client) -> tuple[str, str]:
    """Return the name and value of the login cookie."""
    [found] = [(one.name, one.value) for one in client.cookies.jar if "account" in one.name]
    return found[0], str(found[1])


def closed(window: Any) -> None:
    """Wait until the server closes a window."""
    window.until_closed()
