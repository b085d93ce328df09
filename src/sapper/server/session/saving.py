"""The saved form of sessions, and how their changes are saved."""

from __future__ import annotations

import json
from contextlib import suppress

from sapper.errors import BadSave, SapperError
from sapper.game import Game, save
from sapper.overlays import OVERLAYS
from sapper.server.jobs.measuring import Measuring
from sapper.server.messages.checking import checked
from sapper.server.messages.incoming import AssistChange, AutomaticSettings
from sapper.server.session.assist_settings import NO_OVERLAY, AssistSettings
from sapper.server.session.game_settings import GameSettings
from sapper.server.session.session import Session, Unsaved
from sapper.server.storage.database import compact
from sapper.server.storage.save_queue import SaveQueue, Ticket, settled_ticket
from sapper.server.storage.store import Change, SavedSession

__all__ = ["Saver", "change", "load"]


class Saver:
    """Saves the changes of sessions.

    Args:
        queue: The queue that saves changes in batches.
        measuring: Measures finished games once they are saved.

    Attributes:
        moves: The number of actions saved so far.
    """

    def __init__(self, queue: SaveQueue[Change], measuring: Measuring) -> None:
        self._queue, self._measuring = queue, measuring
        self.moves = 0

    def save(self, session: Session) -> Ticket:
        """Queue the changes of a session, and return the ticket of their batch."""
        if session.deleted:
            return settled_ticket()
        unsaved = change(session)
        self.moves += len(unsaved.actions)
        ticket = self._queue.add(unsaved)
        if unsaved.games:
            self._measuring.expect(ticket)
        return ticket


def change(session: Session) -> Change:
    """Return the changes since the last call, which the caller must save."""
    unsaved, game = session.unsaved, None
    first = unsaved.queued
    if first is None:
        begun = session.game.to_json()
        del begun["actions"], begun["clock"]
        game, first = compact(begun), 0
    new, paths = session.game.log_from(first), session.game.pointer_paths
    session.unsaved = Unsaved(queued=first + len(new))
    actions = tuple(save.action_to_json(a, paths.get(at)) for at, a in enumerate(new, first))
    games, dailies = tuple(unsaved.games), tuple(unsaved.dailies)
    state, starts = _state(session), tuple(unsaved.starts)
    token = session.token
    return Change(session.id, state, game, first, actions, games, dailies, starts, token)


def _state(session: Session) -> str:
    clock = session.game.clock
    running = "true" if clock.player.running else "false"
    # Only the clock changes with every move.
    player_s, solver_s = float(clock.player_s), float(clock.solver_s)
    times = f'{{"player_s":{player_s!r},"running":{running},"solver_s":{solver_s!r}}}'
    return f'{_settings_text(session)[:-1]},{_game_text(session)[1:-1]},"clock":{times}}}'


def _game_text(session: Session) -> str:
    """Return as JSON text what few moves change in the state of the game."""
    now = (
        session.helped,
        session.started_ms,
        session.record_key,
        session.day,
        session.attempt,
    )
    if session.saved_game is None or session.saved_game[0] != now:
        names = ("helped", "started_ms", "record_key", "day", "attempt")
        session.saved_game = now, compact(dict(zip(names, now, strict=True)))
    return session.saved_game[1]


def _settings_text(session: Session) -> str:
    """Return the settings as JSON text."""
    automatic = session.automatic.to_json()
    now = (
        session.next_settings,
        *session.choices.items(),
        session.questions,
        session.assist,
        *automatic.values(),
    )
    # The values of both are mostly the same objects, so this is quick.
    if session.saved_settings is None or session.saved_settings[0] != now:
        settings = {
            "settings": session.next_settings.to_json(),
            "choices": {name: chosen.to_json() for name, chosen in session.choices.items()},
            "questions": session.questions,
            "assist": session.assist.to_json(),
            "automatic": automatic,
        }
        session.saved_settings = now, compact(settings)
    return session.saved_settings[1]


def load(session_id: str, saved: SavedSession) -> Session:
    """Load a saved session by replaying its game; this may take long.

    Raises:
        BadSave: If the saved session cannot be read.
    """
    try:
        state = json.loads(saved.state)
        session = Session(session_id)
        session.bests = saved.bests
        session.dailies, session.starts = saved.dailies, saved.starts
        session.next_settings = GameSettings().changed(state["settings"])
        for settings in state.get("choices", {}).values():
            # The rule set may no longer exist or may have other options.
            with suppress(SapperError):
                chosen = GameSettings().changed(settings)
                session.choices[chosen.rules] = chosen
        session.questions = state["questions"] is True
        assist = dict(state["assist"])
        if assist.get("overlay") not in OVERLAYS:
            # The plugin may no longer be installed.
            assist["overlay"] = NO_OVERLAY
        session.assist = AssistSettings().changed(checked(assist, AssistChange, None))
        with suppress(SapperError, TypeError):
            # It does no harm if the bot no longer exists.
            session.automatic.change(checked(state["automatic"], AutomaticSettings, None))
        if saved.game is not None:
            saved_game = json.loads(saved.game)
            actions = json.loads(saved.actions)
            game = Game.from_json({**saved_game, "clock": state["clock"], "actions": actions})
            day, attempt = state.get("day"), state.get("attempt") is True
            session.set_game(game, state["helped"], day=day, attempt=attempt)
            started_ms = state.get("started_ms")
            session.started_ms = started_ms if type(started_ms) is int else None
            session.record_key = state.get("record_key")
            session.unsaved.queued = len(actions)
    except (SapperError, KeyError, TypeError, ValueError) as problem:
        raise BadSave(f"the saved session cannot be read: {problem}") from problem
    return session
