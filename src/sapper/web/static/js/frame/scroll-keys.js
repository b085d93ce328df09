/** Makes Space, Page Up, Page Down, Home and End scroll every page, even if only a part of it scrolls. */

import { $ } from "../dom.js";
import { pressedKey } from "../input/pressed-key.js";

/** The scroll distance of each key, in viewport heights. */
const PAGES = /** @type {Record<string, number>} */ ({ PageDown: 0.9, PageUp: -0.9, " ": 0.9, Home: -Infinity, End: Infinity });

/** @param {Element} element */
const overflows = (element) => element.scrollHeight > element.clientHeight + 1;

/** @param {Element} element */
const scrolls = (element) => overflows(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);

/**
 * @returns {Element | undefined} The largest scrolling part of the page, except the board, which has its own keys.
 */
function part() {
  const main = $("main");
  const parts = [main, ...main.querySelectorAll(":scope > *, :scope > * > *, :scope > * > * > *")];
  const area = (/** @type {Element} */ element) => element.clientWidth * element.clientHeight;
  return parts.filter((element) => !element.querySelector(".cell") && scrolls(element)).sort((a, b) => area(b) - area(a))[0];
}

/** @param {KeyboardEvent} event */
function scroll(event) {
  const key = pressedKey(event);
  const pages = PAGES[key];
  if (pages === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = document.activeElement;
  if (focused && focused !== document.body && focused !== $("main")) return;
  // The browser then scrolls by itself.
  const root = document.documentElement;
  if (overflows(root) && getComputedStyle(document.body).overflowY !== "hidden") return;
  const found = part();
  if (!found) return;
  event.preventDefault();
  const way = key === " " && event.shiftKey ? -pages : pages;
  if (Number.isFinite(way)) found.scrollBy({ top: way * found.clientHeight });
  else found.scrollTo({ top: way > 0 ? found.scrollHeight : 0 });
}

/** Start listening; call this after the page has set up its own keys. */
export function listenToScrollKeys() {
  addEventListener("keydown", scroll);
}
