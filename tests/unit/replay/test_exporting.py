"""Replays for other programs contain the same game, or are refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sapper.board import Board
from sapper.errors import BadReplay, BadSetting
from sapper.game import Game
from sapper.game.pointer_path import pack
from sapper.replay import Events, Info, Playback, Replay, from_json, measure_play, parse
from sapper.replay.exporting import export, file_name

_BOARD = Board.parse("1*2*1\n11211\n00000")


def _played(*moves: tuple[str, tuple[int, int]], board: Board = _BOARD) -> Replay:
    game = Game.from_board(board, time=iter(range(1000)).__next__)
    for kind, cell in moves:
        getattr(game, kind)(cell)
    return Replay.from_game(game)


_WON = (
    ("open", (2, 0)),
    ("flag", (0, 1)),
    ("chord", (1, 0)),
    ("flag", (0, 3)),
    ("question", (0, 3)),
    ("open", (0, 2)),
    ("open", (0, 4)),
)
_LOST = (("open", (0, 0)), ("open", (0, 1)))


@pytest.mark.parametrize("form", ["json", "rawvf", "evf"])
@pytest.mark.parametrize("moves", [_WON, _LOST])
def test_game_survives_export_in_every_format(
    form: str, moves: tuple[tuple[str, tuple[int, int]], ...]
) -> None:
    """Won and lost games, with all kinds of marks, keep their result, counts and times."""
    replay = _played(*moves)
    again = parse(export(replay, form).data)
    one, other = Playback(replay), Playback(again)
    assert one.status == other.status
    assert one.position() == other.position()
    clicks = [measure_play(played).clicks for played in (one, other)]
    assert len({(each.left, each.right, each.double, each.effective) for each in clicks}) == 1
    assert one.time_ms == other.time_ms
    assert again.board == replay.board


def test_own_format_stores_everything() -> None:
    """Sapper's own format keeps everything, including the pointer path."""
    game = Game.from_board(_BOARD)
    game.open((0, 1))
    game.note_pointer(pack([40, 16, 3, 20, 1, 1], _BOARD.topology))
    replay = Replay.from_game(game)
    data, changed = export(replay, "json")
    assert (parse(data), changed) == (replay, ())
    assert export(replay, "rawvf").changed == ()


def test_question_marks_are_recorded() -> None:
    """A right click on a flag would otherwise only remove it in other programs."""
    assert _played(*_WON).info.question_marks is True
    assert _played(*_LOST).info.question_marks is None


def test_clicks_with_another_effect_are_rejected() -> None:
    """With question marks on, removing and setting a flag would give a question mark."""
    flags = [("flag", (0, 4))] * 3
    moves = (*flags, ("flag", (0, 3)), ("question", (0, 3)), *_LOST)
    replay = _played(*moves)
    assert export(replay, "json").changed == ()
    for form in ("rawvf", "evf"):
        with pytest.raises(BadReplay, match="its clicks would play out differently"):
            export(replay, form)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"chord": "at_least"}, "cannot store chords with more flags than the number; JSON can"),
        ({"win": "either"}, "cannot store winning by flags; JSON can"),
        (
            {"position": {"rows": ["1.", ".."]}, "board": {"rows": ["1*", "11"]}},
            "cannot store cells open or flagged at the start; JSON can",
        ),
        ({"board": {"topology": "torus", "rows": ["111", "1*1", "111", "000"]}}, "rectang"),
    ],
)
def test_unsupported_features_are_rejected_with_a_reason(
    more: dict[str, object], said: str
) -> None:
    """Sapper's own format supports everything that the others refuse."""
    board = {"rows": ["1*1"]}
    clicks = [[0, "open", 0, 0]]
    given = {"format": "sapper-replay/1", "board": board, "clicks": clicks, **more}
    replay = from_json(given)
    assert parse(export(replay, "json").data) == replay
    for form in ("rawvf", "evf"):
        with pytest.raises(BadReplay, match=said):
            export(replay, form)


def test_read_only_format_is_rejected() -> None:
    """Arbiter's format can be read but not written."""
    with pytest.raises(BadSetting, match="format must be"):
        export(_played(*_LOST), "avf")


@pytest.mark.parametrize(
    ("info", "form", "name"),
    [
        (
            {"program": "Sapper", "started_at": "2026-11-24T08:30:00Z"},
            "rawvf",
            "sapper-5x3-2-2026-11-24-lost-1.00s.rawvf",
        ),
        ({"program": "../../\r\nx y"}, "json", "x-5x3-2-lost-1.00s.json"),
        ({"program": "扫雷", "started_at": "yesterday"}, "evf", "5x3-2-lost-1.00s.evf"),
        ({}, "evf", "replay-5x3-2-lost-1.00s.evf"),
    ],
)
def test_file_name_describes_the_game(info: dict[str, str], form: str, name: str) -> None:
    """The name contains the program, level, day, result and time, in portable characters."""
    assert file_name(replace(_played(*_LOST), info=Info(**info)), form) == name


def test_unfinished_game_is_named_so() -> None:
    """Other programs also record unfinished games."""
    replay = Replay(_BOARD, Events.of([], [], [], []))
    assert file_name(replay, "json") == "replay-5x3-2-unfinished-0.00s.json"
