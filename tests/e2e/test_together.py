"""People in separate browsers race, share a board, play Flags, watch, and lose the connection."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.hand import cell, click_unopened, name, names, next_cells, open_cell, settle
from e2e.holding import HoldingSent
from e2e.languages import TIGHT
from e2e.running import Server

Contexts = Callable[..., BrowserContext]

_UNOPENED = "#grid [aria-label$=', unopened']"
_SMALL = {"level": "6x6:5", "rules": "no-guess"}
_RACE = _SMALL | {"countdown_ms": 0}


class Room:
    """A room made by the first of several browsers.

    Args:
        contexts: Makes the browsers.
        server: The server.
        kind: The kind of room.
        settings: Its settings.
        bots: The strengths of its bots.
    """

    def __init__(
        self,
        contexts: Contexts,
        server: Server,
        kind: str,
        settings: Any,
        bots: tuple[str, ...] = (),
    ) -> None:
        self._contexts, self._server = contexts, server
        context = contexts()
        data = {"kind": kind, "settings": settings, "public": True, "bots": list(bots)}
        made = context.request.post(f"{server.url}api/rooms", data=data)
        assert made.ok, made.text()
        self.code = made.json()["code"]
        self.host = self._open(context)

    def _open(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(f"{self._server.url}r/{self.code}")
        page.wait_for_selector("body[data-status]")
        return page

    def join(self, button: str = "#join") -> Page:
        """Join in another browser with one click."""
        page = self._open(self._contexts())
        page.click(button)
        page.wait_for_selector("body[data-seat=player], body[data-seat=watcher]")
        return page

    def start(self) -> None:
        """Start the game.

        On a small board the bots may win before the page has drawn a running game.
        """
        self.host.click("#start")
        self.host.wait_for_selector("body:not([data-status=waiting]):not([data-status=countdown])")


@pytest.fixture
def room(new_context: Contexts, server: Server) -> Callable[..., Room]:
    """Make a room in a new browser."""

    def make(kind: str, settings: Any, *bots: str) -> Room:
        return Room(new_context, server, kind, settings, bots)

    return make


@needs_axe
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "scheme"),
    [("race", "light"), ("race", "dark"), ("shared", "dark"), ("flags", "light")],
)
def test_a_room_has_no_violation(
    new_context: Contexts, server: Server, kind: str, scheme: str
) -> None:
    """The invitation, the lobby, the game with its watchers, the result and the replay."""

    def contexts() -> BrowserContext:
        return new_context(color_scheme=scheme)

    settings = {"race": _RACE | {"freeze_ms": 0}, "shared": _SMALL, "flags": {"level": "6x6:5"}}
    made = Room(contexts, server, kind, settings[kind], ("master",))
    host, guest = made.host, made.join("#watch")
    for page in (host, guest):
        expect_accessible(page)
    made.start()
    for page in (host, guest):
        expect_accessible(page)
    while host.locator("#show-replay").is_hidden():
        any(click_unopened(host, row, col) for row in range(6) for col in range(6))
        settle(host)
    expect_accessible(host)
    host.click("#show-replay")
    expect(host.locator(".boards section").first).to_be_visible()
    expect_accessible(host)


_CUT = Path(__file__).with_name("cut_texts.js").read_text("utf-8")
_TWO_FRAMES = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
)
# Turning a window or a phone gives another layout of the same page.
_DEVICES: dict[str, tuple[dict[str, Any], list[ViewportSize]]] = {
    "mouse": ({}, [{"width": 1440, "height": 900}, {"width": 1024, "height": 768}]),
    "touch": (
        {"has_touch": True, "is_mobile": True},
        [{"width": 390, "height": 844}, {"width": 844, "height": 390}],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "device"),
    [*((one, "touch") for one in TIGHT), ("de", "mouse")],
)
def test_no_text_of_a_room_is_truncated(
    new_context: Contexts, server: Server, language: str, device: str
) -> None:
    """The lobby and a game of each kind fit, for players and watchers."""
    options, sizes = _DEVICES[device]

    def contexts() -> BrowserContext:
        context = new_context(viewport=sizes[0], **options)
        cookie = {"name": "sapper-language", "value": language, "url": server.url}
        context.add_cookies([cookie])
        return context

    cut: dict[str, list[str]] = {}

    def check(part: str, page: Page) -> None:
        for size in [*sizes[1:], sizes[0]]:
            page.set_viewport_size(size)
            page.evaluate(_TWO_FRAMES)
            cut[f"{part} at {size['width']}"] = page.evaluate(_CUT)

    # Boards on which no bot wins while the text is read.
    shared, flags = {"level": "intermediate", "rules": "no-guess"}, {"level": "16x16:51"}
    for kind, settings in {"race": _RACE, "shared": shared, "flags": flags}.items():
        made = Room(contexts, server, kind, settings, ("master",))
        guest = made.join("#watch")
        check(f"{kind} lobby", made.host)
        check(f"{kind} lobby, watching", guest)
        made.start()
        check(f"{kind} game", made.host)
        check(f"{kind} game, watching", guest)
    assert not {part: texts for part, texts in cut.items() if texts}


def _solve(page: Page, mines: int) -> None:
    """Open all safe cells of a board that needs no guesses, until the game ends."""
    while page.locator("body").get_attribute("data-status") in ("racing", "playing"):
        cells = [at for at in next_cells(page, mines) if name(page, *at) == "unopened"]
        for at in cells:
            cell(page, *at).click()
            page.wait_for_function(
                "([row, col]) => document.body.dataset.status !== 'racing' && "
                "document.body.dataset.status !== 'playing' || !document.querySelector("
                "`#grid [data-row='${row}'][data-col='${col}']`)"
                ".getAttribute('aria-label').endsWith('unopened')",
                arg=list(at),
            )
        if page.locator("smiley-face[data-mood=won]").count():
            return


_SCROLLS = """() => {
    const well = document.getElementById("well");
    return [well.scrollWidth > well.clientWidth, well.scrollHeight > well.clientHeight];
}"""


def _own_name(page: Page) -> str:
    """Return the name of the player in this window."""
    return page.locator("#people .own .who b").inner_text()


def _agree(one: Page, other: Page) -> None:
    """Wait until both pages show the same board."""
    while names(one) != names(other):
        other.evaluate("() => new Promise(requestAnimationFrame)")


def test_one_click_makes_a_race_and_a_link_joins_it(new_context: Contexts, server: Server) -> None:
    """A room is listed only if its maker wants that; a newcomer joins with the code and a click."""
    ann = new_context().new_page()
    ann.goto(f"{server.url}together")
    expect(ann.locator("#public")).not_to_be_checked()
    ann.check("#public")
    ann.click("#create")
    ann.wait_for_url("**/r/*")
    expect(ann.locator("#start")).to_be_disabled()
    code = ann.url.rpartition("/")[2]
    bob = new_context().new_page()
    bob.goto(f"{server.url}together")
    expect(bob.locator(f"#rooms [data-code='{code}']")).to_contain_text("1 of 50 players")
    bob.fill("#code", "no")
    bob.keyboard.press("Enter")
    expect(bob.locator("#code-error")).to_be_visible()
    bob.fill("#code", code.lower())
    bob.keyboard.press("Enter")
    expect(bob.locator("#people li")).to_have_count(1)
    bob.click("#join")
    expect(ann.locator("#people li")).to_have_count(2)
    bob.click("[aria-label='Good luck!']")
    expect(ann.locator(".said:not([hidden])")).to_have_text("🍀 Good luck!")
    bob.keyboard.press("?")
    expect(bob.locator("#help-box")).to_be_visible()
    bob.keyboard.press("Escape")
    expect(bob.locator("#help-box")).to_be_hidden()
    ann.click("#start")
    expect(bob.locator("#curtain")).to_be_visible()


def test_a_link_is_shared_or_copied_and_has_a_qr_code(
    new_context: Contexts, server: Server, room: Callable[..., Room]
) -> None:
    """Browsers that can share links get a Share button; the others copy the link."""
    host = room("race", _RACE).host
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share = host.locator("#share")
    expect(share).to_have_text("Copy link")
    share.click()
    expect(share).to_have_text("Copied")
    link = host.locator("#address").input_value()
    assert host.evaluate("navigator.clipboard.readText()") == link == host.url
    host.click("#qr summary")
    expect(host.locator("#qr-code")).to_have_attribute("src", re.compile("qr.svg$"))
    # Fails if the picture cannot be shown.
    host.locator("#qr-code").evaluate("(picture) => picture.decode()")
    context = new_context()
    context.add_init_script("navigator.share = async (data) => { window.shared = data.url; };")
    other = context.new_page()
    other.goto(link)
    expect(other.locator("#share")).to_have_text("Share")
    expect(other.locator("#copy-label")).to_have_text("Share")
    other.click("#share")
    assert other.evaluate("window.shared") == link


def test_two_browsers_race_and_a_third_watches(room: Callable[..., Room]) -> None:
    """A reload keeps the board, and the replay shows both boards."""
    race = room("race", _RACE)
    ann, bob = race.host, race.join()
    watcher = race.join("#watch")
    ann.click("#start")
    for page in (ann, bob):
        page.wait_for_selector("body[data-status=racing]")
    assert names(ann) == names(bob)
    row, col = next_cells(bob, 5)[0]
    open_cell(bob, row, col)
    assert names(ann) != names(bob)
    before = names(bob)
    bob.reload()
    bob.wait_for_selector("body[data-status=racing]")
    assert names(bob) == before
    _solve(ann, 5)
    expect(ann.locator("#status")).to_contain_text("Finished in")
    ann.locator("#grid [role=gridcell]").first.click(button="right")
    assert "Finished in" in ann.locator("#status").inner_text()
    expect(watcher.locator("#watching li").first).to_contain_text("100 %")
    expect(watcher.locator("#console")).to_be_hidden()
    _solve(bob, 5)
    expect(bob.locator("#people li").last).to_contain_text("2.")
    expect(ann.locator("#status")).to_contain_text("You won in")
    # The buttons leave the whole board in view.
    expect(ann.locator("#again")).to_be_visible()
    assert ann.evaluate(_SCROLLS) == [False, False]
    watcher.click("#show-replay")
    expect(watcher.locator(".boards section")).to_have_count(2)
    watcher.locator(".boards a").first.click()
    expect(watcher.locator("#headline")).to_contain_text("Won")
    # The next race ends the replay of the last one.
    bob.click("#show-replay")
    expect(bob.locator(".boards section")).to_have_count(2)
    ann.click("#again")
    expect(ann.locator("#again")).to_have_text("Start now")
    ann.click("#again")
    bob.wait_for_selector("body[data-status=racing]")
    expect(bob.locator("#replay-part")).to_be_hidden()
    expect(bob.locator("#console")).to_be_visible()


def test_a_countdown_stops_for_a_player_left_alone(room: Callable[..., Room]) -> None:
    """The page says so, and the next player who joins can race."""
    race = room("race", _SMALL | {"countdown_ms": 60_000})
    ann, bob = race.host, race.join()
    ann.click("#start")
    bob.wait_for_selector("body[data-status=countdown]")
    bob.click("#leave")
    expect(ann.locator("body")).to_have_attribute("data-status", "waiting")
    expect(ann.locator("#gate-title")).to_have_text("The others have left")
    expect(ann.locator("#status")).to_contain_text("waits for another player")
    expect(ann.locator("#curtain")).to_be_hidden()
    expect(ann.locator("#start")).to_be_disabled()
    race.join()
    expect(ann.locator("#gate-title")).to_have_text("Waiting for players")
    expect(ann.locator("#status")).to_be_empty()
    expect(ann.locator("#start")).to_be_enabled()


def test_friends_tell_guests_apart_in_every_room(new_context: Contexts, server: Server) -> None:
    """A guest has the same nickname in all rooms, shown in each reader's language."""
    ann, bob = new_context(), new_context(locale="de-DE")
    seen = []
    for _ in range(2):
        made = ann.request.post(f"{server.url}api/rooms", data={"kind": "race"})
        pages = []
        for context in (ann, bob):
            page = context.new_page()
            page.goto(f"{server.url}r/{made.json()['code']}")
            page.wait_for_selector("body[data-seat]")
            if page.locator("#join").is_visible():
                page.click("#join")
            page.wait_for_selector("body[data-seat=player]")
            pages.append(page)
        english, german = pages
        expect(english.locator("#people li")).to_have_count(2)
        own, other = _own_name(english), english.locator("#people li:not(.own) b").inner_text()
        assert own != other
        assert re.fullmatch(r"[A-Z][a-z]+ [a-z]+", own)
        assert re.fullmatch(r"[A-ZÄÖÜ][a-zäöü]+ \([a-zäöüß]+\)", _own_name(german))
        seen.append((own, other, _own_name(german)))
    assert seen[0] == seen[1]


def test_a_race_of_a_tournament_leads_back_to_it(room: Callable[..., Room]) -> None:
    """The page has no start button, invitation or bots, because the tournament starts the race."""
    page = room("race", _RACE, "novice").host
    expect(page.locator("#start")).to_be_visible()
    page.goto(f"{page.url}?t=K7QM3X")
    page.wait_for_selector("body[data-status]")
    expect(page.locator("#start-note")).not_to_be_empty()
    for name_of in ("#start", "#gate-link", "#bots"):
        expect(page.locator(name_of)).to_be_hidden()
    expect(page.locator("#all-rooms")).to_have_attribute("href", "/t/K7QM3X")


def test_a_mine_freezes_the_board(room: Callable[..., Room]) -> None:
    """Clicks during the freeze have no effect, and the curtain shows the seconds left."""
    race = room("race", _RACE | {"freeze_ms": 60_000}, "novice")
    page = race.host
    page.click("#start")
    page.wait_for_selector("body[data-status=racing]")
    while page.locator("#curtain[data-look=freeze]").count() == 0:
        page.locator(_UNOPENED).last.click()
        settle(page)
    expect(page.locator("#curtain")).to_be_visible()
    before = names(page)
    page.locator(_UNOPENED).first.click()
    expect(page.locator("#status")).to_contain_text("Frozen for")
    assert names(page) == before


@pytest.mark.slow
def test_two_browsers_clear_one_board(room: Callable[..., Room]) -> None:
    """Both see who opened and flagged a cell, and the other's pointer."""
    shared = room("shared", _SMALL)
    ann, bob = shared.host, shared.join()
    ann.click("#start")
    for page in (ann, bob):
        page.wait_for_selector("body[data-status=playing]")
    row, col = next_cells(ann, 5)[0]
    open_cell(ann, row, col)
    seen = cell(bob, row, col)
    guest = _own_name(ann)
    expect(seen).to_have_attribute("aria-description", f"by {guest}")
    expect(bob.locator(".pointers span")).to_have_text(guest)
    # The name of a pointer at the edge does not make the board scroll.
    cell(ann, 5, 5).hover()
    expect(bob.locator(".pointers .leftwards.upwards")).to_have_count(1)
    assert bob.evaluate(_SCROLLS) == [False, False]
    hidden = bob.locator(_UNOPENED).first
    at = hidden.evaluate("one => [Number(one.dataset.row), Number(one.dataset.col)]")
    hidden.click(button="right")
    expect(cell(ann, *at)).to_have_class("cell closed flag owned by-1")
    cell(ann, *at).click(button="right")
    expect(cell(bob, *at)).to_have_class("cell closed")
    _solve(bob, 5)
    expect(ann.locator("#status")).to_contain_text("The board was opened in")


def test_a_click_at_the_end_leaves_the_result_on_the_status_line(
    room: Callable[..., Room],
) -> None:
    """Neither a click after the end nor one that reaches the server too late replaces it."""
    shared = room("shared", _SMALL)
    ann, bob = shared.host, shared.join()
    late = HoldingSent(ann, "**/ws/rooms/*")
    ann.click("#start")
    for page in (ann, bob):
        page.wait_for_selector("body[data-status=playing]")
    late.hold()
    ann.locator(_UNOPENED).first.click(button="right")
    ann.locator(_UNOPENED).last.click()
    expect(ann.locator(".cell.down")).not_to_have_count(0)
    _solve(bob, 5)
    expect(ann.locator("#status")).to_contain_text("The board was opened in")
    result = ann.locator("#status").inner_text()
    late.let_go()
    settle(ann)
    assert ann.locator("#status").inner_text() == result
    ann.locator("#grid [role=gridcell]").first.click()
    assert ann.locator("#status").inner_text() == result
    # Taps flag nothing now; the next game has the switch again.
    expect(ann.locator("#flag-mode")).to_have_attribute("hidden", "")
    for page in (bob, ann):
        page.click("#again")
    expect(ann.locator("#flag-mode")).not_to_have_attribute("hidden", "")


@pytest.mark.slow
def test_two_browsers_play_flags(room: Callable[..., Room]) -> None:
    """Turns pass, the armed bomb shows its cells, and the review lists every move."""
    flags = room("flags", {"level": "6x6:5"})
    players = [flags.host, flags.join()]
    flags.host.click("#start")
    for page in players:
        page.wait_for_selector("body[data-status=playing]")
    bombs = 0
    while flags.host.locator("body").get_attribute("data-status") == "playing":
        page = next(one for one in players if one.locator("#people .own.turn").count())
        before = page.locator(_UNOPENED).count()
        if page.locator("#bomb").is_enabled():
            page.keyboard.press("b")
            page.locator(_UNOPENED).first.hover()
            expect(page.locator(".cell.bombed").nth(8)).to_be_visible()
            page.locator(_UNOPENED).first.click()
            bombs += 1
        else:
            page.locator(_UNOPENED).first.click()
        expect(page.locator(_UNOPENED)).not_to_have_count(before)
        _agree(*players)
    assert 0 < bombs <= 2
    for page in players:
        expect(page.locator("#status")).to_contain_text("won")
    flags.host.click("#show-replay")
    expect(flags.host.locator(".flags-review tbody tr").first).to_be_visible()


def test_the_loser_asks_for_a_rematch(room: Callable[..., Room]) -> None:
    """Both see who has asked and who has not; the rematch starts once both have asked."""
    flags = room("flags", {"level": "6x6:1"})
    ann, bob = flags.host, flags.join()
    ann.click("#start")
    for page in (ann, bob):
        page.wait_for_selector("body[data-status=playing]")
    while ann.locator("body").get_attribute("data-status") == "playing":
        page = next(one for one in (ann, bob) if one.locator("#people .own.turn").count())
        before = page.locator(_UNOPENED).count()
        page.locator(_UNOPENED).first.click()
        expect(page.locator(_UNOPENED)).not_to_have_count(before)
        _agree(ann, bob)
    for page in (ann, bob):
        expect(page.locator("#again")).to_have_text("Rematch")
    won = ann.locator("#status").inner_text() == "You won!"
    one, other = (bob, ann) if won else (ann, bob)
    asker, waited = _own_name(one), _own_name(other)
    one.click("#again")
    expect(one.locator("#rematch-note")).to_have_text(f"Waiting for {waited}.")
    expect(one.locator("#again")).to_be_disabled()
    expect(other.locator("#rematch-note")).to_have_text(f"{asker} wants a rematch.")
    expect(other.locator("#spoken")).to_have_text(f"{asker} wants a rematch.")
    expect(other.locator("#people li:not(.own) small")).to_contain_text("wants a rematch")
    other.click("#again")
    for page in (ann, bob):
        page.wait_for_selector("body[data-status=playing]")
        expect(page.locator("#again")).to_be_hidden()


@pytest.mark.slow
def test_a_race_survives_a_crash_of_the_server(new_context: Contexts, tmp_path: Path) -> None:
    """The page reconnects by itself, and the board and the opponents are still there."""
    with Server(tmp_path / "home") as server:
        race = Room(new_context, server, "race", _RACE, ("novice", "novice"))
        page = race.host
        page.click("#start")
        page.wait_for_selector("body[data-status=racing]")
        row, col = next_cells(page, 5)[0]
        open_cell(page, row, col)
        before = names(page)
        server.stop(kill=True)
        expect(page.locator("#banner")).to_contain_text("Reconnecting")
        server.start()
        expect(page.locator("#banner")).to_be_hidden()
        page.wait_for_selector("body[data-line=open][data-status=racing]")
        assert names(page) == before
        expect(page.locator("#people li")).to_have_count(3)
        _solve(page, 5)
        # The status line depends on whether the bots have finished by now.
        expect(page.locator("smiley-face[data-mood=won]")).to_be_visible()


def test_a_stranger_waits_until_the_host_agrees(room: Callable[..., Room]) -> None:
    """The host lets someone play, removes someone, and locks the room."""
    made = room("shared", _SMALL)
    made.start()
    stranger = made.join("#join")
    expect(stranger.locator("body")).to_have_attribute("data-seat", "watcher")
    expect(stranger.locator("#status")).to_contain_text("until the host lets you play")
    host = made.host
    expect(host.locator("#asking")).to_contain_text(" wants to play")
    host.locator("#asking button").click()
    expect(stranger.locator("body")).to_have_attribute("data-seat", "player")
    remove = host.locator("#people li:not(.own) button")
    remove.click()
    expect(remove).to_have_text("Remove?")
    remove.click()
    expect(stranger.locator("#empty-title")).to_have_text("Removed")
    host.click("#lock")
    expect(host.locator("#lock")).to_have_text("Unlock room")
    other = made._open(made._contexts())
    expect(other.locator("#start-note")).to_have_text("This room is locked.")
    expect(other.locator("#join")).to_be_hidden()
    host.click("#lock")
    expect(other.locator("#join")).to_be_enabled()


def test_players_vote_someone_out(room: Callable[..., Room]) -> None:
    """The votes are shown, and the second one of three players is enough."""
    made = room("shared", _SMALL)
    second, third = made.join(), made.join()
    for page in (second, third):
        remove = page.locator("#people li:has-text('host') button")
        remove.click()
        expect(remove).to_have_text("Vote out?")
        remove.click()
    expect(made.host.locator("#empty-title")).to_have_text("Removed")
    expect(second.locator("#people li")).to_have_count(2)
