"""axe-core, which finds accessibility problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(not _AXE.exists(), reason="axe-core is not installed: run npm ci")


def expect_accessible(page: Page, part: str | None = None) -> None:
    """Check that axe-core finds no violations on a page, or in the part that matches a selector."""
    # Wait for animations to finish; otherwise colours would be measured mid-transition.
    page.wait_for_function(
        "() => document.getAnimations().every(one => one.playState !== 'running'"
        " || !(one instanceof CSSTransition))"
    )
    page.evaluate(_AXE.read_text("utf-8"))
    found = page.evaluate("part => axe.run(part ?? document, {resultTypes: ['violations']})", part)
    told = [
        (
            rule["id"],
            rule["help"],
            [(node["html"][:120], node["failureSummary"]) for node in rule["nodes"][:3]],
        )
        for rule in found["violations"]
    ]
    assert not told, json.dumps(told, indent=1)
