"""Games that anyone with their URL can watch: shared ones, and those on leaderboards."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

from sapper.errors import BadSetting, IllegalAction
from sapper.generation.daily import DailyBoards
from sapper.history import History, Record
from sapper.rules import Level
from sapper.server import limits
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.daily_secret import daily_boards
from sapper.server.storage.entries import LINK_BYTES, is_todays
from sapper.translation import t

__all__ = ["MOST_SHARED", "PublicGame", "PublicGames", "Shared", "is_open_daily"]

MOST_SHARED: Final = 1_000
"""Maximum number of shared games per player."""

_OWNER: Final = """
LEFT JOIN accounts ON accounts.player = {0}.player
LEFT JOIN profiles ON profiles.player = {0}.player
WHERE {1} = ? AND NOT EXISTS (
    SELECT 1 FROM bans WHERE bans.account = accounts.id AND (until_ms IS NULL OR until_ms > ?)
)
"""


class Shared(NamedTuple):
    """A game that its player has shared.

    Attributes:
        id: The id of its public page.
        game: The key of the game.
        listed: Whether it is listed on the player's profile.
    """

    id: str
    game: str
    listed: bool


class PublicGame(NamedTuple):
    """A game that anyone with its URL can watch.

    Attributes:
        id: The id of its page.
        player: The session of its player.
        name: The name of the player; None for a guest.
        private: Whether the player's profile is private.
        board: Its leaderboard; None if it is not on one.
        shared: Whether its player has shared it.
        listed: Whether it is listed on the player's profile.
        record: The game.
    """

    id: str
    player: str
    name: str | None
    private: bool
    board: str | None
    shared: bool
    listed: bool
    record: Record


class PublicGames(Clocked):
    """A database's public games. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    @cached_property
    def _dailies(self) -> DailyBoards:
        return daily_boards(self._database)

    def share(self, player: str, game: str, *, listed: bool) -> Shared | None:
        """Share a finished game, or change whether it is listed; None if there is no such game.

        Args:
            player: The session of the player.
            game: The key of the game.
            listed: Whether to list it on the player's profile.

        Raises:
            BadSetting: If the player has shared too many games, or the board is too large.
            IllegalAction: If others can still play its board as today's daily board.
        """
        record = History(self._database, player).get(game)
        if record is None:
            return None
        now, size = self._now_ms(), Level.parse(record.level)
        if size.width * size.height > limits.SMALL_CELLS:
            raise BadSetting(
                t(
                    "games on boards of more than {cells} cells have no replay",
                    cells=limits.SMALL_CELLS,
                )
            )
        if is_open_daily(record, self._dailies, now):
            raise IllegalAction(t("you can share the daily board from tomorrow (UTC)"))
        with self._database.writing() as db:
            [count] = db.execute(
                "SELECT count(*) FROM public_games WHERE player = ? AND game <> ?", (player, game)
            ).fetchone()
            if count >= MOST_SHARED:
                raise BadSetting(t("you can share at most {most} games", most=MOST_SHARED))
            row = db.execute(
                "INSERT INTO public_games (id, player, game, shared_ms, listed) "
                "VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (player, game) DO UPDATE SET listed = excluded.listed RETURNING id",
                (secrets.token_urlsafe(LINK_BYTES), player, game, now, int(listed)),
            ).fetchone()
        return Shared(row[0], game, listed)

    def unshare(self, player: str, game: str) -> bool:
        """Stop sharing a game; return whether it was shared. Its URL becomes invalid."""
        with self._database.writing() as db:
            gone = db.execute(
                "DELETE FROM public_games WHERE player = ? AND game = ?", (player, game)
            )
            return bool(gone.rowcount)

    def shared(self, player: str, game: str) -> Shared | None:
        """Return a player's game if it is shared."""
        with self._database.reading() as db:
            row = db.execute(
                "SELECT id, game, listed FROM public_games WHERE player = ? AND game = ?",
                (player, game),
            ).fetchone()
        return None if row is None else Shared(row[0], row[1], bool(row[2]))

    def listed(self, player: str) -> dict[str, str]:
        """Return the public pages of a player's games that anyone may find, by key of the game."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT game, id FROM public_games WHERE player = ? AND listed = 1", (player,)
            ).fetchall()
        return dict(rows)

    def find(self, page: str) -> PublicGame | None:
        """Return the game with an id; None if there is none, or it cannot be watched now.

        Games of banned players and replays of today's daily board cannot be watched.
        """
        now = self._now_ms()
        found = self._find(page, now)
        if found is None:
            return None
        player, game, name, private, board, shared, listed = found
        record = History(self._database, player).get(game)
        if record is None or (board and is_todays(board, now)):
            return None
        if is_open_daily(record, self._dailies, now):
            return None
        return PublicGame(
            page, player, name, bool(private), board, bool(shared), bool(listed), record
        )

    def _find(self, page: str, now: int) -> tuple[Any, ...] | None:
        columns = "{0}.player, {0}.game, accounts.name, coalesce(private, 0)"
        with self._database.reading() as db:
            row: tuple[Any, ...] | None = db.execute(
                f"SELECT {columns.format('public_games')}, NULL, 1, listed FROM public_games "
                f"{_OWNER.format('public_games', 'public_games.id')}",
                (page, now),
            ).fetchone()
            if row is not None:
                return row
            # Guests do not appear on leaderboards.
            return db.execute(  # type: ignore[no-any-return]
                f"SELECT {columns.format('entries')}, board, 0, 0 FROM entries "
                f"{_OWNER.format('entries', 'entries.link')} "
                "AND withdrawn IS NULL AND accounts.name IS NOT NULL",
                (page, now),
            ).fetchone()


def is_open_daily(record: Record, boards: DailyBoards, now_ms: int) -> bool:
    """Return whether a game shows the current daily board, which others may not have played.

    It may be practice, or continue from a decision of the attempt.
    """
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    if record.moves.get("seed") == boards.seed(today):
        return True
    given = record.moves.get("board")
    return isinstance(given, dict) and given == boards.board(today).board.to_json()
