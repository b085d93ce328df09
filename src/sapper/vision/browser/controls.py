"""Find, by their text, the controls of a page that may start a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

__all__ = ["Control", "closing_ways", "find_text", "new_game_ways", "read_controls"]

# Exclude links to other documents and invisible elements.
_SCRIPT = """
() => {
  const found = [];
  const leaves = link => {
    const there = link.getAttribute('href') || '';
    return link.target === '_blank' || !(there === '' || there.startsWith('#')
      || there.startsWith('javascript:'));
  };
  const visit = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (found.length > 3000) return;
      const box = element.getBoundingClientRect();
      if (box.width < 8 || box.height < 8) continue;
      const style = getComputedStyle(element);
      if (style.visibility !== 'visible' || style.display === 'none') continue;
      const link = element.closest('a[href]');
      if (link && leaves(link)) continue;
      const input = element.matches('input[type=button], input[type=submit], input[type=reset]');
      const button = input || element.matches(
        'button, a, summary, [role=button], [role=menuitem], [onclick]');
      if (!button && style.cursor !== 'pointer' && element.childElementCount) continue;
      const text = (input ? element.value : element.innerText || element.textContent || '');
      const names = [element.id, element.getAttribute('class'), element.title,
        element.getAttribute('aria-label'), element.getAttribute('alt'), element.name];
      const inner = element.firstElementChild;
      if (inner && inner.getAttribute) names.push(inner.getAttribute('class'));
      found.push({
        text: text.trim().replace(/\\s+/g, ' ').slice(0, 80),
        names: names.filter(name => typeof name === 'string').join(' ').slice(0, 200),
        button: button || style.cursor === 'pointer',
        x: box.x + box.width / 2 + scrollX, y: box.y + box.height / 2 + scrollY,
        width: box.width, height: box.height,
      });
    }
  };
  visit(document);
  return found;
}
"""
_NEW = re.compile(
    r"\b(new( game)?|restart|reset|again|retry|replay|start( game| over)?|play( now)?|"
    r"neu(es spiel|start)?|nochmal|nouvelle partie|rejouer|recommencer|nueva? (partida|juego)|"
    r"reiniciar|jugar|nova partida|novo jogo|ricomincia|nuova partita|opnieuw|"
    r"новая( игра)?|заново|restartovat|nowa gra)\b|新游戏|新遊戲|重新|もう一度|リスタート|새 게임",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"\b(easy|beginner|small|medium|intermediate|normal|leicht|anfänger|facile|fácil|débutant|"
    r"expert|hard|\d+ ?[x×*] ?\d+)\b",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    r"close|ok(ay)?|dismiss|[×✕✖✗x]|schließen|fermer|cerrar|fechar|chiudi|sluiten|закрыть|关闭|閉じる|닫기",
    re.IGNORECASE,
)
_CLOSE_NAMED = re.compile(r"(\b|_)(close|dismiss)(\b|_|btn|button)", re.IGNORECASE)
_CLOSERS = 3
"""Number of buttons to try to close an element over the board."""
_NAMED = re.compile(r"face|smil|emoji|new-?_?game|restart|reset|start-?_?(btn|button|game)", re.I)
_FACE = re.compile(
    "^[\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a☹-☻]️?$|^[:;][-o]?[()|DpP]$"
)
_MAX_LENGTH = 30
"""Maximum length of a button's text; longer text is an explanation."""


@dataclass(frozen=True)
class Control:
    """An element of a page that may react to a click.

    Attributes:
        text: Text of the element.
        names: Identifiers of the element in the page's source.
        button: Whether it is marked as clickable.
        x: Horizontal centre, in CSS pixels of the document.
        y: Vertical centre.
        width: Width in CSS pixels.
        height: Height in CSS pixels.
    """

    text: str
    names: str
    button: bool
    x: float
    y: float
    width: float
    height: float


def read_controls(page: Page) -> list[Control]:
    """Return the visible controls of the page, without links that leave it."""
    elements: list[dict[str, Any]] = page.evaluate(_SCRIPT)
    return [Control(**element) for element in elements]


def find_text(controls: list[Control], text: str) -> Control | None:
    """Return the control with this text; prefer full matches to partial ones, and buttons."""
    target = " ".join(text.split()).casefold()
    whole = [c for c in controls if c.text.casefold() == target]
    part = [c for c in controls if target in c.text.casefold()]
    ranked = sorted(whole or part, key=lambda c: (not c.button, c.width * c.height))
    return ranked[0] if ranked else None


def new_game_ways(controls: list[Control], ratio: float, *, menu: bool = False) -> list[str]:
    """Return ways to start a game on the page, the likely ones first.

    Args:
        controls: The controls of the page.
        ratio: Device pixels per CSS pixel.
        menu: Whether to include level choices, as on a start page.
    """
    return list(dict.fromkeys(_ways(controls, ratio, menu)))


def closing_ways(controls: list[Control], ratio: float) -> list[str]:
    """Return ways to close elements over the board, the likely ones first.

    Args:
        controls: The controls of the page.
        ratio: Device pixels per CSS pixel.
    """
    buttons = [c for c in controls if c.button]
    by_text = [f'click "{c.text}"' for c in buttons if _CLOSE.fullmatch(c.text)]
    # Close buttons that show a picture or a single character.
    named = [
        f"click {round(c.x * ratio)} {round(c.y * ratio)}"
        for c in buttons
        if len(c.text) <= 1 and not _CLOSE.fullmatch(c.text) and _CLOSE_NAMED.search(c.names)
    ]
    return ["key Escape", *dict.fromkeys([*by_text, *named][:_CLOSERS])]


def _ways(controls: list[Control], ratio: float, menu: bool) -> Iterator[str]:
    texts = [c for c in controls if 0 < len(c.text) <= _MAX_LENGTH and '"' not in c.text]
    for buttons in (True, False):
        named = [c for c in texts if c.button == buttons and _NEW.search(c.text)]
        # Try short labels first: "New game" before "Start a new game with these settings".
        for control in sorted(named, key=lambda c: len(c.text)):
            yield f'click "{control.text}"'
    if menu:
        for control in texts:
            if _LEVEL.search(control.text):
                yield f'click "{control.text}"'
    # A face button's text changes during the game, so identify the button by its position.
    faces = [c for c in controls if _FACE.match(c.text) or _NAMED.search(c.names)]
    for control in sorted(faces, key=lambda c: (not c.button, c.width * c.height)):
        yield f"click {round(control.x * ratio)} {round(control.y * ratio)}"
