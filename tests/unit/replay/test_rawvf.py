"""RawVF as websites write it: cell sizes, chords with the left button, results."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.errors import BadReplay
from sapper.game import Status
from sapper.history import Record
from sapper.replay import Playback, contradictions, parse, serialize

_BOARD = "Board:\n0*0*0\n00000\n00000\n"
_HEAD = "RawVF_Version: Rev6.2\nProgram: Site\nWidth: 5\nHeight: 3\nMarks: Off\n"
_WON = (("l", 1, 0), ("l", 0, 2), ("l", 0, 4))


def _click(seconds: float, button: str, row: int, col: int, px: int) -> str:
    """Return a press and a release in the centre of a cell."""
    x, y = px * col + px // 2, px * row + px // 2
    return "".join(f"{seconds:.3f} {button}{way} {col} {row} ({x} {y})\n" for way in "cr")


def _text(px: int, head: str, *more: tuple[str, int, int]) -> bytes:
    clicks = [("l", 2, 0), ("r", 0, 1), *more]
    events = "".join(_click(number, *click, px) for number, click in enumerate(clicks))
    return f"{_HEAD}{head}{_BOARD}Events:\n{events}".encode()


@pytest.mark.parametrize("key", ["SquareSize", "squaresize", "CellSize"])
def test_cell_size_is_read(key: str) -> None:
    """A website's won game was read as lost, because its clicks seemed to be on other cells."""
    replay = parse(_text(64, f"SuperClick: On\n{key}: 64\nStatus: won\nTime: 4.000\n", *_WON))
    played = Playback(replay)
    assert (replay.cell_px, replay.info.super_click) == (64, True)
    assert (played.status, played.time_ms) == (Status.WON, 4000)
    assert contradictions(played) == ()


def test_a_left_click_on_a_number_chords_with_super_click() -> None:
    """Without `SuperClick`, a left click on a number has no effect."""
    on = Playback(parse(_text(24, "SuperClick: On\nSquareSize: 24\n", *_WON)))
    assert (on.clicks.left, on.clicks.double, on.clicks.effective_double) == (3, 1, 1)
    assert on.position().rows[0] == "1F2.1"
    off = Playback(parse(_text(24, "SquareSize: 24\n", *_WON)))
    assert (off.clicks.left, off.clicks.double, off.status) == (4, 0, Status.PLAYING)


@pytest.mark.parametrize("px", [16, 24, 64])
def test_cell_size_is_kept(px: int) -> None:
    """Scaling would round the pointer path."""
    replay = parse(_text(px, f"SuperClick: On\nSquareSize: {px}\n", *_WON))
    for lossy in (False, True):
        data = serialize(replay, "rawvf", lossy=lossy)
        assert parse(data) == replay
        assert (b"SquareSize" in data) is (px != 16)
        assert b"SuperClick: On" in data


@pytest.mark.parametrize(
    ("line", "won"),
    [("Status: loss", False), ("Status: Lost", False), ("Status: Won", True), ("Mode: x", None)],
)
def test_all_result_words_are_read(line: str, won: bool | None) -> None:
    """One website uses the word `loss`."""
    assert parse(_text(16, f"{line}\n")).info.won is won


@pytest.mark.parametrize(
    ("line", "won"),
    [("3.250 won", True), ("3.25 boom", False), ("lost", False), ("blast 3 4", None)],
)
def test_a_result_among_the_events_is_read(line: str, won: bool | None) -> None:
    """If the header has no result, the events may; an opened mine gives its cell."""
    assert parse(_text(16, "") + f"{line}\n".encode()).info.won is won


@pytest.mark.parametrize("more", ["Board:\n*0000\n", "Description:\n"])
def test_a_text_of_several_games_is_refused(more: str) -> None:
    """The second board was skipped, and its clicks were played on the first."""
    text = _text(16, "") + f"{more}Events:\n{_click(9, 'l', 0, 0, 16)}".encode()
    with pytest.raises(BadReplay, match="several games, or a board that changes"):
        parse(text)


@pytest.mark.parametrize("head", ["Description:\n", "Timestamp: 2026-02-24T01:13:18Z\n"])
def test_keys_may_be_in_any_order(head: str) -> None:
    """The format does not fix an order."""
    assert parse(head.encode() + _text(16, "")).format == "rawvf"


def test_level_name_depends_on_size_and_mines() -> None:
    """A 16x16 board with a different mine total was called Intermediate."""
    for mines, level in ((40, b"Intermediate"), (51, b"Custom")):
        cells = "*" * mines + "0" * (256 - mines)
        rows = [cells[at : at + 16] for at in range(0, 256, 16)]
        text = f"Width: 16\nHeight: 16\nBoard:\n{chr(10).join(rows)}\nEvents:\n"
        assert b"Level: " + level in serialize(parse(text.encode()), "rawvf")


def _sample(name: str) -> bytes:
    return (Path(__file__).parents[2] / "data" / "rawvf" / f"{name}.rawvf").read_bytes()


def test_question_marks_can_be_switched_on() -> None:
    """The event `mt` made the whole file unreadable; it changes what right clicks do."""
    replay = parse(_sample("mt_event"))
    assert (Playback(replay).status, contradictions(Playback(replay))) == (Status.WON, ())
    head = _text(16, "").decode()
    for switched, view in (("", "...F."), ("2.900 mt (0 0)\n", ".....")):
        more = "".join(_click(number, "r", 0, 3, 16) for number in (2, 3, 4))
        before, after = more[: more.index("3.000")], more[more.index("3.000") :]
        played = Playback(parse((head + before + switched + after).encode()))
        assert played.position().rows[0] == view.replace("...", ".F.", 1)
    for form in ("json", "rawvf"):
        assert parse(serialize(replay, form)) == replay
    assert Playback(parse(serialize(replay, "evf", lossy=True))).status is Status.WON


def test_super_flag_is_kept() -> None:
    """A right click on a number with too many unopened neighbours sets no flag."""
    replay = parse(_sample("superflag"))
    assert replay.info.super_flag
    played = Playback(replay)
    assert (played.status, played.clicks.right, played.flags) == (Status.WON, 1, 0)
    for form in ("json", "rawvf"):
        assert parse(serialize(replay, form)) == replay


def test_super_flag_needs_as_many_unopened_cells() -> None:
    """The right click sets all missing flags, each as a step of its own."""
    head = "Width: 4\nHeight: 2\nSuperFlag: On\nBoard:\n*0*0\n00*0\nEvents:\n"
    clicks = [("l", 0, 1), ("r", 0, 1), ("l", 1, 0), ("l", 1, 1), ("r", 0, 1)]
    events = [_click(second, *click, 16) for second, click in enumerate(clicks)]
    assert Playback(parse((head + "".join(events[:2])).encode())).flags == 0
    played = Playback(parse((head + "".join(events)).encode()))
    assert played.position().rows == ["F3F.", "13F."]
    assert [step.cell for step in played.steps[-3:]] == [(0, 0), (0, 2), (1, 2)]
    assert (played.clicks.right, played.clicks.flags_set) == (2, 3)


def test_settings_that_are_not_applied_are_named() -> None:
    """A game with two lives was called a contradiction, without the reason."""
    replay = parse(_sample("lives"))
    assert replay.info.other_rules == "Lives: 2"
    assert [str(one.text) for one in contradictions(Playback(replay))] == [
        "The file was recorded with Lives: 2, which Sapper does not apply.",
        "The file says the game was won, but its clicks open a mine.",
    ]
    with pytest.raises(BadReplay, match=r"Lives: 2, which Sapper does not apply\. The file says"):
        Record.of_replay(replay)
    both = parse(_text(16, "lives: 3\nNonoMouse: ON\nAutoflag: Off\n"))
    assert both.info.other_rules == "Lives: 3, NonoMouse: ON"
    assert parse(_text(16, "Lives: 1\nLawnmower: off\n")).info.other_rules == ""
    for form in ("json", "rawvf"):
        assert parse(serialize(both, form)) == both
