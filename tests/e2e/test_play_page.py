"""The play page for speed players, newcomers and phone users."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, names, open_cell, round_trip, settle, status, win
from e2e.holding import Holding
from e2e.running import Server
from e2e.static_site import on_both, on_both_slowly
from support.marks import slow

Visit = Callable[..., Page]

_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_SIDE = {**_PHONE, "viewport": {"width": 844, "height": 390}}
_TINY = {**_PHONE, "viewport": {"width": 320, "height": 568}}

# The centre of the top row is a mine and the corners are safe; the 1 below touches all three.
_ONE_MINE = "#rules=classic&size=3x3:1&position=c111000"


@pytest.mark.parametrize(
    "focus", ["#rules", *map(slow, ("#new-game", "#mode [value=solo]", "#theme", "summary"))]
)
@on_both_slowly
@pytest.mark.family
def test_keys_work_with_any_focus(visit: Visit, focus: str) -> None:
    """N and U work without changing the focused control."""
    page = visit()
    open_cell(page, 4, 4)
    page.locator(focus).first.focus()
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    assert page.locator("#rules").input_value() == "classic"
    page.keyboard.press("?")
    expect(page.locator("#card h2")).to_have_text("How to play")


@on_both_slowly
def test_letters_typed_into_a_field_are_text(visit: Visit) -> None:
    """A number field receives the keys typed into it."""
    page = visit()
    open_cell(page, 4, 4)
    before = names(page)
    page.check("#level [value=custom]")
    page.locator("#custom-mines").focus()
    page.keyboard.press("n")
    round_trip(page)
    assert names(page) == before


@pytest.mark.parametrize(
    ("first", "second", "released"),
    [
        ("left", "right", "first"),
        slow("left", "right", "second"),
        slow("right", "left", "first"),
        slow("right", "left", "second"),
    ],
)
@on_both_slowly
@pytest.mark.family
def test_both_buttons_chord_on_the_first_release(
    visit: Visit, first: Any, second: Any, released: str
) -> None:
    """The buttons can be pressed in any order; the second release does nothing."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 0, 1).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    # The flag is drawn before the server answers, and the answer redraws the board.
    round_trip(page)
    cell(page, 1, 1).hover()
    page.mouse.down(button=first)
    page.mouse.down(button=second)
    expect(page.locator(".cell.down")).to_have_count(2)
    up = (first, second) if released == "first" else (second, first)
    page.mouse.up(button=up[0])
    expect(cell(page, 0, 0)).not_to_have_attribute("aria-label", "row 1, column 1, unopened")
    page.mouse.up(button=up[1])
    page.wait_for_selector("body[data-status=won]")


@on_both_slowly
def test_flag_and_chord_in_one_and_a_half_clicks(visit: Visit) -> None:
    """Pressing right on the mine, sliding to the number and pressing left flags and chords."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 0, 1).hover()
    page.mouse.down(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    cell(page, 1, 1).hover()
    page.mouse.down(button="left")
    page.mouse.up(button="left")
    page.wait_for_selector("body[data-status=won]")
    page.mouse.up(button="right")


@on_both_slowly
def test_the_middle_button_chords(visit: Visit) -> None:
    """Holding the button sinks the cells, and releasing it opens them."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 0, 1).click(button="right")
    cell(page, 1, 1).click(button="middle")
    page.wait_for_selector("body[data-status=won]")


@pytest.mark.slow
@on_both
def test_cursor_ring_is_shown_for_the_keyboard_only(visit: Visit) -> None:
    """An arrow key shows the cursor ring, and a click hides it."""
    page = visit()
    ring = "() => getComputedStyle(document.activeElement).outlineStyle"
    cell(page, 0, 0).click(button="right")
    assert page.evaluate(ring) == "none"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(ring) == "solid"
    cell(page, 2, 2).click(button="right")
    assert page.evaluate(ring) == "none"


_DEVICES = pytest.mark.parametrize(
    "device", [slow(_PHONE), _SIDE, _TINY], ids=["portrait", "landscape", "tiny"]
)


@_DEVICES
@on_both_slowly
@pytest.mark.family
def test_a_phone_shows_the_whole_of_beginner_and_its_buttons(
    visit: Visit, device: dict[str, Any]
) -> None:
    """The board and the buttons are fully visible, but not the key names."""
    page = visit(**device)
    size = device["viewport"]
    for selector in ("#well", "#flag-mode", "#thumb-hint", "#thumb-undo", "#sheet", "#level"):
        box = page.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    assert page.evaluate(
        "() => { const w = document.querySelector('#well');"
        " return w.scrollWidth <= w.clientWidth && w.scrollHeight <= w.clientHeight; }"
    )
    assert page.locator("kbd:visible").count() == 0
    page.tap("#help")
    expect(page.locator("#card")).to_contain_text("Long press")
    assert "Right click" not in page.locator("#card").inner_text()


@_DEVICES
@on_both_slowly
@pytest.mark.family
def test_hint_on_a_phone_keeps_its_cells_visible(visit: Visit, device: dict[str, Any]) -> None:
    """The bar that gives the reason covers neither the suggested cell nor its proof."""
    page = visit("#rules=classic&size=3x3:1&position=c111000", **device)
    page.wait_for_selector("body[data-status=playing]")
    page.tap("#thumb-hint")
    expect(page.locator("#reason #card h2")).to_have_text("Row 1, column 1 is safe")
    bar = page.locator("#reason").bounding_box()
    assert bar is not None
    for box in (one.bounding_box() for one in page.locator(".hinted, .proving").all()):
        assert box is not None
        apart = box["y"] + box["height"] <= bar["y"] or box["x"] + box["width"] <= bar["x"]
        assert apart
    page.tap("#card .close")
    expect(page.locator("#card")).to_be_hidden()


@pytest.mark.slow
@on_both
def test_a_tap_outside_the_sheet_closes_it_and_plays_nothing(visit: Visit) -> None:
    """A tap outside the sheet does not open the cell under it."""
    page = visit(**_PHONE)
    page.tap("#sheet")
    expect(page.locator("#panel")).to_be_visible()
    box = cell(page, 0, 4).bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    expect(page.locator("#panel")).to_be_hidden()
    round_trip(page)
    assert status(page) == "ready"


@on_both_slowly
def test_pinching_out_shows_all_of_expert(visit: Visit) -> None:
    """Cells shrink until the whole board fits on the screen."""
    page = visit(**_PHONE)
    choose(page, "expert")
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        points = [
            {"x": 195 - apart / 2, "y": 300, "id": 0},
            {"x": 195 + apart / 2, "y": 300, "id": 1},
        ]
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": points if kind != "touchEnd" else []},
        )

    fingers("touchStart", 300)
    fingers("touchMove", 60)
    fingers("touchEnd", 0)
    page.wait_for_function(
        "() => { const w = document.querySelector('#well');"
        " return w.scrollWidth <= w.clientWidth && w.scrollHeight <= w.clientHeight; }"
    )


@pytest.mark.slow
def test_mentioned_cell_has_labels_and_a_highlight(visit: Visit) -> None:
    """Rows and columns are labelled from 1 while a message names them; hovering marks the cell."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    page.keyboard.press("h")
    expect(page.locator("#card h2 .place")).to_have_text("Row 1, column 1")
    labels = page.locator("#edge-labels span").all_inner_texts()
    assert sorted(labels) == ["1", "1", "2", "2", "3"]
    page.locator("#card p .place", has_text="row 2, column 3").first.hover()
    assert "named" in (cell(page, 1, 2).get_attribute("class") or "")
    page.keyboard.press("Escape")
    page.locator("#mode").hover()
    expect(page.locator(".cell.named")).to_have_count(0)


@pytest.mark.slow
def test_labels_of_neighbouring_columns_do_not_overlap(visit: Visit) -> None:
    """If cells are smaller than a label, neighbouring columns share one."""
    page = visit("#rules=classic&size=12x3:2&position=000000001c000000001121000000000000")
    page.wait_for_selector("body[data-status=playing]")
    for _ in range(20):
        page.keyboard.press("-")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 11 is safe")
    expect(page.locator("#edge-labels span").last).to_have_text("9–11")
    boxes = [label.bounding_box() for label in page.locator("#edge-labels span").all()]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert one
            assert other
            beside = (
                one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            )
            above = (
                one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            )
            assert beside or above


@pytest.mark.slow
def test_every_letter_works_with_a_list_focused(visit: Visit) -> None:
    """H, ?, A, P and S keep their actions instead of selecting a list entry."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")

    def press(key: str) -> None:
        page.locator("#rules").focus()
        page.keyboard.press(key)

    press("h")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is safe")
    press("?")
    expect(page.locator("#card h2")).to_have_text("How to play")
    page.keyboard.press("Escape")
    page.click("#mode >> text=Assisted")
    expect(page.locator("#overlay input:checked")).to_have_value("chances")
    press("a")
    expect(page.locator("#overlay input:checked")).to_have_value("none")
    page.click("#mode >> text=Automatic")
    # Steps are refused until the server has switched the mode.
    expect(page.locator("#automatic")).to_be_visible()
    press("s")
    expect(page.locator("#bot-log li")).not_to_have_count(0)
    press("p")
    page.wait_for_selector("body[data-status=won]")
    expect(page.locator("#rules")).to_have_value("classic")


@pytest.mark.slow
def test_a_loss_on_a_phone_is_explained_over_the_thumbs(visit: Visit) -> None:
    """Why? opens the reason in the bar, and the named cell is visible."""
    page = visit("#rules=kaboom&size=6x4:3&position=00000001110013a200c20a", **_TINY)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 3, 0).tap()
    page.wait_for_selector("body[data-status=lost]")
    expect(page.locator("#thumb-hint")).to_have_text("Why?")
    page.tap("#thumb-hint")
    expect(page.locator("#reason #card h2")).to_have_text("Lost at row 4, column 1")
    bar, hit, well = (page.locator(one).bounding_box() for one in ("#reason", ".cell.hit", "#well"))
    assert bar
    assert hit
    assert well
    assert well["y"] <= hit["y"]
    assert hit["y"] + hit["height"] <= min(bar["y"], well["y"] + well["height"] + 1)


@pytest.mark.slow
def test_why_is_answered_on_arrival(visit: Visit) -> None:
    """If Why? is tapped early, the reason is shown as soon as it arrives."""
    page = visit("#rules=kaboom&size=6x4:3&position=00000001110013a200c20a", **_TINY)
    late = Holding(page, "review")
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 3, 0).tap()
    page.wait_for_selector("body[data-status=lost]")
    page.tap("#thumb-hint")
    expect(page.locator("#status")).to_have_text("Thinking…")
    late.let_go()
    expect(page.locator("#reason #card h2")).to_have_text("Lost at row 4, column 1")


@pytest.mark.slow
@on_both
def test_expert_on_a_phone_in_landscape_leaves_room_for_the_rest(visit: Visit) -> None:
    """The board scrolls in its frame; counters, levels and status stay visible."""
    page = visit("#level=expert&rules=classic", **_SIDE)
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    for selector in ("#mines", "#time", "#level", "#status"):
        box = page.locator(selector).bounding_box()
        assert box
        assert box["x"] + box["width"] <= 844
        assert page.locator(selector).evaluate(
            "e => { const b = e.getBoundingClientRect(); const at ="
            " document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
            " return e.contains(at) || at === e; }"
        )


@pytest.mark.slow
def test_a_win_on_the_smallest_phone_hides_no_cell(visit: Visit) -> None:
    """The result replaces the status line and the tally."""
    page = visit("#level=beginner&rules=classic&seed=5", **_TINY)
    win(page, 10)
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#result-review")).to_be_visible()
    page.wait_for_function(
        "() => { const w = document.querySelector('#well');"
        " return w.scrollHeight <= w.clientHeight; }"
    )


@on_both
def test_shared_position_is_announced(visit: Visit) -> None:
    """The announcement of a shared position does not call it a new game."""
    page = visit(_ONE_MINE)
    page.wait_for_selector("body[data-status=playing]")
    expect(page.locator("#status")).to_have_text("Shared position: continue from here.")


@on_both_slowly
def test_newcomer_sees_the_goal(visit: Visit) -> None:
    """The goal takes one line and one button, and disappears after the first finished game."""
    page = visit()
    expect(page.locator("#status")).to_contain_text("Open every cell without a mine.")
    page.click("#offer-rules")
    expect(page.locator("#rules")).to_have_value("no-guess")
    expect(page.locator("#offer")).to_be_hidden()
    page.evaluate("() => localStorage.setItem('sapper.played', 'yes')")
    page.reload()
    page.wait_for_selector("body[data-status=ready]")
    assert page.locator("#offer").is_hidden()


@pytest.mark.slow
def test_clock_stops_without_the_server(new_context: Any, tmp_path: Any) -> None:
    """Ten minutes without a server do not count; the clock resumes at the server's time."""

    def seconds() -> int:
        label = page.locator("#time").get_attribute("aria-label") or ""
        return int("".join(filter(str.isdigit, label)))

    page = new_context().new_page()
    with Server(tmp_path) as server:
        page.clock.install()
        page.goto(server.url + _ONE_MINE)
        page.wait_for_selector("body[data-status=playing]")
        open_cell(page, 0, 0)
        settle(page)
        # This is longer than the rest of the test takes, even on a very busy machine.
        page.clock.fast_forward(800_000)
        running = seconds()
        assert running >= 800
        server.stop(kill=True)
        page.wait_for_selector("body[data-line=lost]")
        stopped = seconds()
        page.clock.fast_forward(600_000)
        assert seconds() == stopped
        server.start()
        # The page waits a few seconds between its attempts to reconnect.
        page.clock.fast_forward(10_000)
        page.wait_for_selector("body[data-line=open]")
        told = seconds()
        assert told < 800
        page.clock.fast_forward(100_000)
        assert seconds() >= told + 100


def test_the_page_takes_few_requests_and_is_compressed(visit: Visit) -> None:
    """A visit takes at most 15 requests; script and style sheet can be cached forever."""
    page = visit()
    entries = json.loads(
        page.evaluate("() => JSON.stringify(performance.getEntriesByType('resource'))")
    )
    assert len(entries) + 2 <= 15
    for entry in entries:
        if "/assets/" in entry["name"]:
            assert entry["transferSize"] < entry["decodedBodySize"]


@on_both_slowly
def test_the_best_guess_is_ringed_and_far_cells_are_faded(visit: Visit) -> None:
    """If no cell is proved, the best guess is ringed; cells that no number touches are faded."""
    page = visit("#rules=classic&size=5x5:5&position=l1l")
    page.wait_for_selector("body[data-status=playing]")
    page.click("#mode >> text=Assisted")
    page.wait_for_selector(".cell.heat")
    expect(page.locator(".cell.best")).to_have_count(1)
    expect(page.locator(".cell.far")).to_have_count(16)
    assert "far" not in (page.locator(".cell.best").get_attribute("class") or "").split()
    for row, col in ((1, 1), (2, 1), (3, 3)):
        assert "far" not in (cell(page, row, col).get_attribute("class") or "").split()


@on_both_slowly
def test_browser_without_storage_can_play(visit: Visit) -> None:
    """If storage is blocked, choices are not remembered, but everything works."""
    page = visit()
    page.context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('no'); } });"
    )
    page.reload()
    page.wait_for_selector('[role="gridcell"]')
    page.click("#theme")
    open_cell(page, 4, 4)
