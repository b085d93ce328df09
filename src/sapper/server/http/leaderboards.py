"""The HTTP interface of leaderboards, and of the seeds of past daily boards."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from sapper._util.names import either
from sapper._util.shortening import shown
from sapper.community import Measure, Period, board_name
from sapper.dealer import RULES, rules_label
from sapper.generation.daily import DAILY_LEVEL, DAILY_START, parse_day
from sapper.rules import LEVELS, Level, level_label
from sapper.server import limits
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint
from sapper.server.http.standing import in_thread, named_player
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json
from sapper.server.session.daily import today
from sapper.server.storage.entries import Board, Entries, Row, is_todays
from sapper.server.storage.profiles import Profiles
from sapper.server.storage.store import Store

__all__ = ["LeaderboardsApi"]

_DAILY_RULES: Final = "no-guess"


class LeaderboardsApi:
    """The routes.

    Args:
        store: The game store.
        visitors: Identifies browsers.
        clock: Seconds since 1970.
    """

    def __init__(
        self, store: Store, visitors: Visitors, clock: Callable[[], float] = time.time
    ) -> None:
        self._dailies = store.daily_boards
        self._entries, self._profiles = Entries(store.database), Profiles(store.database)
        self._visitors, self._clock = visitors, clock
        rate = AddressRate(limits.STANDING_PER_S, limits.STANDING_BURST, "leaderboards")
        self.routes: Final = [
            Route("/api/leaderboard", endpoint(self._board, rate), methods=["GET"]),
            Route("/api/leaderboards", endpoint(self._boards, rate), methods=["GET"]),
            Route("/api/daily", endpoint(self._daily, rate), methods=["GET"]),
        ]

    async def _boards(self, request: Request) -> Json:
        """Return the leaderboards to choose from: the usual ones and those with entries."""
        found = await in_thread(self._entries.boards)
        names = [board_name(level, rules) for rules in RULES for level in LEVELS]
        names += [name for name in found if name not in names]
        levels = dict.fromkeys(name.split(" ", 1)[1] for name in names)
        # The simplest game that somebody has won (default: the simplest game).
        rules, level = next((name for name in names if name in found), names[0]).split(" ", 1)
        player = named_player(self._visitors, request)
        return {
            "usual": {"rules": rules, "level": level},
            "rules": [{"value": name, "label": rules_label(name)} for name in RULES],
            "levels": [{"value": name, "label": level_label(name)} for name in levels],
            "today": today().isoformat(),
            "name": None if player is None else player.name,
        }

    async def _daily(self, request: Request) -> Json:
        """Return a daily board: its seed from the next day, so that anyone can check it."""
        day = _day(request.query_params.get("day", "today"))
        return {
            "day": day.isoformat(),
            "seed": self._published_seed(day),
            "level": str(DAILY_LEVEL),
            "start": [*DAILY_START],
        }

    def _published_seed(self, day: date) -> int | None:
        """Return the seed of a day's board, or None while others can still play it."""
        return self._dailies.seed(day) if day < today() else None

    async def _board(self, request: Request) -> Json:
        """Return a leaderboard."""
        query = request.query_params
        measure = Measure(_choice(query, "measure", list(Measure)))
        period = Period(_choice(query, "period", [Period.ALL, Period.MONTH, Period.DAY]))
        name, head = _board_of(query)
        period = Period.ALL if "day" in query else period
        account = named_player(self._visitors, request)
        player = "" if account is None else account.player
        following = _choice(query, "among", ["all", "followed"]) == "followed"

        def find() -> Board:
            among = (player, *self._profiles.followed(player)) if following else None
            return self._entries.board(name, measure, period, player=player, among=among)

        board = await in_thread(find)
        if head["day"] is not None:
            head["seed"] = self._published_seed(date.fromisoformat(head["day"]))
        secret = is_todays(name, int(self._clock() * 1000))
        row = partial(_row, measure=measure, player=player, secret=secret)
        return {
            "board": {"name": name, **head},
            "measure": measure,
            "period": period,
            "rows": [row(one) for one in board.rows],
            "own": None if board.own is None else row(board.own),
            "players": board.players,
            "name": None if account is None else account.name,
        }


def _board_of(query: Any) -> tuple[str, Json]:
    """Return the name of the requested leaderboard, with its level, rules and day."""
    if "day" in query:
        day = _day(query["day"])
        level, rules = str(DAILY_LEVEL), _DAILY_RULES
        name = board_name(level, rules, day)
    else:
        rules = _choice(query, "rules", list(RULES))
        level, day = str(Level.of(query.get("level", "expert"))), None
        name = board_name(level, rules)
    return name, {
        "level": level,
        "rules": rules,
        "level_label": level_label(level),
        "rules_label": rules_label(rules),
        "day": None if day is None else day.isoformat(),
        "seed": None,
    }


def _day(text: str) -> date:
    day = parse_day(text, today())
    if day > today():
        raise BadMessage(f"'day' must be {today()} (UTC) or earlier, not {day}")
    return day


def _choice(query: Any, name: str, choices: list[str]) -> str:
    """Return a parameter of a request; by default, the first choice."""
    value: str = query.get(name, choices[0])
    if value not in choices:
        raise BadMessage(f"{name!r} must be {either(tuple(map(str, choices)))}, got {shown(value)}")
    return value


def _row(row: Row, *, measure: Measure, player: str, secret: bool) -> Json:
    entry = row.entry
    return {
        "place": row.place,
        "name": row.name,
        "profile": not row.private,
        "value": float(entry.value(measure)),
        "time_ms": entry.time_ms,
        "bbbv": entry.bbbv,
        "clicks": entry.clicks,
        "finished_ms": entry.finished_ms,
        # The replay of today's daily board would show its mines.
        "game": None if secret else row.link,
        "own": entry.player == player,
    }
