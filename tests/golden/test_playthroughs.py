"""Whole games, move by move, as text that shows changes of behaviour.

Each file has a line of settings, then one action per line after ``> ``, each followed by the game's
new state. After an intended change, regenerate the files and review the diff:

    python tests/golden/test_playthroughs.py
"""

from pathlib import Path

import pytest

from sapper.board import Board
from sapper.dealer import settings
from sapper.game import Game
from sapper.topology import Cell

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.txt"))


def new_game(line: str) -> Game:
    """Return the game of a settings line: ``LEVEL RULES name=value ...``."""
    level, rules, *pairs = line.split()
    texts = dict(pair.split("=") for pair in pairs)
    seed = int(texts.pop("seed"))
    switches = {name: text == "on" for name, text in texts.items() if text in ("on", "off")}
    names = {name: text for name, text in texts.items() if name not in switches}
    return Game.begin(settings(level, rules, seed=seed, **names, **switches))  # type: ignore[arg-type]


def game_text(game: Game) -> list[str]:
    """Return a game as text, with its question marks and, after the end, its mines."""
    questions = {game.level.shape().index(cell) for cell in game.questions}
    cells = ["?" if i in questions else chr(char) for i, char in enumerate(game.position.cells)]
    width = game.level.width
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    if game.over:
        board: Board = game.board
        rows = [f"{row}   {mines}" for row, mines in zip(rows, board.rows, strict=True)]
    counts = game.counts
    status = f"{game.status}, mines left {game.mines_left}, clicks {counts.clicks}"
    return [f"{status}, effective {counts.effective}", *rows]


def playthrough(text: str) -> str:
    """Return a whole game as text, with its comments, settings and actions."""
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("//")]
    (setting,) = (line for line in lines if line.startswith("game: "))
    game = new_game(setting.removeprefix("game: "))
    out = [*comments, setting, *game_text(game)]
    for line in lines:
        if line.startswith("> "):
            do, *place = line.removeprefix("> ").split()
            if do == "restart":
                game.restart(same="same" in place)
            elif do == "undo":
                game.undo()
            else:
                row, col = map(int, place)
                getattr(game, do)(Cell(row, col))
            out += ["", line, *game_text(game)]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_game_matches_its_recording(file: Path) -> None:
    """Deals, floods, chords, marks, counters and results are the same as in the file."""
    text = file.read_text(encoding="utf-8")
    assert playthrough(text) == text


if __name__ == "__main__":
    for file in FILES:
        file.write_text(playthrough(file.read_text(encoding="utf-8")), encoding="utf-8")
