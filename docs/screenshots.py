"""Take the screenshots of the web app in README.md and the docs: docs/images/*.png.

Usage: python docs/screenshots.py [NAME ...], for example ``play review`` (default: all). It needs
the extras ``test`` and ``vision``, and Chromium. The games are seeded, so a screenshot changes only
if the page or its clock does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from sapper.coach.trainer import Answer, Puzzle, Question, judge, puzzles
from sapper.history import History, Record
from sapper.replay import Replay, serialize
from sapper.simulation import Match

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "images"
PLUGINS = ROOT / "examples"
REPLAY = ROOT / "tests" / "data" / "replays" / "expert.avf"

sys.path.append(str(ROOT / "tests"))

from e2e.chromium import Chromium  # noqa: E402  # the helpers of the browser tests
from e2e.hand import cell, names, next_cells, open_cell, settle, still  # noqa: E402
from e2e.running import Server  # noqa: E402

SIZES = {
    "play": (1280, 800),
    "why": (1280, 800),
    "automatic": (1280, 800),
    "analyze": (1280, 800),
    "review": (1280, 800),
    "replay": (1440, 900),
    "learn": (1280, 800),
    "history": (1280, 880),
    "together": (1280, 800),
    "extending": (1280, 800),
}
"""Width and height of each picture in pixels."""

GAME = "win=open&chord=exact"
EXPERT = f"#level=expert&rules=classic&first_click=opening&{GAME}"

NEEDLESS = "#rules=kaboom&size=6x4:3&position=00000001110013a200c20a"
"""Row 4, column 6 is safe, and columns 1 and 2 of that row are not."""

MISSED = 0, 1, 2, 5, 6
"""The puzzles that are answered wrongly before the one in the picture, counted from 0."""

DAY_MS = 86_400_000


def play(page: Page, server: Server) -> None:
    """An Expert game with the chances of all cells."""
    page.goto(f"{server.url}{EXPERT}&seed=7")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    page.click("#mode >> text=Assisted")
    page.check("#overlay [value=chances]", force=True)
    open_cell(page, 8, 15)
    expect(page.locator(".cell.state, .cell.safe").first).to_be_visible()
    settle(page)


def why(page: Page, server: Server) -> None:
    """A needless guess under kaboom, and the card that explains it."""
    page.goto(server.url + NEEDLESS)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 3, 0).click()
    page.wait_for_selector("body[data-status=lost]")
    expect(page.locator(".cell.lit")).to_have_count(1)
    page.locator("#card").scroll_into_view_if_needed()


def automatic(page: Page, server: Server) -> None:
    """The bot autosweeper, paused before a guess."""
    page.goto(f"{server.url}{EXPERT}&seed=17")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    page.click("#mode >> text=Automatic")
    page.select_option("#bot", "autosweeper")
    latest = page.locator("#bot-log li").first
    # Play slowly, so that the bot can be paused after its first action.
    page.locator("#pace").fill("0")
    page.click("#play")
    page.wait_for_selector("body[data-status=playing]")
    page.click("#play")
    for _ in range(300):
        number, *_, risk = latest.locator("span").all_inner_texts()
        if int(number) > 6 and risk.startswith("guess"):
            expect(page.locator(".cell.picked")).to_have_count(1)
            return
        before = names(page)
        page.click("#step")
        while names(page) == before:
            page.wait_for_timeout(10)
    raise AssertionError("no guess in 300 actions")


def analyze(page: Page, server: Server) -> None:
    """The first opening of an Expert game on the analysis board, with the card of a cell."""
    page.goto(f"{server.url}analyze#size=30x16:99&position=o")
    rows = ["." * 30] * 7 + ["." * 14 + inner + "." * 13 for inner in ("212", "102", "212")]
    page.fill("#text", "\n".join(["mines: 99", *rows, *["." * 30] * 6]))
    page.locator("#text").blur()
    expect(page.locator("#figures")).to_contain_text("Win chance")
    page.locator("#best button").first.click()
    expect(page.locator(".outcomes tbody tr").first).to_be_visible()
    expect(page.locator(".outcomes thead")).to_contain_text("Win")
    page.evaluate("() => document.querySelector('#panel')?.scrollTo(0, 0)")


def review(page: Page, server: Server) -> None:
    """The review of a bot's game at a needless guess, with a step of the missed proof."""
    game = Match("autosweeper", "expert", first_click="opening").game(seed=4)
    page.goto(f"{server.url}review")
    page.wait_for_selector("#open-first")
    saved = serialize(Replay.from_game(game))
    file = FilePayload(name="game.json", mimeType="application/json", buffer=saved)
    page.set_input_files("#file", files=file)
    expect(page.locator("#headline")).to_contain_text("Lost at move 228")
    expect(page.locator("#working")).to_be_hidden()
    while "Move 222 of" not in page.locator("#place").inner_text():
        page.keyboard.press("ArrowLeft")
    page.click("#proof-next")
    expect(page.locator("#detail .proof p")).to_contain_text("1 of 2")


def replay(page: Page, server: Server) -> None:
    """An Expert game of Minesweeper Arbiter, paused at its second guess."""
    page.goto(f"{server.url}replay")
    page.wait_for_selector("#choose")
    page.set_input_files("#file", REPLAY)
    expect(page.locator("#headline")).to_have_text("Won in 47.210 s")
    expect(page.locator("#working")).to_be_hidden()
    for _ in range(2):
        before = page.locator("#time").inner_text()
        page.click("#guess")
        expect(page.locator("#time")).not_to_have_text(before)
    expect(page.locator("#detail")).to_contain_text("eedless")


def learn(page: Page, server: Server) -> None:
    """A later puzzle, with a mistake and the proof."""
    page.goto(f"{server.url}learn")
    page.wait_for_selector('[role="gridcell"]')
    for number in range(40):
        puzzle = puzzles()[_ask(page, "puzzle", focus="two")["id"]]
        found = judge(puzzle.question, puzzle.position, Answer())
        wrong = _wrong(puzzle)
        if number > 9 and puzzle.question is Question.SAFE and wrong:
            break
        right = found.safe if puzzle.question is Question.ALL else found.safe[:1]
        safe, mined = (wrong[:1], []) if number in MISSED else (right, found.mined)
        _ask(page, "answer", puzzle=puzzle.id, safe=list(safe), mined=list(mined))
    page.reload()
    page.wait_for_selector('[role="gridcell"]:focus')
    cell(page, *wrong[0]).click()
    expect(page.locator("#result-title")).to_contain_text("Not solved")
    page.click("#step")
    expect(page.locator("#step-title")).to_contain_text("Why row")


def _ask(page: Page, path: str, **body: object) -> dict[str, str]:
    """Send a request the way the page does."""
    answer = page.request.post(f"/api/learn/{path}", data=json.dumps(body))
    assert answer.ok, answer.text()
    return answer.json()  # type: ignore[no-any-return]


def _wrong(puzzle: Puzzle) -> list[tuple[int, int]]:
    """Return the unopened cells that are not proved safe."""
    found = judge(puzzle.question, puzzle.position, Answer())
    position = puzzle.position
    return [at for at in position.unopened_cells() if position[at] == "." and at not in found.safe]


def history(page: Page, server: Server) -> None:
    """The statistics of simulated Expert games over nine months."""
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    [cookie] = [one for one in page.context.cookies() if one["name"] == "sapper"]
    with History(Path(server.home) / "play.sqlite3", cookie["value"].partition(".")[0]) as found:
        found.add_all(_records())
    page.goto(f"{server.url}history")
    expect(page.locator("svg.plot")).to_have_count(3)
    page.select_option("#level", "expert")
    page.select_option("#rules", "classic")
    expect(page.locator("svg.plot")).to_have_count(3)
    page.mouse.move(5, 5)


def _records() -> list[Record]:
    """Return records, up to today, of a player who gets faster."""
    rng = Random(2)
    # Use Monday noon, so that the last week always covers the same days.
    today = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    last_ms = int(today.timestamp() * 1000) - today.weekday() * DAY_MS
    game = Record.of_game(Match("exact", "expert").game(seed=1), last_ms)
    records = []
    for days in sorted((rng.randrange(270) for _ in range(213)), reverse=True):
        won, bbbv = rng.random() < 0.5, rng.randint(120, 210)
        pace = (1.5 + (270 - days) / 450) * rng.lognormvariate(0, 0.22)
        time_ms = int(1000 * bbbv / pace)
        finished_ms = last_ms - days * DAY_MS + rng.randrange(20_000_000)
        solved = bbbv if won else rng.randint(5, bbbv - 1)
        clicks = int(solved / rng.uniform(0.6, 0.85))
        records.append(
            replace(
                game,
                finished_ms=finished_ms,
                started_ms=finished_ms - time_ms,
                won=won,
                time_ms=time_ms if won else int(time_ms * solved / bbbv),
                bbbv=bbbv,
                solved=solved,
                clicks=clicks,
                effective=int(clicks * 0.9),
                forced_guesses=rng.choice([0, 1, 1, 2, 2]),
                needless_guesses=rng.choice([0, 0, 0, 1, 2]),
                risk=rng.uniform(0.2, 0.9),
            )
        )
    return records


def together(page: Page, server: Server) -> None:
    """A race on an Intermediate board against three bots."""
    page.goto(f"{server.url}together")
    data = {
        "kind": "race",
        "settings": {"countdown_ms": 0},
        "public": False,
        "bots": ["novice", "casual", "skilled"],
    }
    code = page.request.post("/api/rooms", data=data).json()["code"]
    page.goto(f"{server.url}r/{code}")
    page.click("#start")
    page.wait_for_selector("body[data-status=racing]")
    for _ in range(4):
        for row, col in next_cells(page, 40)[:6]:
            cell(page, row, col).click()
        settle(page)
    # Many machines without a desktop have no font with emoji.
    page.evaluate("() => document.getElementById('phrases').remove()")


def extending(page: Page, server: Server) -> None:
    """A game with knight moves in the paper theme, and a hint."""
    page.goto(f"{server.url}#level=9x9:10/knight&rules=classic&first_click=opening&{GAME}&seed=8")
    page.wait_for_selector("body[data-status=ready]")
    page.evaluate("() => { document.querySelector('details.view').open = true; }")
    page.select_option("#palette", "paper")
    open_cell(page, 4, 4)
    page.click("#hint")
    expect(page.locator("#card")).to_be_visible()
    page.locator("#palette").scroll_into_view_if_needed()


PICTURES: dict[str, Callable[[Page, Server], None]] = {
    function.__name__: function
    for function in (
        play,
        why,
        automatic,
        analyze,
        review,
        replay,
        learn,
        history,
        together,
        extending,
    )
}


def take(name: str, chromium: Chromium, server: Server) -> None:
    """Take a screenshot in a new browser and write its file."""
    width, height = SIZES[name]
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        base_url=server.url,
        locale="en-US",
        color_scheme="light",
        reduced_motion="reduce",
        service_workers="block",
    )
    page = context.new_page()
    PICTURES[name](page, server)
    page.mouse.move(width // 2, height - 2)
    still(page)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    context.close()
    # A page needs only a few colours, and fewer colours keep the file small.
    picture.quantize(256, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size:,} bytes")


def main() -> None:
    """Take the named screenshots, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(PICTURES)}")
    names = parser.parse_args().names or list(PICTURES)
    if unknown := set(names) - set(PICTURES):
        parser.error(f"unknown pictures: {', '.join(sorted(unknown))}")
    chromium = Chromium()
    expect.set_options(timeout=60_000)
    with TemporaryDirectory() as folder, Server(Path(folder) / "home") as server:
        for name in names:
            if name == "extending":
                server.stop()
                examples = ("knight_topology.py", "paper_theme.py")
                server.start(SAPPER_PLUGINS=":".join(str(PLUGINS / file) for file in examples))
            take(name, chromium, server)
    chromium.close()


if __name__ == "__main__":
    main()
