"""Read the numbers in a page's text, such as a mine counter."""

from __future__ import annotations

from playwright.sync_api import Page

__all__ = ["read_numbers"]

# Finds each number and the path of its element. Text with two numbers is not a counter; it may
# be cell labels with a row and a column.
_SCRIPT = """
() => {
  const found = {};
  const path = element => {
    const steps = [];
    for (let at = element; at.parentElement; at = at.parentElement)
      steps.push(`${at.tagName}:${[...at.parentElement.children].indexOf(at)}`);
    return steps.reverse().join(' ');
  };
  for (const element of document.querySelectorAll('body *')) {
    const label = element.getAttribute('aria-label');
    if (!label && element.childElementCount) continue;
    const text = label || element.value || element.textContent || '';
    const said = text.length <= 40 && /^[^\\d-]*(\\d{1,5})\\D*$/.exec(text);
    if (!said || element.checkVisibility?.() === false) continue;
    found[path(element)] = Number(said[1]);
    if (Object.keys(found).length === 3000) break;
  }
  return found;
}
"""


def read_numbers(page: Page) -> dict[str, int]:
    """Return every number that stands alone in a short text or label, keyed by element path."""
    numbers: dict[str, int] = page.evaluate(_SCRIPT)
    return numbers
