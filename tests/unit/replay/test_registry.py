"""Format detection, and files that are damaged, too large, or not replays."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sapper.errors import BadReplay, BadSetting
from sapper.position import Position
from sapper.replay import WRITERS, Playback, Replay, load, losses, parse, serialize
from sapper.replay.byte_reader import MOST_BYTES
from sapper.replay.registry import LABELS
from sapper.rules import Chord, Win
from support.replays import FOLDER, SAMPLES, replay_of

BOARD = "1*2*1\n11211\n00000"
SMALL = replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), player="Ada")


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"{", b"[]", b"hello", b"\xff" * 100, b"\0" * 100, b"*rmv", b"\x11\x4d", b"\x04"],
)
def test_other_data_is_rejected(data: bytes) -> None:
    """Data that is short or meaningless gives a one-line error."""
    with pytest.raises(BadReplay) as problem:
        parse(data)
    assert "\n" not in str(problem.value)


def test_too_large_file_is_rejected_unread() -> None:
    """Files above 16 MiB are not read."""
    with pytest.raises(BadReplay, match="at most 16777216 bytes"):
        parse(b"{" + bytes(MOST_BYTES))


@pytest.mark.parametrize("name", [*SAMPLES, "json", "rawvf", "evf"])
def test_damaged_file_is_read_or_rejected(name: str) -> None:
    """A file with bits cut off or flipped is still a replay or raises `BadReplay`."""
    rng = Random(name)
    data = serialize(SMALL, name, lossy=True) if name in WRITERS else (FOLDER / name).read_bytes()
    refused: list[str] = []
    for _ in range(40):
        cut = data[: rng.randrange(len(data))]
        flipped = bytearray(data)
        for _ in range(rng.choice([1, 1, 4])):
            # The header is short, so damage it separately as well.
            at = rng.choice([rng.randrange(len(data)), rng.randrange(min(200, len(data)))])
            flipped[at] ^= 1 << rng.randrange(8)
        for damaged in (cut, bytes(flipped)):
            try:
                Playback(parse(damaged))
            except BadReplay as problem:
                refused.append(str(problem))
    assert refused
    assert all(0 < len(message) < 1000 for message in refused)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"position": {"rows": ["2.1"]}}, "does not match its board"),
        ({"position": {"rows": ["2....", ".....", "....."]}}, "'2' at (0, 0), where its board"),
        ({"position": {"rows": [".*...", ".....", "....."]}}, "'*' at (0, 1), where its board"),
        ({"position": 3}, "'position': expected a JSON object"),
        ({"chord": "any"}, "'chord' must be one of exact, at_least, got 'any'"),
        ({"win": []}, "'win' must be one of open, flags, either"),
        ({"format": "sapper-replay/2"}, "must be 'sapper-replay/1', got 'sapper-replay/2'"),
        ({"board": {"rows": ["9"]}}, "'board'"),
        ({"board": None}, "'board'"),
        ({"cell_px": 0}, "cell_px must be between 1 and 255, got 0"),
        ({"cell_px": "16"}, "'cell_px' must be a whole number, got '16'"),
        ({"info": {"speed": 1}}, "'info' has no key 'speed'"),
        ({"info": {"player": 1}}, "'player' of 'info' is of the wrong type: 1"),
        ({"info": {"time_ms": -1}}, "'time_ms' of 'info' must be 0 or more"),
        ({"clicks": [[-5, "lc", 1, 1]]}, "at -5 ms, before its beginning"),
        ({"clicks": [[9, "lc", 1, 1], [3, "lr", 1, 1]]}, "at 3 ms comes after one at 9 ms"),
        ({"clicks": None}, "'clicks' must be a list, got None"),
        ({"clicks": [[0, "lc", 1]]}, "click 0 must be"),
        ({"clicks": [[0, "boom", 1, 1]]}, "unknown kind of click 'boom'"),
        ({"clicks": [[0, "mv", 1, 1]]}, "unknown kind of click 'mv'"),
        ({"clicks": [[0.5, "lc", 1, 1]]}, "'clicks' must hold whole numbers, got 0.5"),
        ({"clicks": [[0, "lc", 10**12, 1]]}, "out of range"),
        ({"pointer": []}, "'pointer' must be an object"),
        ({"pointer": {"before": [0, 0], "bits": 8, "steps": ""}}, "must be 16 or 32, got 8"),
        ({"pointer": {"before": [0, 0], "bits": 16, "steps": 1}}, "must be text, got 1"),
        ({"pointer": {"before": [0, 0], "bits": 16, "steps": "%"}}, "must be base64"),
        ({"pointer": {"before": [0, 0], "bits": 16, "steps": "AAAA"}}, "3 numbers of 16 bits"),
        ({"pointer": {"before": [0, 1], "bits": 16, "steps": ""}}, "'before' must have"),
        ({"pointer": {"before": [1, 0], "bits": 16, "steps": "AAAAAAAA"}}, "'before' must have"),
        ({"pointer": {"before": [0], "bits": 16, "steps": "AAAAAAAA"}}, "'before' must have"),
        (
            {"pointer": {"before": [2, 2], "bits": 32, "steps": "////fwAAAAAAAAAA" * 2}},
            "out of range",
        ),
    ],
)
def test_own_replay_with_a_wrong_value_is_rejected(change: dict[str, Any], message: str) -> None:
    """The message gives the key and the allowed values."""
    obj = json.loads(serialize(SMALL)) | change
    with pytest.raises(BadReplay, match=re.escape(message)):
        parse(json.dumps(obj).encode())


@pytest.mark.parametrize(
    "text",
    [
        "Version: 6\nWidth: 2\nHeight: 1\nMines: 1\nBoard:\n*0\nEvents:\n",
        "Program: x\r\nLevel: Beginner\r\nBoard:\r\n" + "********\r\n" * 8 + "Events:\r\n",
    ],
)
def test_raw_text_supports_no_events_and_both_line_endings(text: str) -> None:
    """A board without events is an empty replay."""
    assert len(parse(text.encode()).events) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Width: 5", "Width: many"), "'width' of the RawVF text must be a whole number"),
        (("Width: 5", "Width: 0"), "the board is 0x3"),
        (("Mines: 2", "Mines: 3"), "says 3 mines, but its board has 2"),
        (("Board:", "Bored:"), "has no board"),
        (("0*0*0", "0*0*"), "row 1 of the board has 4 cells instead of 5"),
        (("1.000 lr", "1.000 xx"), "unknown event"),
        (("1.000 lr", "1.000 3"), "unknown event"),
        (("(8 40)", "(8-40)"), "no position in pixels"),
        ((" (8 40)", ""), "no position in pixels"),
    ],
)
def test_invalid_raw_text_is_rejected(change: tuple[str, str], message: str) -> None:
    """The error gives the line of the fault."""
    text = serialize(SMALL, "rawvf").decode()
    assert change[0] in text
    with pytest.raises(BadReplay, match=message):
        parse(text.replace(*change).encode())


def test_other_lines_in_raw_text_are_skipped() -> None:
    """Board events and results are skipped; times before the start count as 0."""
    text = serialize(SMALL, "rawvf").decode().replace("Events:\n", "Events:\n-0.250 mv 1 1 (3 4)\n")
    text += "Cell opened (Number 1) 1 2\n1.000 Solved 3BV: 1 of 5\nWon\n2.000 won\n"
    found = list(parse(text.encode()).events)
    assert found[0][:1] == (0,)
    assert found[1:] == list(SMALL.events)


def test_losses_are_reported_before_writing() -> None:
    """The error names what would be lost; with ``lossy``, the rest is written."""
    replay = replay_of(BOARD, ("open", 2, 0), country="Atlantis")
    with pytest.raises(BadReplay, match="those of a mouse"):
        serialize(replay, "evf")
    with pytest.raises(BadReplay, match="country"):
        serialize(replay.as_mouse(), "evf")
    again = parse(serialize(replay, "evf", lossy=True))
    assert again.board == replay.board
    assert again.info.country == ""
    assert Playback(again).position() == Playback(replay).position()


@pytest.mark.parametrize("form", ["rawvf", "evf"])
def test_own_features_are_never_written_in_other_formats(form: str) -> None:
    """Cells that start open, and other chord or win rules, are refused even with ``lossy``."""
    shown = Position.parse("1.2..\n.....\n.....", mines=2)
    special = replace(SMALL, origin=shown, chord=Chord.AT_LEAST, win=Win.EITHER)
    assert parse(serialize(special)) == special
    said = (
        f"{LABELS[form]} cannot store cells open or flagged at the start, chords "
        "with more flags than the number, winning by flags; JSON can"
    )
    for lossy in (False, True):
        with pytest.raises(BadReplay, match=f"^{said}$"):
            serialize(special, form, lossy=lossy)


def test_only_open_formats_are_written() -> None:
    """Closed formats are read-only."""
    with pytest.raises(BadSetting, match="format must be json, rawvf or evf, got 'avf'"):
        serialize(SMALL, "avf")


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("form", ["json", "rawvf"])
def test_samples_round_trip(name: str, form: str) -> None:
    """Every sample round-trips through JSON and RawVF."""
    replay = load(FOLDER / name)
    assert parse(serialize(replay, form)) == replay


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_play_the_same_after_evf_export(name: str) -> None:
    """Every sample keeps its clicks, metrics and final position."""
    replay = load(FOLDER / name)
    again = parse(serialize(replay, "evf", lossy=True))
    before, after = Playback(replay), Playback(again)
    assert after.clicks == before.clicks
    assert after.position() == before.position()
    assert after.time_ms == before.time_ms


@pytest.mark.parametrize(
    ("country", "code"),
    [("China", "CN"), ("瑞士", "CH"), ("switzerland", "CH"), ("香港", "HK"), ("CZ", "CZ")],
)
def test_a_country_is_written_by_its_code(country: str, code: str) -> None:
    """Writing only two bytes turned `China` into Switzerland and cut off Chinese text."""
    replay = replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), country=country)
    data = serialize(replay, "evf", lossy=True)
    assert parse(data).info.country == code
    assert "country" not in losses(replay, data)


def test_unchanged_unknown_country_is_not_a_loss() -> None:
    """A damaged EVF file had a line break as its country, which JSON could not store."""
    replay = replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), country="\n")
    assert parse(serialize(replay)).info.country == "\n"


@pytest.mark.parametrize("country", ["Atlantis", "中土", "É"])
def test_unknown_country_is_dropped_and_reported(country: str) -> None:
    """No code is invented for an unknown country."""
    replay = replay_of(BOARD, ("lc", 2, 0), ("lr", 2, 0), country=country)
    data = serialize(replay, "evf", lossy=True)
    assert parse(data).info.country == ""
    assert "country" in losses(replay, data)


@pytest.mark.parametrize("first", ["lc", "rc"])
@pytest.mark.parametrize("form", ["rawvf", "evf"])
def test_second_button_is_resolved(first: str, form: str) -> None:
    """EVF omits the second button of a chord, so such games could not be written as RawVF."""
    begin = (("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 1), ("rr", 0, 1))
    chord = ((first, 1, 0), ("cc", 1, 0), ("lr", 1, 0), ("rr", 1, 0))
    replay = replay_of(BOARD, *begin, *chord)
    again = parse(serialize(replay, form, lossy=True))
    assert Playback(again).clicks == Playback(replay).clicks
    assert Playback(again).clicks.effective_double == 1
    assert Playback(again).position() == Playback(replay).position()
    assert again.events == (replay if form == "evf" else replay.as_mouse()).events


def test_changes_of_buttons_become_presses_and_releases() -> None:
    """Presses depend on the buttons held before; if there are none, both are pressed."""
    replay = replay_of(
        BOARD, *(("l", 2, 0),) * 2, ("m", 2, 0), ("m", 2, 0), ("cc", 2, 0), ("r", 2, 0)
    )
    kinds = [str(event.kind) for event in replay.as_mouse().events]
    assert kinds == ["lc", "lr", "mc", "mr", "lc", "rc", "rr"]
    assert parse(serialize(replay, "rawvf", lossy=True)).events == replay.as_mouse().events


@pytest.mark.parametrize("press", ["sc", "lc"])
def test_left_chords_become_middle_chords(press: str) -> None:
    """EVF supports neither Shift nor `SuperClick`."""
    begin = (("lc", 2, 0), ("lr", 2, 0), ("rc", 0, 1), ("rr", 0, 1))
    chords = ((press, 1, 0), ("lr", 1, 0), (press, 1, 2), ("lr", 1, 2), ("lc", 0, 2), ("lr", 0, 2))
    replay = replay_of(BOARD, *begin, *chords, super_click=press == "lc")
    data = serialize(replay, "evf", lossy=True)
    assert Playback(parse(data)).clicks == Playback(replay).clicks
    assert Playback(parse(data)).position() == Playback(replay).position()
    assert (Playback(replay).clicks.double, Playback(replay).clicks.effective_double) == (2, 1)


def test_format_is_detected_from_content(tmp_path: Path) -> None:
    """The file's name makes no difference."""
    for form in WRITERS:
        path = tmp_path / "replay.avf"
        path.write_bytes(serialize(SMALL, form, lossy=True))
        assert load(path).format == form
        assert load(path).info.player == "Ada"


def test_replay_can_be_converted() -> None:
    """A replay can lose its path, change its cell size, or be turned into presses and releases."""
    replay = replay_of(BOARD, ("lc", 2, 0), ("mv", 2, 1), ("lr", 2, 2))
    bare = replay.without_pointer()
    assert [tuple(event[2:]) for event in bare.events] == [(0, 2), (2, 2)]
    assert bare.cell_px == 1
    assert [tuple(event[2:]) for event in bare.scaled(16).events] == [(8, 40), (40, 40)]
    positions = {Playback(one).position() for one in (replay, bare, bare.scaled(24))}
    assert len(positions) == 1
    assert Playback(Replay(replay.board, replay.clamped().events)).position() in positions


def test_long_times_round_trip() -> None:
    """Times in other programs' files can exceed 2^31 ms."""
    text = serialize(SMALL, "rawvf").decode()
    long = parse(
        re.sub(r"Time: [\d.]+\n", "", text).replace("Board:", "Time: 3000000.5\nBoard:").encode()
    )
    assert long.info.time_ms == 3_000_000_500
    assert parse(serialize(long)) == long
