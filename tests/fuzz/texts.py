"""Fuzz text parsers: positions, boards, levels, game ids, saved games, puzzles, histories.

Valid input is changed, cut and mixed. Each is read, or refused with a short, documented error;
every input that was read must round-trip.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from fuzzing import fuzz

from sapper import Board, Game, Level, Position, generate
from sapper.coach.trainer import BadPuzzle, Puzzle, puzzles
from sapper.errors import BadBoard, BadLevel, BadPosition, BadSave, BadSetting, SapperError
from sapper.formats import load, read_mbf, write_board_file, write_mbf
from sapper.generation import format_id, parse_id
from sapper.generation.daily import parse_day
from sapper.history import Record, read_json_lines
from sapper.position import json_part

DATA = Path(__file__).parents[1] / "data"
LONGEST_S = 10.0
LONGEST_MESSAGE = 1000
SHAPES = ("rectangle", "torus", "cylinder", "hexagon", "triangle")
ODD = [
    "", "\0", "\ufeff", "\udcff", "\u0660", "\u00b2", "\r", "\n\n", "\t", "-", "-1", "+1", "1_0",
    "1e9", "9" * 30, "0x10", "NaN", "Infinity", "null", "true", "{", "}", "[", "]", '"', ",", ":",
    "/", "//", "@", "x", "?", "mines:", "topology: torus", "/torus", "F", "*", ".", "8", "9",
    "[" * 2000,
]  # fmt: skip


class Reader(NamedTuple):
    """A reader of text.

    Attributes:
        texts: Valid input.
        read: The reader.
        refuses: The errors that it may raise.
        write: The matching writer, whose output is compared.
    """

    texts: list[str]
    read: Callable[[str], Any]
    refuses: tuple[type[SapperError], ...]
    write: Callable[[Any], str]


def _lines(name: str) -> list[str]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _games() -> list[Game]:
    """Games on boards of every shape, some of them finished."""
    rng, found = Random(1), []
    for number, shape in enumerate(SHAPES * 2):
        rules = "kaboom" if number == len(SHAPES) else "classic"
        ticks = count()  # the time from a real clock would differ between runs
        game = Game(
            f"9x9:10/{shape}",
            rules=rules,
            undo=number > len(SHAPES),
            seed=number,
            time=lambda ticks=ticks: 0.01 * next(ticks),
        )
        for _ in range(30):
            cells = game.position.unopened_cells()
            if not game.over and cells:
                (game.flag if rng.random() < 0.3 else game.open)(rng.choice(cells))
        found.append(game)
    return found


def _loaded(text: str) -> Position:
    return load(text.encode("utf-8", "surrogatepass")).position


def _saved(text: str) -> Game:
    return Game.from_json(json.loads(text), time=lambda: 0.0)


def _records(text: str) -> list[Record]:
    return list(read_json_lines(io.BytesIO(text.encode("utf-8", "surrogatepass"))))


def _as_lines(objects: list[Any]) -> str:
    return "\n".join(json.dumps(one.to_json()) for one in objects)


def _readers() -> list[Reader]:
    games = _games()
    known = map(json.loads, _lines("positions.jsonl")[:60])
    positions = [Position.from_json(json_part(entry)) for entry in known]
    positions += [game.position for game in games]
    dealt = [next(generate(f"8x6:9/{shape}", seed=3)) for shape in SHAPES]
    boards = [one.board for one in dealt]
    flat = [p for p in positions if p.topology.name == "rectangle" and p.mines is not None]
    files = [write_board_file(p) for p in flat if b"*" not in p.cells]
    over = [Record.of_game(game, finished_ms=1_700_000_000_000) for game in games if game.over]
    ids = [line.split()[1] for line in _lines("tatham_ids.txt")]
    ids += [format_id(one.board, one.start) for one in dealt]
    levels = ["expert", "9x9:10", "20x20@0.15", "9x9:?", "8x8:10/hexagon", "beginner/torus"]
    pairs = [_as_lines(over[at : at + 2]) for at in range(len(over))]
    return [
        Reader([str(p) for p in positions], Position.parse, (BadPosition,), str),
        Reader([_as_lines([p]) for p in positions], _loaded, (BadPosition, BadBoard), str),
        Reader(files, _loaded, (BadPosition, BadBoard), str),
        Reader([str(b) for b in boards], Board.parse, (BadBoard,), str),
        Reader(levels, Level.parse, (BadLevel,), str),
        Reader(ids, parse_id, (BadBoard,), lambda found: format_id(*found)),
        Reader(["2026-11-22", "today"], _day, (BadSetting,), date.isoformat),
        Reader([_as_lines([g]) for g in games], _saved, (BadSave,), lambda g: _as_lines([g])),
        Reader(
            [_as_lines([p]) for p in [*puzzles().values()][:50]],
            lambda text: Puzzle.from_json(json.loads(text)),
            (BadPuzzle,),
            lambda puzzle: _as_lines([puzzle]),
        ),
        Reader(pairs, _records, (BadSave,), _as_lines),
    ]


def _day(text: str) -> date:
    return parse_day(text, date(2026, 11, 22))


READERS = _readers()
FILES = [write_mbf(Board.parse("*100\n1100")), write_mbf(next(generate("expert", seed=1)).board)]


def changed(rng: Random, texts: list[str]) -> str:
    """Input with some parts changed, cut out, repeated, or taken from other input."""
    text = rng.choice(texts)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(text) + 1)
        change = rng.randrange(6)
        if change == 0:
            text = text[:at] + rng.choice(ODD) + text[at + rng.randint(0, 3) :]
        elif change == 1:
            text = text[:at] + text[at + rng.choice([1, 2, 8, 50]) :]
        elif change == 2:
            text = text[:at] + text[at : at + rng.choice([1, 8, 50])] + text[at:]
        elif change == 3:
            other = rng.choice(texts)
            text = text[:at] + other[rng.randrange(len(other) + 1) :]
        elif change == 4:
            text = (
                text[:at] + chr(rng.choice([rng.randrange(128), rng.randrange(0x3000)])) + text[at:]
            )
        elif numbers := [*re.finditer(r"\d+", text)]:
            one = rng.choice(numbers)
            new = rng.choice([0, 1, int(one[0][:9]) + rng.choice([-1, 1]), 2**31, 2**63, 10**9])
            text = text[: one.start()] + str(new) + text[one.end() :]
    return text


def case(rng: Random) -> None:
    """Read one string, or one binary board."""
    begun = process_time()
    if rng.random() < 0.1:
        _binary(rng)
    else:
        _text(rng)
    taken = process_time() - begun
    assert taken < LONGEST_S, f"{taken:.1f} s"


def _text(rng: Random) -> None:
    reader = rng.choice(READERS)
    text = changed(rng, reader.texts)
    try:
        found = reader.read(text)
    except reader.refuses as problem:
        _check(problem)
    except (json.JSONDecodeError, RecursionError):
        if not reader.texts[0].startswith("{"):  # cases that start as JSON may raise these
            raise
    else:
        written = reader.write(found)
        assert reader.write(reader.read(written)) == written, text


def _check(problem: SapperError) -> None:
    assert 0 < len(str(problem)) < LONGEST_MESSAGE, f"message: {str(problem)!r:.300}"


def _binary(rng: Random) -> None:
    data = bytearray(rng.choice(FILES))
    for _ in range(rng.choice([1, 1, 4])):
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
    try:
        board = read_mbf(bytes(data))
    except BadBoard as problem:
        _check(problem)
    else:
        assert read_mbf(write_mbf(board)) == board


if __name__ == "__main__":
    fuzz(case, __doc__)
