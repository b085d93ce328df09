"""Find the games that a browser can review: its current game, daily boards, the history."""

from __future__ import annotations

from functools import partial
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import IllegalAction
from sapper.history import Record
from sapper.replay import Playback
from sapper.server.http.errors import NoGame
from sapper.server.jobs.reviews import Reviewable
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.session.client import Client
from sapper.server.session.secrecy import check_over
from sapper.server.session.sessions import Sessions
from sapper.server.storage.day_results import Day
from sapper.translation import t

__all__ = ["DAY", "GAME", "finished", "of_day", "of_history"]

DAY: Final = "day-"
"""Key prefix of games that are results of daily boards."""

GAME: Final = "game-"
"""Key prefix of games in the history."""


async def of_day(sessions: Sessions, client: Client, day: Day) -> Reviewable:
    """Return the game of a daily result.

    Raises:
        NoGame: If there is no such game.
    """
    game = await sessions.daily_game(client.session.id, day)
    if game is None:
        raise NoGame(f"there is no result of the daily board of {shown(day)}")
    now, helped = Snapshot.of(game), client.session.dailies[day].helped
    return Reviewable(f"{DAY}{day}", game.trail(), now, helped)


async def of_history(sessions: Sessions, client: Client, key: str) -> Reviewable:
    """Return a game of the history.

    Raises:
        NoGame: If there is no such game.
    """
    record = await sessions.finished_game(client.session.id, key)
    if record is None:
        raise NoGame(f"there is no game {shown(key)} in your history")
    return await sessions.in_thread(partial(_reviewable, key, record))


async def finished(sessions: Sessions, client: Client, key: str) -> tuple[Reviewable, str]:
    """Return the finished game with this key, and its key in the history or its day.

    Raises:
        NoGame: If there is no such game.
        IllegalAction: If the browser has started another game since.
        StillRunning: If the game is not over.
    """
    if key.startswith(DAY):
        game, saved = await of_day(sessions, client, key.removeprefix(DAY)), key
    elif key.startswith(GAME):
        saved = key.removeprefix(GAME)
        game = await of_history(sessions, client, saved)
    else:
        game, saved = await client.to_review(helping=False), client.session.record_key or ""
        if game.key != key:
            raise IllegalAction(t("a newer game has started; review that one"))
    check_over(
        game.now, t("this game is still running, and showing its mistakes would count as help")
    )
    return game, saved


def _reviewable(key: str, record: Record) -> Reviewable:
    key, helped, game = f"{GAME}{key}", record.helped or None, record.game()
    if game is not None:
        return Reviewable(key, game.trail(), Snapshot.of(game), helped)
    played = Playback(record.replay())
    position, board = played.position(), played.replay.board
    now = Snapshot(
        position.cells, position, played.status, 0, can_undo=False, actions=len(played.steps),
        seed=None, bbbv=record.bbbv,
    )  # fmt: skip
    return Reviewable(key, played.trail._replace(board=board), now, helped)
