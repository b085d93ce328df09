"""Common parts of the interfaces of leaderboards, profiles and tournaments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request

from sapper.errors import MissingExtra
from sapper.rules import LEVELS, level_label
from sapper.server.accounts.errors import BadName, signed_out
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import Json

__all__ = [
    "easiest_first",
    "expect_named_player",
    "in_thread",
    "name_in",
    "named_player",
    "rating_list_json",
]

_THREADS: Final = anyio.CapacityLimiter(4)
"""Number of threads that read and write standings."""

_Result = TypeVar("_Result")


async def in_thread(work: Callable[[], _Result]) -> _Result:
    """Run a short function in a thread."""
    return await anyio.to_thread.run_sync(work, limiter=_THREADS)


def named_player(visitors: Visitors, request: Request) -> Account | None:
    """Return the account of a browser; None for a guest."""
    signed_in = visitors.signed_in(request)
    return None if signed_in is None else signed_in.account


def expect_named_player(visitors: Visitors, request: Request) -> Account:
    """Return the account of a browser.

    Raises:
        SignedOut: If the browser has no account.
    """
    account = named_player(visitors, request)
    if account is None:
        raise signed_out()
    return account


def name_in(text: str) -> Name | None:
    """Return the name in a URL; None if nobody can have it."""
    try:
        return Name.of(text)
    except (BadName, MissingExtra):
        return None


def easiest_first(name: str) -> tuple[str, int, str]:
    """Return the sort key of a leaderboard or rating list: the presets come before other levels."""
    group, _, rest = name.partition(" ")
    level = rest.partition(" ")[0]
    return group, list(LEVELS).index(level) if level in LEVELS else len(LEVELS), rest


def rating_list_json(name: str) -> Json:
    """Return the fields from which a page forms the name of a rating list."""
    kind, level, *rules = name.split(" ")
    return {"list": name, "kind": kind, "level_label": level_label(level), "rules": rules}
