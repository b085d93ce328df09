"""The text of a Textual app's screen, and snapshots for comparison."""

import html
import os
import re
from collections import defaultdict
from pathlib import Path

from textual.app import App

SNAPSHOTS = Path(__file__).parents[1] / "data" / "tui"
_TEXT = re.compile(r'<text[^>]*?x="([\d.]+)"[^>]*?line-(\d+)\)">([^<]*)</text>')
_CHAR_PX = 12.2


def screen_text(app: App[None]) -> str:
    """Return the lines of the screen, from its exported picture."""
    lines: dict[int, list[tuple[float, str]]] = defaultdict(list)
    for x, line, text in _TEXT.findall(app.export_screenshot(simplify=True)):
        lines[int(line)].append((float(x), html.unescape(text).replace("\xa0", " ")))
    rows = []
    for line in range(max(lines) + 1):
        row = ""
        for x, text in sorted(lines[line]):
            row = row.ljust(round(x / _CHAR_PX)) + text
        rows.append(row.rstrip())
    return "\n".join(rows) + "\n"


def check_snapshot(app: App[None], name: str) -> None:
    """Compare the screen with ``tests/data/tui/NAME.txt``; with SAPPER_UPDATE=1, write it."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("SAPPER_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(screen_text(app), "utf-8")
    assert screen_text(app) == path.read_text("utf-8")
