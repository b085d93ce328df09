"""Draw the pictures of positions in the docs: docs/images/*.svg.

Usage: python docs/pictures.py [--check]. With --check, nothing is written, and the exit status is 1
if a picture is out of date.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from string import ascii_uppercase

import sapper
from sapper.dealer import settings
from sapper.game import Game
from sapper.simulation import Match
from sapper.topology import Cell
from sapper.tui import SapperApp

FOLDER = Path(__file__).parent / "images"

SHOWN = ("torus", "hexagon", "triangle")
"""The topologies with a picture in docs/topologies.md."""

RULES = ("classic", "fair", "kaboom", "kind")
"""The rule sets with two pictures in docs/rules.md: what a click on each cell does."""

FORCED = "mines: 3\n.1....1.."
NEEDLESS = "mines: 3\n.1....1.0"
"""A position without a safe cell, and one with a safe cell and a certain mine."""

COMPONENTS = """
mines: 5
.........
.12...1..
.........
"""
"""A frontier of two components, with three boxes and one."""

EXAMPLE = """
mines: 15
............
............
...21111....
...10002....
.2110113....
.10001......
.210012.....
..10001.....
"""


def pictures() -> dict[str, str]:
    """Return every picture by its file name."""
    position = sapper.Position.parse(EXAMPLE)
    analysis = sapper.analyze(position)
    hint = sapper.hint(position)
    witnesses = [
        cell
        for cell in position.topology.cells()
        if position.number(cell)
        and any(map(position.is_unopened, position.topology.neighbours(cell)))
    ]
    frontier = {near for cell in witnesses for near in position.topology.neighbours(cell)}
    floating = [cell for cell in position.unopened_cells() if cell not in frontier]
    return {
        "analysis.svg": analysis.to_svg(
            marks={"best": [hint.cell], "ring": hint.because},
            title="Analysis of a position",
            description=hint.sentence,
            coordinates=0,
            cell_px=36,
        ),
        "analysis-dark.svg": analysis.to_svg(
            marks={"best": [hint.cell], "ring": hint.because},
            title="Analysis of a position, dark theme",
            description=hint.sentence,
            theme="dark",
            coordinates=0,
            cell_px=36,
        ),
        **{f"{name}.svg": topology(name) for name in SHOWN},
        **{f"forced-{name}.svg": clicks(FORCED, name) for name in RULES},
        **{f"needless-{name}.svg": clicks(NEEDLESS, name) for name in RULES},
        "boxes.svg": boxes(),
        "needless-guess.svg": needless_guess(),
        "tui.svg": terminal(),
        "terms.svg": position.to_svg(
            marks={"ring": witnesses, "dim": floating},
            title="Witnesses, frontier and floating cells",
            description="The witnesses are ringed, and the floating cells are pale. "
            "The unopened cells in between are the frontier.",
            coordinates=0,
            cell_px=36,
        ),
    }


def topology(name: str) -> str:
    """Return the picture of a game in docs/topologies.md, with the chances of its cells."""
    game = Game(f"9x7:12/{name}", first_click="opening", seed=8)
    game.open((3, 4))
    analysis = sapper.analyze(game.position)
    title = f"Analysis of a game on a board of the topology {name}"
    return analysis.to_svg(title=title, cell_px=36)


def clicks(text: str, rules: str) -> str:
    """Return a picture of what a click on each cell does: open it, hit a mine, or either."""
    position = sapper.Position.parse(text)
    chances = sapper.analyze(position).p_mine
    opens, kills, depends = [], [], {}
    for cell in position.unopened_cells():
        ends = set()
        for seed in range(8):
            game = sapper.Game.from_position(position, rules=rules, seed=seed)
            game.open(cell)
            ends.add(str(game.status) == "lost")
        if len(ends) == 1 and (rules != "classic" or chances[cell] in (0, 1)):
            (kills if ends.pop() else opens).append(cell)
        else:
            depends[cell] = float(chances[cell])
    return position.to_svg(
        marks={"safe": opens, "mine": kills},
        chances=depends,
        title=f"Clicks under the rules {rules}",
        description=f"{len(opens)} cells open, {len(kills)} are always mines, "
        f"and {len(depends)} depend on where the mines lie.",
        cell_px=30,
    )


def boxes() -> str:
    """Return a picture of a frontier divided into components and lettered boxes."""
    position = sapper.Position.parse(COMPONENTS)
    shape = position.topology
    groups: dict[frozenset[Cell], list[Cell]] = {}
    for cell in position.unopened_cells():
        witnesses = frozenset(near for near in shape.neighbours(cell) if position.number(near))
        groups.setdefault(witnesses, []).append(cell)
    floating = groups.pop(frozenset(), [])
    px = 44
    letters = []
    for letter, cells in zip(ascii_uppercase, groups.values(), strict=False):
        letters += [
            f'<text x="{px * (col + 0.5):g}" y="{px * (row + 0.5):g}" fill="#14283d" '
            f'font-family="sans-serif" font-size="{px * 0.5:g}" text-anchor="middle" '
            f'dominant-baseline="central">{letter}</text>'
            for row, col in cells
        ]
    picture = position.to_svg(
        marks={"ring": [cell for group in groups for cell in group], "dim": floating},
        title="Boxes of a frontier",
        description="Cells with the same letter have the same witnesses, which are ringed.",
        cell_px=px,
    )
    # Insert the letters into the same group as the cells, because they share its origin.
    before, end, after = picture.rpartition("</g>")
    return before + "\n".join(letters) + "\n" + end + after


def needless_guess() -> str:
    """Return the picture of the review in docs/review.md."""
    found = sapper.review(Match("autosweeper", "10x10:18").game(seed=36))
    decision = found.decisions[found.lost_at or 0]
    assert decision.proof is not None
    return found.position(decision.index).to_svg(
        marks={"chosen": [decision.cell], "safe": decision.safe, "ring": decision.proof.because},
        title="A needless guess",
        description=f"The cell {decision.cell} was opened and was a mine, while "
        f"{len(decision.safe)} cells were safe. " + " ".join(step.text for step in decision.steps),
        coordinates=0,
        cell_px=36,
    )


def terminal() -> str:
    """Return a picture of the game in the terminal, with a hint and all chances."""
    app = SapperApp(settings("intermediate", first_click="opening", seed=117), "dark")
    # Stop the clock.
    app.table.game = Game.begin(app.table.game.settings, time=lambda: 0.0)

    async def play() -> str:
        async with app.run_test(size=(66, 23)) as pilot:
            for key in ("enter", "a", "a", "a", "h"):
                await pilot.press(key)
                while app.table.busy:
                    await pilot.pause(0.01)
            await pilot.pause()
            return app.export_screenshot(title="sapper tui")

    # Leave out the fonts, which would be loaded from another site.
    return re.sub(r"@font-face \{.*?\}\s*", "", asyncio.run(play()), flags=re.DOTALL)


def main() -> int:
    """Write the pictures, or compare them with the files."""
    check = sys.argv[1:] == ["--check"]
    stale = [
        name
        for name, svg in pictures().items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != svg
    ]
    for name in stale:
        if not check:
            (FOLDER / name).write_text(pictures()[name], "utf-8")
        print(f"{name}: {'out of date' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
