"""Changes of sessions contain everything that loading needs."""

from __future__ import annotations

import json
from dataclasses import replace

from sapper.server.session.saving import change
from sapper.server.session.session import Session


def test_saved_settings_are_always_current() -> None:
    """The settings in a change are those of the session, whichever of them has changed."""
    session = Session("a" * 24)

    def saved() -> dict[str, object]:
        state = json.loads(change(session).state)
        assert state["settings"] == session.next_settings.to_json()
        assert state["choices"] == {n: each.to_json() for n, each in session.choices.items()}
        assert state["questions"] == session.questions
        assert state["assist"] == session.assist.to_json()
        assert state["automatic"] == session.automatic.to_json()
        clock = session.game.clock
        times = {"player_s": clock.player_s, "running": clock.player.running}
        assert state["clock"] == {**times, "solver_s": clock.solver_s}
        assert (state["helped"], state["day"]) == (session.helped, session.day)
        assert state["started_ms"] == session.started_ms
        assert (state["record_key"], state["attempt"]) == (session.record_key, session.attempt)
        return dict(state)

    first = saved()
    assert saved() == first
    session.next_settings = session.with_changes({"level": "expert"})
    assert saved() != first
    session.next_settings = session.with_changes({"rules": "kaboom"})
    session.questions = True
    assert saved()["questions"]
    session.set_assist(replace(session.assist, mode="assisted", overlay="chances"))
    assert saved()["helped"] == "overlay"
    session.automatic.change({"delay_ms": 7, "loop": True})
    session.note_move()
    session.game.clock.player.set(12.5)
    session.game.clock.solver.set(0.25)
    assert saved()["started_ms"] is not None
    session.record_key, session.day, session.attempt = "k", "2026-11-27", True
    state = saved()
    assert state["automatic"] != first["automatic"]
    assert set(state) == set(first)
