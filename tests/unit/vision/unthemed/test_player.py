"""A bot that learns the looks of a board while it plays a simulated program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sapper import Game, Status, Topology, vision
from sapper.solver.bots import make_bot
from sapper.topology import Cell
from sapper.vision.errors import Contradictory
from sapper.vision.playing import Log, player, steady
from sapper.vision.unthemed import UnthemedPlayer, explorer
from sapper.vision.unthemed.counter import MineCounter
from sapper.vision.unthemed.gallery import Looks

CODES = "0123456789.F*M!#"
"""The meaning of every look, which only the program knows: ! is a mark on an unopened cell, # a
part of a box that lies over it."""


class Program:
    """A program that reacts at once; during `pressed` readings, the last cell looks like a 3."""

    name, flags_win, ways, unopened = "simulated", False, 1, CODES.index(".")
    message, hold = 0.0, 0.0

    def __init__(self) -> None:
        self._game = Game("9x9:10", "no-guess", seed=1)
        self._games = 1
        self._names: dict[int, str] = {}
        self.pressed = 0
        self.counter = MineCounter()
        self.last_click: tuple[Looks, int] | None = None

    @property
    def shape(self) -> Topology:
        return self._game.position.topology

    @property
    def _over(self) -> bool:
        return self._game.status in (Status.WON, Status.LOST)

    def looks(self) -> Looks:
        shown = self._game.position.cells.decode().replace("?", ".")
        return np.array([CODES.index(look) for look in shown], dtype=np.int64)

    def look(self) -> vision.Reading:
        looks = [self._names.get(look, " ") for look in self.looks().tolist()]
        if self.pressed:
            self.pressed -= 1
            looks[-1] = "3"
        sure = np.array([float(look != " ") for look in looks]).reshape(9, 9)
        text = "".join(looks).replace(" ", ".")
        return vision.Reading(text.encode(), sure, vision.Geometry(0, 0, 9, 9, 9), "none")

    def name_looks(self, names: dict[int, str]) -> None:
        self._names = dict(names)

    def keep_way(self, attempt: int) -> None:
        pass

    def open(self, cell: Cell) -> None:
        self.last_click = self.looks(), self.shape.index(cell)
        if not self._over:
            self._game.open(cell)

    def flag(self, cell: Cell) -> None:
        if not self._over:
            self._game.flag(cell)

    def begin(self, attempt: int) -> bool:
        self.last_click = None
        self._games += 1
        self._game.restart(seed=self._games)
        return True

    def board_picture(self) -> Any:
        return np.repeat(self.looks().astype(np.uint8).reshape(9, 9)[..., None], 3, axis=2)

    def look_pictures(self) -> Any:
        return [np.zeros((9, 9, 3), dtype=np.uint8)] * len(CODES)

    def numbers(self) -> dict[str, int]:
        flags = self._game.position.cells.count(b"F")
        return {"level": 10, "mines left": 10 - flags, "flags": flags, "clock": self._games}

    def uncover(self, attempt: int) -> bool:
        return False

    def total(self) -> int | None:
        return None

    def sharpen(self) -> bool:
        return False

    def picture(self, cell: Cell) -> None:
        return None


class Slow(Program):
    """A program that ignores buttons pressed for less than a tenth of a second."""

    ignored = 0

    def open(self, cell: Cell) -> None:
        if self.hold >= 0.1:
            super().open(cell)
            return
        self.ignored += 1
        self.last_click = self.looks(), self.shape.index(cell)


class Blurred(Program):
    """A program whose numbers look alike unless it is drawn with more pixels."""

    sharp = False

    def looks(self) -> Looks:
        shown = super().looks()
        if not self.sharp:
            shown[(shown >= CODES.index("1")) & (shown <= CODES.index("8"))] = CODES.index("1")
        return shown

    def sharpen(self) -> bool:
        could, self.sharp = not self.sharp, True
        self.begin(0)
        return could


class Large(Program):
    """A program with hundreds of cells that shows the mines of a lost game."""

    def __init__(self) -> None:
        super().__init__()
        self._game = Game("32x32:150", first_click="opening", seed=1)
        self.clicks = 0

    def looks(self) -> Looks:
        shown = super().looks()
        if self._game.status is Status.LOST:
            mined = self._game.board.mined
            for at in np.flatnonzero(shown == CODES.index(".")).tolist():
                if mined[at]:
                    shown[at] = CODES.index("M")
        return shown

    def look(self) -> vision.Reading:
        looks = [self._names.get(look, " ") for look in self.looks().tolist()]
        sure = np.array([float(look != " ") for look in looks]).reshape(32, 32)
        text = "".join(looks).replace(" ", ".")
        return vision.Reading(text.encode(), sure, vision.Geometry(0, 0, 9, 32, 32), "none")

    def open(self, cell: Cell) -> None:
        self.clicks += 1
        super().open(cell)


class Marking(Program):
    """A program that shows the mines after a loss and marks safe cells next to opened ones.

    Args:
        late: In every second game, the number of looks after the loss.
    """

    def __init__(self, late: int) -> None:
        super().__init__()
        self._late, self._looked = late, 0

    def looks(self) -> Looks:
        shown = super().looks()
        if self._game.status is not Status.LOST:
            self._looked = 0
            return shown
        self._looked += 1
        if self._looked > self._late * (self._games % 2):
            closed = np.flatnonzero(shown == CODES.index("."))
            mined = self._game.board.mined
            for at in closed.tolist():
                if mined[at]:
                    shown[at] = CODES.index("M")
                elif any(
                    CODES[shown[near]] in "012345678" for near in self.shape.graph.neighbours(at)
                ):
                    shown[at] = CODES.index("!")
        return shown


class Fading(Program):
    """A program that draws unopened cells differently when a game is over."""

    def looks(self) -> Looks:
        shown = super().looks()
        if self._over:
            shown[shown == CODES.index(".")] = CODES.index("!")
            shown[shown == CODES.index("F")] = CODES.index("!")
        return shown


class Covering(Program):
    """A program that covers its board with a box at the end; the second way closes the box."""

    covered = False

    def looks(self) -> Looks:
        shown = super().looks()
        return np.full_like(shown, CODES.index("#")) if self.covered else shown

    def open(self, cell: Cell) -> None:
        super().open(cell)
        self.covered = self._over

    def begin(self, attempt: int) -> bool:
        return False if self.covered else super().begin(attempt)

    def uncover(self, attempt: int) -> bool:
        self.covered = self.covered and attempt == 0
        return attempt < 2


class Restarting(Program):
    """A program in which any click after the end starts a new game and may open its cell."""

    opens = False

    def open(self, cell: Cell) -> None:
        if self._over:
            self.begin(0)
            if not self.opens:
                return
        super().open(cell)

    def begin(self, attempt: int) -> bool:
        last = self.last_click
        super().begin(attempt)
        self.last_click = last
        return True


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all waits."""
    for name, seconds in (
        ("_STILL", 0.0),
        ("_STRANGE", 0.0),
        ("_PATIENCE", 0.01),
        ("_START", 0.01),
    ):
        monkeypatch.setattr(explorer, name, seconds)
    monkeypatch.setattr(steady, "PATIENCE", 0.5)


@pytest.fixture
def program(quick: None) -> Any:
    """The simulated program, without waits."""
    return Program()


def test_ineffective_click_is_awaited_for_the_timeout(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot waits for three seconds if every look takes the same time."""
    now = [0.0]

    def pause(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr("sapper.vision.patience.monotonic", lambda: now[0])
    monkeypatch.setattr("sapper.vision.patience.sleep", pause)
    monkeypatch.setattr(explorer, "_PATIENCE", 3.0)
    playing: Any = UnthemedPlayer(program, make_bot("exact"))
    assert not playing.explorer._changes(0, program.looks())
    assert now[0] == pytest.approx(3.0, abs=0.01)


@pytest.mark.usefixtures("quick")
def test_ineffective_click_is_retried_slower() -> None:
    """The press duration that worked is kept between games, so only one click is ignored."""
    program = Slow()
    playing: Any = UnthemedPlayer(program, make_bot("exact"), 10)
    assert [playing.play().result for _ in range(3)] == ["won"] * 3
    assert (program.hold, program.ignored) == (0.1, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_indistinguishable_looks_are_drawn_sharper() -> None:
    """If 1s have no name after ten games, learning starts again with more pixels."""
    told: list[str] = []
    playing: Any = UnthemedPlayer(Blurred(), make_bot("exact"), 10, tell=told.append)
    assert playing.play().result == "won"
    assert sum("with more pixels" in line for line in told) == 1
    assert playing.explorer.games < 10 < len(told)


@pytest.mark.slow
def test_names_that_contradict_the_board_are_learned_again(program: Any) -> None:
    """Zeros that were mistaken for threes end neither the run nor the learning."""
    playing = UnthemedPlayer(program, make_bot("exact"), 10)
    playing.explorer.learn(30)
    names = playing.explorer.naming.names
    names |= {CODES.index("0"): "3", CODES.index("3"): "0"}
    program.name_looks(names)
    assert playing.play().result == "won"
    assert all(CODES[look] == name for look, name in playing.explorer.naming.names.items())


@pytest.mark.slow
def test_wrong_mine_total_is_reported(program: Any) -> None:
    """The bot does not learn all names again, because that would not help."""
    playing = UnthemedPlayer(program, make_bot("exact"), 60)
    with pytest.raises(Contradictory, match="contradict each other, or the mine total"):
        playing.play()


def test_pressed_cell_is_awaited(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that is impossible for a moment does not end the game."""
    playing = UnthemedPlayer(program, make_bot("exact"), 10)
    playing.explorer.learn(30)
    games = playing.explorer.games
    program.begin(0)
    monkeypatch.setattr(steady, "PATIENCE", 60.0)
    program.pressed = 30
    assert playing.play().result == "won"
    assert (program.pressed, playing.explorer.games) == (0, games)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("late", [0, 12])
def test_end_marks_are_not_numbers(late: int) -> None:
    """Marks and mines get their own names, and numbers keep theirs."""
    told: list[str] = []
    playing: Any = UnthemedPlayer(Marking(late), make_bot("exact"), 10, tell=told.append)
    playing.explorer.learn(30)
    for _ in range(8):
        playing.explorer.begin()
        playing.explorer.finish()
    names = {CODES[look]: name for look, name in playing.explorer.naming.names.items()}
    assert names["!"] == "."
    assert names["M"] == "M"
    assert all(name == look for look, name in names.items() if look != "!")
    assert late or not [line for line in told if "doubted" in line]
    assert any("lost" in line for line in told)


@pytest.mark.usefixtures("quick")
def test_faded_cells_stay_unopened() -> None:
    """On a won board, only mines look faded; on a lost board, other cells do too."""
    playing: Any = UnthemedPlayer(Fading(), make_bot("exact"), 10)
    playing.explorer.learn(30)
    for _ in range(6):
        playing.explorer.begin()
        playing.explorer.finish()
    names = {CODES[look]: name for look, name in playing.explorer.naming.names.items()}
    assert names["!"] == "."
    assert all(name == look for look, name in names.items() if look != "!")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("opens", [False, True])
def test_a_click_after_the_end_may_start_a_new_game(opens: bool) -> None:
    """The last screen before a click that starts a new game is the end of the old one."""
    program = Restarting()
    program.opens = opens
    playing: Any = UnthemedPlayer(program, make_bot("exact"), 10)
    playing.explorer.learn(30)
    names = playing.explorer.naming.names
    assert all(CODES[look] == name for look, name in names.items())


def test_the_counter_of_a_page_is_found(program: Any) -> None:
    """The counter falls with a flag and agrees with the mines of won games."""
    playing: Any = UnthemedPlayer(program, make_bot("exact"))
    assert playing.play().result == "won"
    program.counter.begin(program.numbers())
    assert program.counter.total({"level": 9, "mines left": 12, "flags": 3, "clock": 1}) == 12


@pytest.mark.slow
def test_a_box_over_the_end_of_a_game_is_closed(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game counts, but nothing is learned from the box."""
    monkeypatch.setattr(player, "PATIENCE", 0.1)
    playing: Any = UnthemedPlayer(Covering(), make_bot("exact"), 10)
    playing.explorer.learn(30)
    games = playing.explorer.games
    assert [playing.play().result for _ in range(3)] == ["won"] * 3
    assert playing.explorer.games == games
    names = playing.explorer.naming.names
    assert all(CODES[look] == name for look, name in names.items())


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_large_board_is_learned_before_it_is_cleared() -> None:
    """Numbers are named only after a game has ended, so the bot loses the first one early."""
    program = Large()
    playing: Any = UnthemedPlayer(program, make_bot("exact"), 150)
    playing.explorer.learn(30)
    names = playing.explorer.naming.names
    assert all(CODES[look] == name for look, name in names.items())
    assert set(playing.explorer.names) >= set(".01234*M")
    # Clearing the board takes more than 300 clicks.
    assert program.clicks < 250
    assert playing.play().result in ("won", "lost")


def test_log_has_training_games(program: Any, tmp_path: Path) -> None:
    """The log records every click and the next board, as look numbers and as a picture."""
    playing = UnthemedPlayer(program, make_bot("exact"), 10, Log(tmp_path))
    assert playing.play().result == "won"
    lines = [json.loads(line) for line in (tmp_path / "learning.jsonl").read_text().splitlines()]
    games = [[line for line in lines if line["game"] == at + 1] for at in range(lines[-1]["game"])]
    assert len(games) == playing.explorer.games
    for game in games:
        assert [line["event"] for line in game[:1] + game[-1:]] == ["begin", "end"]
        assert [line["click"] for line in game[:-1]] == list(range(len(game) - 1))
        for line in game[:-1]:
            shown = vision.load(str(tmp_path / line["picture"]))
            assert shown[..., 0].tolist() == line["looks"]
    last = games[-1][-1]
    assert last["result"] in ("won", "lost")
    assert all(CODES[int(look)] == name for look, name in last["names"].items())
    pictures = [name for game in games for name in game[-1]["new_looks"]]
    assert len(set(pictures)) == len(pictures) == len(CODES)
    assert all((tmp_path / name).is_file() for name in pictures)


def test_log_has_the_reason_for_giving_up(program: Any, tmp_path: Path) -> None:
    """The log and the message state the same cause."""
    program.begin = lambda attempt: None
    playing = UnthemedPlayer(program, make_bot("exact"), 10, Log(tmp_path))
    with pytest.raises(vision.PlayStopped, match="no new game"):
        playing.play()
    last = json.loads((tmp_path / "learning.jsonl").read_text().splitlines()[-1])
    assert (last["result"], last["cause"]) == ("stopped", "no-new-game")
