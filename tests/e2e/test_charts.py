"""Chart labels in a real browser: each label is the exact value of its tick."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext

from e2e.running import Server

Contexts = Callable[..., BrowserContext]

# The timeline labels for a game without moves, from left to right.
_TIMELINE = """async (ms) => {
    const { Timeline } = await import("/static/js/replay/timeline.js");
    const element = document.createElement("div");
    element.style.cssText = "width: 720px; height: 160px";
    document.body.append(element);
    const replay = { started_ms: 0, ended_ms: ms, steps: [], metrics: { board: { bbbv: 1 } } };
    new Timeline(element, () => {}).show({ replay, fromMs: 0, toMs: ms }, null);
    return [...element.querySelectorAll("text")].map((text) => text.textContent)
        .filter((text) => text.endsWith(" s"));
}"""

# The labels on the vertical axis of the median times, from the bottom up.
_MEDIANS = """async (medians) => {
    const { showCharts } = await import("/static/js/history/charts.js");
    const part = (median, day) => ({
        from: `2026-11-0${day + 1}`, games: 1, won: 1, interval: [0, 1], median_s: median,
    });
    const place = document.createElement("div");
    document.body.append(place);
    showCharts(place, {
        won: medians.length, distribution: { ends: [0, 1, 2], games: [1, 1] },
        trend: medians.map(part), trend_unit: "day",
    });
    return [...place.lastElementChild.querySelectorAll("text[text-anchor=end]")]
        .map((text) => text.textContent).filter((text) => /^[0-9.]+$/.test(text));
}"""


def test_the_time_line_of_a_short_replay_has_exact_labels(
    new_context: Contexts, server: Server
) -> None:
    """A three-second game used to show 0, 1, 1, 2, 2, 3, 3 s."""
    page = new_context(locale="en-GB").new_page()
    page.goto(server.url + "replay")
    for ms, labels in (
        (3000, ["0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s", "2.5 s", "3.0 s"]),
        (340, ["0.00 s", "0.05 s", "0.10 s", "0.15 s", "0.20 s", "0.25 s", "0.30 s"]),
        (47_000, ["0 s", "10 s", "20 s", "30 s", "40 s"]),
    ):
        assert page.evaluate(_TIMELINE, ms) == labels


def test_the_chart_of_median_times_has_exact_labels(new_context: Contexts, server: Server) -> None:
    """Medians up to two seconds used to show 0, 1, 1, 2, 2."""
    page = new_context(locale="en-GB").new_page()
    page.goto(server.url + "history")
    for most, labels in (
        (2, ["0.0", "0.5", "1.0", "1.5", "2.0"]),
        (0.9, ["0.0", "0.2", "0.4", "0.6", "0.8"]),
        (40, ["0", "10", "20", "30", "40"]),
    ):
        assert page.evaluate(_MEDIANS, [most / 2, most]) == labels
