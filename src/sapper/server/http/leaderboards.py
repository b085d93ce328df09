"""The HTTP interface of leaderboards, rating lists and the seeds of past daily boards."""

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
from sapper.server.accounts.records import Account
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint
from sapper.server.http.standing import (
    easiest_first,
    in_thread,
    named_player,
    rating_list_json,
)
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json
from sapper.server.session.daily import today
from sapper.server.storage.entries import Board, Entries, Row, is_todays
from sapper.server.storage.profiles import Profiles
from sapper.server.storage.ratings import RatedRow, RatingBoard, Ratings
from sapper.server.storage.store import Store

__all__ = ["LeaderboardsApi"]

_DAILY_RULES: Final = "no-guess"
_AMONG: Final = ["all", "followed"]
_LONGEST_LIST: Final = 100
"""Maximum number of characters in the name of a rating list."""


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
        self._ratings = Ratings(store.database)
        self._visitors, self._clock = visitors, clock
        rate = AddressRate(limits.STANDING_PER_S, limits.STANDING_BURST, "leaderboards")
        self.routes: Final = [
            Route("/api/leaderboard", endpoint(self._board, rate), methods=["GET"]),
            Route("/api/leaderboards", endpoint(self._boards, rate), methods=["GET"]),
            Route("/api/ratings", endpoint(self._rating_board, rate), methods=["GET"]),
            Route("/api/daily", endpoint(self._daily, rate), methods=["GET"]),
        ]

    async def _boards(self, request: Request) -> Json:
        """Return the leaderboards to choose from: the usual ones and those with entries."""
        found = await in_thread(self._entries.boards)
        lists = await in_thread(self._ratings.lists)
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
            "lists": [rating_list_json(name) for name in sorted(lists, key=easiest_first)],
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
        start, is_among = _start(query), _choice(query, "among", _AMONG)

        def find() -> Board:
            among = self._those(player, is_among)
            return self._entries.board(
                name, measure, period, player=player, among=among, start=start
            )

        board = await in_thread(find)
        if head["day"] is not None:
            head["seed"] = self._published_seed(date.fromisoformat(head["day"]))
        secret = is_todays(name, int(self._clock() * 1000))
        row = partial(_row, measure=measure, player=player, secret=secret)
        return {
            "board": {"name": name, **head},
            "measure": measure,
            "period": period,
            **_page_json(board, row, account),
        }

    def _those(self, player: str, among: str) -> tuple[str, ...] | None:
        """Return the players that a list is limited to; None for all."""
        return None if among == "all" else (player, *self._profiles.followed(player))

    async def _rating_board(self, request: Request) -> Json:
        """Return a page of a rating list."""
        query = request.query_params
        name = query.get("list", "")
        if not 0 < len(name) <= _LONGEST_LIST:
            raise BadMessage(f"'list' must be the name of a rating list, got {shown(name)}")
        account = named_player(self._visitors, request)
        player = "" if account is None else account.player
        start, is_among = _start(query), _choice(query, "among", _AMONG)

        def find() -> RatingBoard:
            among = self._those(player, is_among)
            return self._ratings.board(name, player=player, among=among, start=start)

        board = await in_thread(find)
        row = partial(_rating_row, player=player)
        return {"list": name, **_page_json(board, row, account)}


def _page_json(
    board: Board | RatingBoard, row: Callable[[Any], Json], account: Account | None
) -> Json:
    """Return the fields that pages of leaderboards and rating lists have in common."""
    return {
        "rows": [row(one) for one in board.rows],
        "own": None if board.own is None else row(board.own),
        "players": board.players,
        "start": board.start,
        "name": None if account is None else account.name,
    }


def _start(query: Any) -> int | None:
    """Return the number of the first row of a page; None for the page around the player's row."""
    text: str = query.get("start", "1")
    if text == "own":
        return None
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise BadMessage(f"'start' must be a number from 1 or 'own', got {shown(text)}")
    return int(text)


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


def _rating_row(row: RatedRow, *, player: str) -> Json:
    return {
        "place": row.place,
        "name": row.name,
        "profile": not row.private,
        "rating": row.rated.rating.rating,
        "deviation": row.rated.rating.deviation,
        "games": row.rated.games,
        "changed_ms": row.rated.changed_ms,
        "own": row.player == player,
    }
