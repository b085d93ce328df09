"""One player's game in a recording, for replays, reviews and figures."""

from __future__ import annotations

from typing import Any

from sapper._util.json_reading import reading
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting
from sapper.game import Game
from sapper.game.save import action_to_json
from sapper.generation import parse_id
from sapper.topology import Cell

__all__ = ["game_in"]


def game_in(recording: dict[str, Any], number: int | None = None) -> Game:
    """Return a game from the `recording` of a race or a shared board.

    Its first action opens the start, at 0 seconds. In a race and on a shared board, a mine does not
    end the game, but here it does: actions after the first mine are left out.

    Args:
        recording: The recording.
        number: The number of a player in a race; on a shared board, the game of all players
            together.

    Raises:
        BadSave: If the object is not such a recording.
        IllegalAction: If an action is not possible.
        BadSetting: If no such player was in the race.
    """
    with reading("a recording"):
        log = recording["log"] if number is None else recording["logs"].get(str(number), [])
        # In some races, everyone has another board.
        dealt = parse_id(recording.get("boards", {}).get(str(number), recording["board"]))
        game = Game.from_board(dealt.board, recording["rules"], undo=False, seed=0)
        actions = [Action(ActionKind.OPEN, dealt.start)]
        # In the log of a shared board, the player's number follows the time.
        entries = ((entry[0], *entry[-3:]) for entry in log)
        actions += [Action(kind, Cell(row, col), ms / 1000) for ms, kind, row, col in entries]
        is_there = number is None or str(number) in recording["logs"]
    if not is_there:
        raise BadSetting(f"player {number} is not in this recording")
    return _timed(game, actions)


def _timed(game: Game, actions: list[Action]) -> Game:
    """Play actions up to the end of a game; return it with their times."""
    saved, done = game.to_json(), list[Action]()
    for action in actions:
        if game.over:
            break
        game.play(action)
        done.append(action)
    saved["actions"] = [action_to_json(action, None) for action in done]
    saved["clock"]["player_s"] = done[-1].at_s
    return Game.from_json(saved)
