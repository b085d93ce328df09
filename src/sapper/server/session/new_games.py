"""The jobs for messages that start another game or change the settings of the next one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from sapper._util.shortening import shown
from sapper.coach.retry import game_before
from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.position import Position
from sapper.server import limits
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.job_runner import Job
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.messages.incoming import (
    JOBS,
    DailyBoard,
    New,
    Nothing,
    SettingsChange,
    SharedPosition,
)
from sapper.server.protocol import BadMessage, Json
from sapper.server.session import daily
from sapper.server.session.game_settings import GameSettings
from sapper.server.session.session import Session
from sapper.server.session.state_messages import next_state
from sapper.translation import t

__all__ = ["continued", "retry", "take_over"]


def _with_snapshot(game: Game) -> tuple[Game, Snapshot]:
    return game, Snapshot.of(game)


@JOBS.register("new")
def new(session: Session, fields: New, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """Start a new game with the current settings or those in the message."""
    settings = session.with_changes(fields.get("settings", {}))
    session.make_room(settings.cells)
    seed = fields.get("seed")

    def finish(started: tuple[Game, Snapshot]) -> Json:
        session.next_settings = settings
        session.set_game(started[0], None if seed is None else "seed", started[1])
        return next_state(session, re)

    return Job(lambda: _with_snapshot(settings.game(seed)), finish)


@JOBS.register("again")
def again(session: Session, _: Nothing, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """Restart the same board; the player has seen it, so the game does not count."""
    game = session.game
    if not session.now.over:
        raise BadMessage(t("you can play this board again once the game is over"))

    def work() -> tuple[Game, Snapshot]:
        game.restart(same=True)
        return _with_snapshot(game)

    def finish(started: tuple[Game, Snapshot]) -> Json:
        session.set_game(started[0], "again", started[1])
        return next_state(session, re)

    return Job(work, finish)


def retry(session: Session, game: Game | None, decision: int) -> Job[tuple[Game, Snapshot]]:
    """Go back to a decision of a reviewed game; None means the session's current game."""
    heavy = is_heavy_position(session.now.position)

    def finish(started: tuple[Game, Snapshot]) -> Json:
        session.set_game(started[0], "retry", started[1])
        return next_state(session, None)

    return Job(partial(_before, game or session.game, decision), finish, heavy)


def take_over(session: Session, game: Game) -> Job[tuple[Game, Snapshot]]:
    """Continue from a moment of a replay, whose mines the player has seen."""

    def finish(started: tuple[Game, Snapshot]) -> Json:
        session.set_game(started[0], "replay", started[1])
        return next_state(session, None)

    return Job(partial(_with_snapshot, game), finish)


def _before(game: Game, decision: int) -> tuple[Game, Snapshot]:
    return _with_snapshot(game_before(game, decision))


@JOBS.register("daily")
def of_a_day(
    session: Session, fields: DailyBoard, re: str | None
) -> Job[tuple[Game, Snapshot] | None]:
    """Start a day's board, or continue a running attempt."""
    day = daily.day_of(fields.get("day"))
    name = day.isoformat()
    goes_on = session.day == name and session.attempt and not session.now.over

    def finish(started: tuple[Game, Snapshot] | None) -> Json:
        if started is not None:
            counts = daily.counts(day) and not session.has_started(name)
            helped = None if counts else "practice"
            session.set_game(started[0], helped, started[1], day=name, attempt=counts)
        return next_state(session, re)

    seed = session.daily_seed(day)
    return Job(None if goes_on else lambda: _with_snapshot(daily.daily_game(seed)), finish)


@JOBS.register("position")
def from_position(
    session: Session, fields: SharedPosition, re: str | None
) -> Job[tuple[Game, Snapshot]]:
    """Start a game from a shared position."""
    rules, options = fields.get("rules", "classic"), fields.get("options", {})
    if not isinstance(rules, str) or rules not in RULES:
        raise BadMessage(f"unknown rules {shown(rules)}; choose from: {', '.join(RULES)}")
    given = fields.get("position")
    chosen = dict(GameSettings().changed({"rules": rules, "options": options}).options)

    position = Position.from_json(given)
    if position.topology.size > limits.SMALL_CELLS:
        raise BadMessage(f"a shared position has at most {limits.SMALL_CELLS:,} cells")
    if position.mines is None and position.density is None:
        raise BadMessage(t("to play this position, enter its mine total or density"))
    work = partial(continued, position, rules, chosen)

    def finish(started: tuple[Game, Snapshot]) -> Json:
        # The next game keeps these rules unless they do not allow its level.
        with suppress(SapperError):
            session.next_settings = session.with_changes({"rules": rules, "options": chosen})
        session.set_game(started[0], "shared", started[1])
        return next_state(session, re)

    return Job(work, finish, is_heavy_position(position))


def continued(position: Position, rules: str, options: Mapping[str, Any]) -> tuple[Game, Snapshot]:
    """Start a game from a position; runs in a thread or in a worker process."""
    return _with_snapshot(Game.from_position(position, rules, **options))


@JOBS.register("settings")
def settings_changed(session: Session, fields: SettingsChange, re: str | None) -> Job[Any]:
    """Change the settings of the next game; a game that has not started is replaced immediately."""
    questions = fields.get("questions", session.questions)
    settings = session.with_changes(fields.get("settings", {}))
    ready = session.now.status is Status.READY and not session.now.actions
    replaces = ready and settings != GameSettings.of(session.game)
    if replaces:
        session.make_room(settings.cells)

    def finish(started: tuple[Game, Snapshot] | None) -> Json:
        session.next_settings, session.questions = settings, questions
        if started is not None:
            session.set_game(started[0], None, started[1])
        return next_state(session, re)

    return Job((lambda: _with_snapshot(settings.game())) if replaces else None, finish)
