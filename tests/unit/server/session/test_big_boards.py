"""Boards of up to a million cells: messages, refusals and saved games."""

from __future__ import annotations

import json
import random
import re
import threading
from typing import Any

import numpy as np
import pytest

from sapper import Game
from sapper.board import Board
from sapper.errors import BadLevel
from sapper.game.review import Reviewer
from sapper.server import limits
from sapper.server.jobs import snapshot
from sapper.server.jobs.job_cost import cells_of_moves, cells_of_save
from sapper.server.jobs.overlay import count_text
from sapper.server.session.game_settings import GameSettings, menu
from sapper.topology import Rectangle, topology

ME, OTHER = "e" * 24, "f" * 24


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the time limits, so that a busy machine rejects nothing."""
    for budget in ("JOB_BUDGET_S", "ANALYSIS_BUDGET_S"):
        monkeypatch.setattr(limits, budget, 600.0)


def unpacked(text: str) -> str:
    """Unpack a packed text as a browser would."""
    return re.sub(r"(.)\{(\d+)\}", lambda run: run[1] * int(run[2]), text)


def patched(before: str, text: str) -> str:
    """Return a view after applying a patch."""
    pairs = zip(before, unpacked(text), strict=True)
    return "".join(old if new == "=" else new for old, new in pairs)


def test_packed_views_round_trip() -> None:
    """Any mix of open, flagged and shown cells can be packed and unpacked."""
    chance = random.Random(15)
    before = bytes(chance.choices(b".F?012345678*Xx", k=400) + [ord(".")] * 5000)
    after = bytearray(before)
    for index in (0, 399, 400, 401, 3000, 5399):
        after[index] = ord("7")
    assert unpacked(snapshot.packed(before)) == before.decode()
    assert len(snapshot.packed(b"." * 10**6)) == len(".{1000000}")
    told = snapshot.patch(before, bytes(after))
    assert patched(before.decode(), told) == after.decode()
    assert len(told) < 60


def test_a_lost_view_shows_mines_and_wrong_flags() -> None:
    """The view shows unflagged mines, the mine that was opened, and wrong flags."""
    board = Board.from_mines(Rectangle(5, 1), [(0, 0), (0, 2), (0, 4)])
    game = Game.from_board(board)
    game.flag((0, 0))
    game.flag((0, 1))
    game.open((0, 2))
    assert snapshot.browser_view(game) == b"FxX.*"


def test_analysing_rule_sets_have_smaller_boards() -> None:
    """The menu states the limit; the refusal states the rules, the size and the limit."""
    most = {rules["name"]: rules["max_cells"] for rules in menu()["rules"]}
    assert most["classic"] == most["windows-xp"] == 1_000_000
    assert {most[name] for name in ("no-guess", "fair", "kaboom", "kind")} == {10_000}
    big = GameSettings().changed({"level": "300x300:13500"})
    with pytest.raises(BadLevel, match=r"90,000 cells; rules kind take at most 10,000"):
        big.changed({"rules": "kind"})
    with pytest.raises(BadLevel, match="a torus has at most 10,000"):
        big.changed({"level": "300x300:13500/torus"})


def test_million_cell_games_use_short_messages(site: Any) -> None:
    """New games, clicks and flags take a few hundred characters; a flood takes one patch."""
    with site.player(ME) as player:
        begun = player.send("new", settings={"level": "1000x1000@0.16"}, seed=3)
        assert begun["game"]["packed"] == ".{1000000}"
        assert "rows" not in begun["game"]
        opened = player.send("open", cell=[500, 500])
        assert opened["status"] == "playing"
        assert opened["cells"]
        assert len(player.frames[-1]) < 10_000
        flag = player.send("mark", cell=[0, 0])
        assert flag["cells"] == [[0, "F"]]
    with site.player(ME) as again:
        cells = unpacked(again.welcome["game"]["packed"])
        assert all(cells[index] == char for index, char in opened["cells"])
        assert cells.count("F") == 1


def test_a_flood_is_one_patch(site: Any) -> None:
    """One patch opens fifty thousand cells, and another shows the mines after a loss."""
    with site.player(ME) as player:
        begun = player.send("new", settings={"level": "300x300:4500"}, seed=1)
        cells = unpacked(begun["game"]["packed"])
        told = player.send("open", cell=[150, 150])
        assert told["cells"] == []
        cells = patched(cells, told["patch"])
        assert cells.count(".") < 60_000
        closed = [index for index, char in enumerate(cells) if char == "."]
        for index in closed:
            told = player.send("open", cell=list(divmod(index, 300)))
            if told["status"] == "lost":
                break
        review = player.until("review")
        assert review["mined"] == []
        assert review["clear"] is None
        assert review["sentence"]
        shown = unpacked(player.send("sync")["game"]["packed"])
        assert shown.count("*") + shown.count("X") == 4500


def test_big_boards_have_hints_but_no_bots_and_no_review(site: Any) -> None:
    """The refusals state the size of the largest board allowed."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "150x150:3000"}, seed=2)
        player.send("open", cell=[75, 75])
        player.send("assist", mode="assisted", overlay="chances")
        overlay = player.until("overlay")
        assert overlay["whole"]
        assert overlay["chances"]
        assert player.send("hint")["type"] == "hint"
        player.send("assist", mode="automatic")
        refused = player.send("automatic", do="step")["error"]
        assert "at most 10,000 cells here, this one has 22,500" in refused["message"]


def test_big_boards_in_memory_are_limited(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards in use stay, and one more is refused until a board is no longer used."""
    monkeypatch.setattr(limits, "BIG_CELLS", 50_000)
    level = {"level": "200x200:5000"}
    with site.player(ME) as first, site.player(OTHER) as second:
        assert "error" not in first.send("new", settings=level)
        assert "error" not in first.send("new", settings=level)
        refused = second.send("new", settings=level)["error"]
        assert refused["code"] == "busy"
        assert "smaller" in refused["message"]
        assert "error" not in second.send("new", settings={"level": "beginner"})
        first.send("new", settings={"level": "beginner"})
        assert "error" not in second.send("new", settings=level)


def test_boards_being_dealt_count(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests at the same time get no more memory than one after another."""
    monkeypatch.setattr(limits, "BIG_CELLS", 50_000)
    deal, dealing, go_on = GameSettings.game, threading.Semaphore(0), threading.Event()

    def slow(settings: GameSettings, seed: int | None = None) -> Game:
        dealing.release()
        assert go_on.wait(300)
        return deal(settings, seed)

    level = {"level": "200x200:5000"}
    with site.player(ME) as first, site.player(OTHER) as second:
        monkeypatch.setattr(GameSettings, "game", slow)
        first.raw(json.dumps({"type": "new", "settings": level, "id": "big"}))
        assert dealing.acquire(timeout=300)
        second.raw(json.dumps({"type": "new", "settings": level, "id": "big"}))
        threading.Thread(target=lambda: dealing.acquire(timeout=300) and go_on.set()).start()
        refused = second.next()
        dealing.release()
        assert refused["error"]["code"] == "busy"
        assert first.next()["game"]["width"] == 200


def test_next_bot_game_needs_memory(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The level may have changed while the bot was playing."""
    monkeypatch.setattr(limits, "BIG_CELLS", 10_000)
    with site.player(ME) as player:
        player.send("new", settings={"level": "beginner", "rules": "classic"})
        player.send("open", cell=[0, 0])
        player.send("settings", settings={"level": "200x200:5000"})
        player.send("assist", mode="automatic")
        player.send("automatic", delay_ms=0, loop=True, do="play")
        while (told := player.until("automatic")["automatic"])["running"]:
            pass
        assert "enough memory for another large board" in told["problem"]


def test_last_position_explains_a_loss() -> None:
    """The explanation is the same as after an analysis of every position."""
    game = Game("9x9:20", seed=4, first_click="opening")
    game.open((4, 4))
    while not game.over:
        hidden = next(i for i, char in enumerate(game.position.cells) if char == ord("."))
        game.open(divmod(hidden, 9))
    assert game.status == "lost"
    whole = Reviewer().post_mortem(game.trail())
    last = Reviewer().post_mortem(game.trail(), last_only=True)
    assert (last.cell, last.p_mine, last.safe) == (whole.cell, whole.p_mine, whole.safe)
    assert last.sentence == whole.sentence


def test_counts_of_huge_numbers_have_three_digits() -> None:
    """Counts too large for fast conversion to decimal are rounded from their leading bits."""
    assert count_text(10**15) == "1.00e15"
    assert count_text(2**600_000) == "9.94e180617"
    assert count_text(9_995 * 10**400) == "1.00e404"


def test_large_shapes_are_evicted() -> None:
    """The graph of a million cells takes 35 MB, so unused graphs are dropped."""
    assert topology("rectangle", 9, 9) is topology("rectangle", 9, 9)
    large = topology("rectangle", 1000, 1000)
    assert topology("rectangle", 1000, 1000) is large
    for width in (999, 998):
        topology("rectangle", width, 1000)
    assert topology("rectangle", 1000, 1000) is not large
    assert topology("rectangle", 1000, 1000) == large


def test_the_text_of_a_large_board_is_its_numbers() -> None:
    """Mines are stars; every other cell is its number."""
    board = Board.from_mines(Rectangle(300, 300), [(0, 0), (299, 299)])
    text = "".join(board.rows)
    assert (text[0], text[1], text[-1], text[-2]) == ("*", "1", "*", "1")
    assert np.count_nonzero(np.frombuffer(text.encode(), np.uint8) == ord("0")) == 90_000 - 8


def test_size_of_a_saved_game_is_read_cheaply() -> None:
    """The size comes from the text or the JSON form; unreadable games have no cells."""
    saved = Game("300x200:5000", seed=1).to_json()
    assert cells_of_moves(saved) == cells_of_save(json.dumps(saved)) == 60_000
    for broken in (None, "", "[", "{}", '{"level": "0x0:0"}', '{"level": 3}', "[1]"):
        assert cells_of_save(broken) == 0
