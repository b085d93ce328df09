"""The metrics of other programs' replays match those computed by other programs."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest

from sapper.game import Status
from sapper.metrics import measure
from sapper.replay import analyze_replay, load, measure_play, parse, serialize
from sapper.replay.playback import Playback
from support.replays import EXPECTED, FOLDER, SAMPLES, replay_of

# In expert.rmv the left button is released one pixel above the board. rawvf2rawvf rounds division
# towards 0 (`func(x/square_size,y/square_size,x,y)` in parser_raw.c), so it places the point in row
# 0 and counts the click as effective.
ABOVE = {("expert.rmv", "RAW_Correctness"), ("expert.rmv", "RAW_Throughput")}
ABOVE |= {("expert.rmv", "RAW_WastedClicks")}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_event_of_a_sample_is_read(name: str) -> None:
    """The format is detected, and the number of events is the same as in ms-toollib."""
    replay = load(FOLDER / name)
    assert replay.format == name.rpartition(".")[2]
    if EXPECTED[name]["events"] is not None:
        assert len(replay.events) == EXPECTED[name]["events"]
    assert replay.info.bbbv in (None, replay.board.bbbv)


@pytest.mark.parametrize("name", SAMPLES)
def test_board_metrics_match_other_programs(name: str) -> None:
    """3BV, openings, islands, ZiNi and HZiNi match on every sample."""
    found = measure(load(FOLDER / name).board)
    mine = (found.bbbv, found.openings, found.islands, found.zini, found.hzini)
    theirs = [
        tuple(int(EXPECTED[name][program][key]) for key in keys)
        for program, keys in (
            ("ms_toollib", ("bbbv", "op", "isl", "zini", "hzini")),
            ("rawvf", ("RAW_3BV", "RAW_Openings", "RAW_Islands", "RAW_ZiNi", "RAW_HZiNi")),
        )
        if program in EXPECTED[name]
    ]
    assert theirs
    assert all(mine == other for other in theirs)


@pytest.mark.parametrize("name", [n for n in SAMPLES if "ms_toollib" in EXPECTED[n]])
def test_play_metrics_match_ms_toollib(name: str) -> None:
    """Time, clicks, ratios and path length match on every sample."""
    said = EXPECTED[name]["ms_toollib"]
    played = Playback(load(FOLDER / name))
    found = measure_play(played)
    mine = {
        "rtime": found.time_s,
        "bbbv_solved": found.solved,
        "left": found.clicks.left,
        "right": found.clicks.right,
        "double": found.clicks.double,
        "cl": found.clicks.all,
        "ce": found.clicks.effective,
        "flag": found.flags,
        "ioe": found.ioe,
        "thrp": found.thrp,
        "corr": found.corr,
        "bbbv_s": found.bbbv_s,
        "stnb": found.stnb_ms_toollib or 0.0,
        "rqp": found.rqp,
        "qg": found.qg,
        "path": found.path_px,
        "etime": found.estimated_s,
        "left_s": found.left_s,
        "right_s": found.right_s,
        "double_s": found.double_s,
        "cl_s": found.clicks_s,
        "ce_s": found.effective_s,
        "flag_s": found.flags_s,
    }
    assert set(mine) <= set(said)
    differ = [k for k, v in mine.items() if not isclose(v or 0, said[k], rel_tol=1e-9)]
    assert not differ
    assert played.status is Status.WON
    assert (found.is_official, found.is_fair) == (said["is_official"], said["is_fair"])


@pytest.mark.parametrize(
    ("info", "official", "fair"),
    [
        ({}, True, True),
        ({"official": True, "fair": True}, True, True),
        ({"official": False, "fair": True}, False, True),
        ({"official": False, "fair": False}, False, False),
        ({"mode": "upk"}, False, True),
        ({"mode": "cheat"}, False, False),
        ({"won": False}, False, False),
    ],
)
def test_win_without_help_is_official_and_fair(
    info: dict[str, Any], official: bool, fair: bool
) -> None:
    """The file or its mode may mention help; a loss is neither official nor fair [#34]."""
    won = measure_play(Playback(replay_of("1*", ("open", 0, 0), **info)))
    assert (won.is_official, won.is_fair) == (official, fair)
    lost = measure_play(Playback(replay_of("1*", ("open", 0, 1), **info)))
    assert (lost.is_official, lost.is_fair) == (False, False)


def test_evf_keeps_fair_and_official_fields() -> None:
    """Writing a replay again keeps the fields "fair" and "official"."""
    for official, fair in ((True, True), (False, True), (False, False)):
        replay = replay_of("1*", ("lc", 0, 0), ("lr", 0, 0), won=True, official=official, fair=fair)
        info = parse(serialize(replay, "evf", lossy=True)).info
        assert (info.won, info.official, info.fair) == (True, official, fair)


@pytest.mark.parametrize("name", [n for n in SAMPLES if "rawvf" in EXPECTED[n]])
def test_play_metrics_match_rawvf2rawvf(name: str) -> None:
    """Clicks and flags match; Corr and ThrP match where any flag counts as effective."""
    said = EXPECTED[name]["rawvf"]
    found = measure_play(Playback(load(FOLDER / name)))
    mine = {
        "RAW_Time": found.time_s,
        "RAW_Solved3BV": found.solved,
        "RAW_Clicks": found.clicks.all,
        "RAW_LeftClicks": found.clicks.left,
        "RAW_RightClicks": found.clicks.right,
        "RAW_DoubleClicks": found.clicks.double,
        "RAW_WastedClicks": found.clicks.all - found.effective_any_flag,
        "RAW_Flags": found.flags,
        "RAW_Unflags": found.clicks.flags_removed,
        "RAW_Misflags": found.clicks.wrong_flags,
        "RAW_IOE": found.ioe,
        "RAW_Correctness": found.corr_any_flag,
        "RAW_Throughput": found.thrp_any_flag,
    }
    # Ratios are truncated to three places.
    differ = {(name, key) for key, value in mine.items() if abs((value or 0) - said[key]) >= 0.001}
    assert differ == (ABOVE if name == "expert.rmv" else set())


@pytest.mark.parametrize("name", [n for n in SAMPLES if "ms_toollib" in EXPECTED[n]])
def test_risks_match_ms_toollib(name: str) -> None:
    """Pluck, the sum of the risks taken, matches on every sample."""
    found = analyze_replay(load(FOLDER / name))
    assert isclose(found.pluck, EXPECTED[name]["ms_toollib"]["pluck"], abs_tol=1e-12)
    assert bool(found.guesses) == (found.pluck > 0) == (found.risk > 0)


def test_arbiter_header_is_read() -> None:
    """The player's name in an AVF header is read in its own script."""
    info = load(FOLDER / "chinese_name.avf").info
    assert (info.program, info.version, info.player) == ("Arbiter", "0.52.3", "王嘉宁")
    assert (info.started_at, info.country) == ("2025-02-01T17:33:58.980", "CN")
    assert (info.time_ms, info.question_marks) == (9200, False)


def test_time_is_measured_if_the_file_is_wrong() -> None:
    """Arbiter stored 2.61 s for a game whose clicks take 14.52 s."""
    played = Playback(load(FOLDER / "beginner_wrong_time.avf"))
    assert (played.replay.info.time_ms, played.time_ms) == (2610, 14520)


@pytest.mark.parametrize("name", [n for n in SAMPLES if n.endswith(".rmv")])
def test_viennasweeper_result_is_read(name: str) -> None:
    """RMV files contain the real result and Unicode names."""
    replay = load(FOLDER / name)
    assert replay.info.won is True
    assert replay.info.time_ms == Playback(replay).ended_ms
    assert replay.info.player == ("aaȑaa Kolar" if "non_ascii" in name else "Thomas Kolar")
