"""Profiles of players with a name, and their follow lists.

``/@NAME`` is a profile's page. A profile can be private; it is then the same to others as one
that does not exist.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sapper._util.shortening import shown
from sapper.community import Measure, is_provisional
from sapper.dealer import rules_label
from sapper.history import History, Selection
from sapper.rules import level_label
from sapper.server import limits
from sapper.server.accounts.records import Account
from sapper.server.http.accounts import AccountApi
from sapper.server.http.address_limits import AddressRate
from sapper.server.http.endpoints import endpoint, json_of
from sapper.server.http.errors import NoGame
from sapper.server.http.history import figures_json
from sapper.server.http.standing import (
    easiest_first,
    expect_named_player,
    in_thread,
    name_in,
    named_player,
    rating_list_json,
)
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import BadMessage, Json
from sapper.server.session.daily import streak, today
from sapper.server.storage.entries import Entries
from sapper.server.storage.profiles import Profile, Profiles
from sapper.server.storage.public_games import PublicGames
from sapper.server.storage.ratings import ListRating, RatingChange, Ratings
from sapper.server.storage.store import Store
from sapper.stats import wilson
from sapper.translation import catalogue, t
from sapper.web import Assets, Preview, current_language

__all__ = ["ProfilesApi"]

_BODY_BYTES: Final = 1_000
_LAST_GAMES: Final = 10
_KINDS: Final = 12
"""Number of kinds of games with statistics, the most frequent first."""
_STATISTICS: Final = """
SELECT rules, level, count(*), sum(won), min(CASE WHEN won = 1 THEN time_ms END) FROM games
WHERE owner = ? AND bot = '' AND helped = '' AND variant = ''
GROUP BY rules, level ORDER BY count(*) DESC, rules, level LIMIT ?
"""


class ProfilesApi:
    """The routes.

    Args:
        store: The game store.
        visitors: Identifies browsers.
        accounts: The account of the browser.
        assets: The pages.
    """

    def __init__(
        self, store: Store, visitors: Visitors, accounts: AccountApi, assets: Assets
    ) -> None:
        self._store, self._visitors, self._accounts = store, visitors, accounts
        self._assets = assets
        database = store.database
        self._profiles, self._ratings = Profiles(database), Ratings(database)
        self._entries, self._public = Entries(database), PublicGames(database)
        rate = AddressRate(limits.STANDING_PER_S, limits.STANDING_BURST, "profiles")

        def route(
            path: str, answer: Callable[[Request], Awaitable[Any]], method: str = "POST"
        ) -> Route:
            return Route(path, endpoint(answer, rate), methods=[method])

        self.routes: Final = [
            Route("/@{name}", self._page),
            route("/api/profiles/{name}", self._profile, "GET"),
            route("/api/profiles/{name}/follow", self._follow),
            route("/api/profiles/{name}/unfollow", self._unfollow),
            route("/api/following", self._following, "GET"),
            route("/api/account/private", self._set_private),
        ]

    async def _find(self, request: Request) -> Profile | None:
        """Return the requested profile, if the browser may see it."""
        name = await in_thread(partial(name_in, request.path_params["name"]))
        profile = None if name is None else await in_thread(partial(self._profiles.find, name))
        account = named_player(self._visitors, request)
        own = account is not None and profile is not None and account.id == profile.account.id
        return None if profile is None or (profile.private and not own) else profile

    async def _page(self, request: Request) -> Response:
        """Return a profile page; a former name leads to the current one."""
        profile = await self._find(request)
        # Browsers do not send the cookie when they follow a link from another site, so a script on
        # the page loads a private profile.
        given = request.path_params["name"]
        if profile is None:
            if named_player(self._visitors, request) is None:
                return self._assets.page(request, "profile", 404, self._preview(given))
            raise HTTPException(404)
        name = profile.account.name
        if name != given:
            return RedirectResponse(f"/@{quote(name)}", 302)
        return self._assets.page(
            request, "profile", preview=self._preview(name, listed=not profile.private)
        )

    def _preview(self, name: str, *, listed: bool = False) -> Preview:
        words = catalogue(current_language())
        description = words.text(
            t("Minesweeper: best games, ratings and statistics of {name}.", name=name)
        )
        return Preview(f"/@{quote(name)}", name, description, listed=listed)

    async def _expect(self, request: Request) -> Profile:
        profile = await self._find(request)
        if profile is None:
            name = request.path_params["name"]
            raise NoGame(t("there is no public profile of {name}", name=shown(name)))
        return profile

    async def _profile(self, request: Request) -> Json:
        """Return a profile."""
        profile = await self._expect(request)
        viewer = named_player(self._visitors, request)
        return await in_thread(partial(self._json, profile, viewer))

    def _json(self, profile: Profile, viewer: Account | None) -> Json:
        account = profile.account
        player = account.player
        own = viewer is not None and viewer.id == account.id
        follows = viewer is not None and not own
        followed = self._profiles.followed(viewer.player) if viewer and follows else []
        ratings, changes = self._ratings.of(player), self._ratings.changes(player)
        return {
            "name": account.name,
            "since_ms": account.created_ms,
            "private": profile.private,
            "own": own,
            "following": player in followed if follows else None,
            "ratings": [
                _rating_json(one, changes.get(one.list, []))
                for one in sorted(ratings, key=lambda one: easiest_first(one.list))
            ],
            "bests": self._bests(player),
            "statistics": self._statistics(player),
            "daily": self._daily(player),
            "games": self._games(player),
        }

    def _bests(self, player: str) -> list[Json]:
        """Return a player's best games on each leaderboard."""
        boards: dict[str, Json] = {}
        for name, measure, entry, link in self._entries.bests_of(player):
            rules, level = name.split(" ", 1)
            board = boards.setdefault(
                name,
                {
                    "rules": rules,
                    "level": level,
                    "rules_label": rules_label(rules),
                    "level_label": level_label(level),
                    **dict.fromkeys(map(str, Measure)),
                },
            )
            board[measure] = {
                "value": float(entry.value(measure)),
                "game": link,
                "finished_ms": entry.finished_ms,
            }
        return [boards[name] for name in sorted(boards, key=easiest_first)]

    def _statistics(self, player: str) -> list[Json]:
        """Return the win rates of a player for the most frequent kinds of games."""
        rows = History(self._store.database).query(_STATISTICS, (player, _KINDS))
        return [
            {
                "rules_label": rules_label(rules),
                "level_label": level_label(level),
                "games": games,
                "won": won,
                "interval": list(wilson(won, games)),
                "best_ms": best_ms,
            }
            for rules, level, games, won, best_ms in rows
        ]

    def _daily(self, player: str) -> Json:
        results = self._store.dailies(player)
        won = sum(one.won and one.helped is None for one in results.values())
        return {"streak": streak(results, today()), "played": len(results), "won": won}

    def _games(self, player: str) -> list[Json]:
        """Return a player's last games, with links to those that anyone may watch."""
        history, pages = History(self._store.database, player), self._public.listed(player)
        rows = history.rows(Selection(bot=""), _LAST_GAMES)
        games = []
        for row in rows:
            key = row.pop("key")
            page = pages.get(key)
            games.append(figures_json(page or "", row) | {"id": page})
        return games

    # Follow lists.

    async def _follow(self, request: Request) -> Json:
        """Follow a player."""
        account = expect_named_player(self._visitors, request)
        profile = await self._expect(request)
        await in_thread(partial(self._profiles.follow, account.player, profile.account.player))
        return {"following": True}

    async def _unfollow(self, request: Request) -> Json:
        """Stop following a player, whose profile may have become private."""
        account = expect_named_player(self._visitors, request)
        name = await in_thread(partial(name_in, request.path_params["name"]))
        profile = None if name is None else await in_thread(partial(self._profiles.find, name))
        if profile is not None:
            player = profile.account.player
            await in_thread(partial(self._profiles.unfollow, account.player, player))
        return {"following": False}

    async def _following(self, request: Request) -> Json:
        """Return the players whom the player of the browser follows."""
        account = expect_named_player(self._visitors, request)

        def find() -> list[Json]:
            followed = self._profiles.followed(account.player)
            names = self._profiles.names(followed)
            return [{"name": name, "profile": not private} for name, private in names.values()]

        return {"following": await in_thread(find)}

    async def _set_private(self, request: Request) -> Json:
        """Make the profile private or public; return the account."""
        signed_in = self._accounts.expect_account(request)
        private = (await json_of(request, _BODY_BYTES)).get("private")
        if not isinstance(private, bool):
            raise BadMessage(f"'private' must be true or false, got {shown(private)}")
        player = signed_in.account.player
        await in_thread(partial(self._profiles.set_private, player, private=private))
        return await self._accounts.renewed(signed_in)


def _rating_json(one: ListRating, changes: list[RatingChange]) -> Json:
    return {
        **rating_list_json(one.list),
        "rating": one.rating.rating,
        "deviation": one.rating.deviation,
        "provisional": is_provisional(one.rating),
        "games": one.games,
        "changed_ms": one.changed_ms,
        "changes": [list(change) for change in changes],
    }
