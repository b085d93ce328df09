"""The History page in a browser: figures, replays, reviews, importing and erasing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from e2e.running import Server
from sapper.history import History
from sapper.replay import load
from support.histories import made_up, played
from support.marks import slow
from support.replays import FOLDER

_DROPPED = """([bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], "game.avf"));
  return data;
}"""

Contexts = Callable[..., BrowserContext]


def owner_of(page: Page) -> str:
    """Return the browser's session id."""
    [cookie] = [one for one in page.context.cookies() if one["name"] == "sapper"]
    return str(cookie["value"]).partition(".")[0]


def test_a_finished_game_appears_with_its_figures(new_context: Contexts, server: Server) -> None:
    """A finished game is listed with its figures, replay and review; new visitors have no games."""
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(server.url + "history")
    expect(page.locator("#empty")).to_contain_text("No games yet")
    page.click("#empty-play")
    page.wait_for_selector("body[data-status=ready]")
    page.goto(server.url + "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact")
    # Wait for this board: the page was already ready, but with another one.
    page.wait_for_selector("#mines[aria-label='Mines left: 0']")
    page.locator(".cell").first.click()
    page.wait_for_selector("body[data-status=won]")
    page.goto(server.url + "history")
    expect(page.locator("#figures div").first).to_contain_text("1 won")
    row = page.locator("#games tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Won")
    key = str(row.locator("a").first.get_attribute("href")).partition("=")[2]
    assert page.request.get(f"{server.url}api/history/games/{key}", timeout=300_000).ok
    row.get_by_text("Review").click()
    expect(page.locator("#headline")).to_contain_text("Won in one move")
    page.go_back()
    row.get_by_text("Replay").click()
    expect(page.locator("#game")).to_be_visible()


@pytest.mark.slow
def test_games_are_chosen_compared_and_erased(new_context: Contexts, server: Server) -> None:
    """Using only the keyboard: the URL keeps the selection, and erasing asks for confirmation."""
    page = new_context(locale="en-GB").new_page()
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    games = [replace(made_up(number), bot="", helped="", player="") for number in range(120)]
    waiting = replace(played(1), bot="", forced_guesses=None, needless_guesses=None, risk=None)
    with History(Path(server.home) / "play.sqlite3", owner_of(page)) as history:
        history.add_all([*games, replace(games[0], finished_ms=5, helped="undo"), waiting])
    page.goto(server.url + "history")
    first = page.locator("#figures div").first
    expect(first).to_contain_text("121")
    expect(page.locator("svg.plot")).to_have_count(3)
    expect(page.locator("#place")).to_have_text("1 to 50 of 121")
    page.locator("#older").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#place")).to_have_text("51 to 100 of 121")
    page.select_option("#who", "helped")
    expect(first).to_contain_text("1")
    expect(page.locator("#place")).to_have_text("1 to 1 of 1")
    page.select_option("#who", "me")
    expert = [game for game in games if game.level == "expert"]
    page.select_option("#level", "expert")
    expect(page.locator("#place")).to_contain_text(f"of {len(expert)}")
    page.select_option("#versus", "range")
    page.fill("#versus-from", "2023-11-01")
    page.fill("#versus-to", "2023-11-30")
    expect(page.locator(".before").first).to_contain_text("before:")
    page.reload()
    expect(page.locator("#level")).to_have_value("expert")
    expect(page.locator(".before").first).to_contain_text("before:")
    with page.expect_download() as download:
        page.click("#export-jsonl")
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert {json.loads(line)["level"] for line in lines} == {"expert"}
    assert len(lines) == len(expert)
    page.click("#erase")
    expect(page.locator("#keep")).to_be_focused()
    page.click("#erase-now")
    expect(page.locator("#data-said")).to_contain_text(f"{len(expert)} games erased")
    expect(page.locator("#import")).to_be_focused()
    expect(page.locator("#empty-title")).to_have_text("No matching games")
    page.select_option("#level", "")
    expect(first).to_contain_text(str(121 - len(expert)))


@pytest.mark.slow
def test_import_shows_progress_and_can_be_cancelled(
    new_context: Contexts, server: Server, tmp_path: Path
) -> None:
    """A cancelled import adds nothing; the next one does, and its progress bar disappears."""
    page = new_context().new_page()
    page.goto(server.url + "history")
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(played(seed).to_json()) for seed in (1, 2)))
    page.route("**/api/history/import", lambda route: None)
    page.set_input_files("#import", file)
    expect(page.locator("#import-progress")).to_be_visible()
    expect(page.locator("#import-games")).to_have_text("0 games checked")
    expect(page.locator("#import")).to_be_disabled()
    page.focus("#cancel-import")
    page.keyboard.press("Enter")
    expect(page.locator("#data-said")).to_have_text("Cancelled. Nothing was changed.")
    expect(page.locator("#import")).to_be_focused()
    page.unroute("**/api/history/import")
    page.set_input_files("#import", file)
    expect(page.locator("#data-said")).to_have_text("2 games imported.", timeout=300_000)
    expect(page.locator("#importing")).to_be_hidden()


def test_measuring_keeps_focus_and_menus(new_context: Contexts, server: Server) -> None:
    """While the page refreshes, its link stays focused and open menus stay open."""
    page = new_context().new_page()
    page.clock.install()
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    with History(Path(server.home) / "play.sqlite3", owner_of(page)) as history:
        history.add_all(replace(made_up(n), bot="", helped="", player="") for n in range(3))

    def measuring(route: Route) -> None:
        found = route.fetch(timeout=300_000).json()
        found["statistics"]["unmeasured"] = 1
        route.fulfill(json=found)

    page.route("**/api/history/statistics?*", measuring)
    page.goto(server.url + "history")
    expect(page.locator("#measuring")).to_contain_text("1 game")
    link = page.locator("#games a").nth(2)
    link.focus()
    page.evaluate("() => { window.before = document.querySelector('#games table'); }")
    page.evaluate("() => { window.option = document.querySelector('#level option'); }")
    page.clock.run_for(4_000)
    page.wait_for_function("() => !window.before.isConnected")
    expect(link).to_be_focused()
    assert page.evaluate("() => window.option.isConnected")


@pytest.mark.slow
def test_page_waits_for_the_server(new_context: Contexts, tmp_path: Path) -> None:
    """The page reports that the server is gone, keeps its content, and later shows the last win."""
    page = new_context().new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "history")
        expect(page.locator("#empty")).to_be_visible()
        page.goto(own.url + "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact")
        # Wait for this board: the page is ready earlier, but with another one.
        page.wait_for_selector("#mines[aria-label='Mines left: 0']")
        page.locator(".cell").first.click()
        page.wait_for_selector("body[data-status=won]")
        own.stop(kill=True)
        own.start()
        page.goto(own.url + "history")
        figures = page.locator("#figures div").first
        expect(figures).to_contain_text("1 won")
        own.stop()
        page.select_option("#period", "7")
        expect(page.locator("#banner")).to_contain_text("not running")
        expect(figures).to_contain_text("1 won")
        own.start()
        expect(page.locator("#banner")).to_be_hidden()


@pytest.mark.parametrize("phone", [False, slow(True)])
def test_games_are_sorted_by_any_column(new_context: Contexts, server: Server, phone: bool) -> None:
    """Games are sorted by column headings, or a list on a phone; a second click reverses them."""
    size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    page = new_context(viewport=size).new_page()
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    with History(Path(server.home) / "play.sqlite3", owner_of(page)) as history:
        history.add_all(replace(made_up(n), bot="", helped="", player="") for n in range(60))
    page.goto(server.url + "history")
    games = page.locator("#games")
    expect(games.locator("tbody tr").first).to_be_visible()

    def figures() -> list[int]:
        texts = games.locator("tbody td[data-label='3BV']").all_inner_texts()
        return [int(text.replace("3BV", "")) for text in texts]

    before = figures()
    if phone:
        games.locator(".sort-field select").select_option("bbbv")
    else:
        games.locator("th button", has_text="3BV").first.click()
        expect(games.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    expect(games.locator("tbody tr").first).to_be_visible()
    page.wait_for_function(
        "() => { const found = [...document.querySelectorAll(\"#games td[data-label='3BV']\")]"
        ".map((cell) => Number(cell.textContent)); "
        "return found.every((value, at) => !at || value <= found[at - 1]); }"
    )
    assert figures()[0] > min(before)
    if not phone:
        games.locator("th[aria-sort] button").click()
        expect(games.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
        return
    # Every figure has a label beside it.
    label = "(cell) => getComputedStyle(cell, '::before').content"
    assert games.locator("td[data-label='3BV']").first.evaluate(label) == '"3BV"'


@pytest.mark.slow
def test_dropped_replays_are_imported_and_rejected_ones_listed(
    new_context: Contexts, server: Server, tmp_path: Path
) -> None:
    """Players in imported replays can be selected; importing again finds duplicates."""
    page = new_context().new_page()
    (tmp_path / "cut.avf").write_bytes((FOLDER / "expert.avf").read_bytes()[:300])
    files = [
        str(FOLDER / "expert.avf"),
        str(FOLDER / "chinese_name.avf"),
        str(tmp_path / "cut.avf"),
    ]
    page.goto(server.url + "history")
    expect(page.locator("#empty")).to_be_visible()
    page.set_input_files("#import", files)
    expect(page.locator("#data-said")).to_have_text("2 games imported. 1 file was rejected:")
    expect(page.locator("#import-refused li")).to_have_count(1)
    expect(page.locator("#import-refused li")).to_contain_text("cut.avf: ")
    expect(page.locator("#games tbody tr")).to_have_count(2)
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.write(FOLDER / "expert.avf", "expert.avf")
        for name, text in (("empty.avf", ""), ("notes.txt", "I won"), ("todo.txt", "Expert")):
            archive.writestr(name, text)
    page.set_input_files("#import", tmp_path / "games.zip")
    expect(page.locator("#data-said")).to_have_text(
        "0 games imported. 1 was already there. 2 files were skipped (not a replay). "
        "1 file was rejected:"
    )
    expect(page.locator("#import-refused li")).to_have_text(["empty.avf: the file is empty"])
    data = [list((FOLDER / "expert.avf").read_bytes())]
    dropped = page.evaluate_handle(_DROPPED, data)
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    expect(page.locator("#data-said")).to_have_text("0 games imported. 1 was already there.")
    player = load(FOLDER / "chinese_name.avf").info.player
    page.select_option("#who", label=f"{player} (imported)")
    expect(page.locator("#games tbody tr")).to_have_count(1)
