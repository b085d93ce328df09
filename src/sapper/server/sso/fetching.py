"""Requests to the provider, with bounded size; callers bound the time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper.server.sso.errors import Untrusted

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "fetch_json"]

_PLAIN: Final = ("", "identity")


class Answer(NamedTuple):
    """A response from the provider.

    Attributes:
        status: The HTTP status.
        content: The JSON object in its body.
    """

    status: int
    content: dict[str, Any]


async def fetch_json(
    client: httpx.AsyncClient, method: str, url: str, most: int, **named: Any
) -> Answer:
    """Send a request, and return the JSON object in the response.

    Args:
        client: The HTTP client.
        method: The HTTP method.
        url: The URL; redirects are not followed.
        most: Maximum size of the response in bytes.
        named: Further arguments of the client.

    Raises:
        Untrusted: If the request fails, or the response is too large or not a JSON object.
    """
    import httpx

    # A compressed response could be much larger than the bytes that arrive.
    headers = {"accept": "application/json", "accept-encoding": "identity"}
    body = bytearray()
    try:
        async with client.stream(method, url, headers=headers, **named) as response:
            if response.headers.get("content-encoding", "").lower() not in _PLAIN:
                raise Untrusted("the response is compressed")
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > most:
                    raise Untrusted(f"the response is larger than {most} bytes")
            status = response.status_code
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as problem:
        raise Untrusted(f"the request failed ({type(problem).__name__})") from None
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Untrusted(f"the response, with status {status}, is not a JSON object")
    return Answer(status, content)
