/** The frame of every page: the skip link, the settings and help boxes, and replays dropped on it. */

import { $ } from "../dom.js";
import { pressedKey } from "../input/pressed-key.js";
import { listenToDrops } from "./drops.js";
import { listenToScrollKeys } from "./scroll-keys.js";
import { trackScrollSides } from "./scroll-sides.js";

/** Keys pressed in a box must not reach the page. */
function keepKeys(/** @type {HTMLElement} */ box) {
  box.addEventListener("keydown", (event) => event.stopPropagation());
}

/** Start the frame of the page. */
export function startFrame() {
  listenToScrollKeys();
  listenToDrops();
  // The row of page links may be wider than a narrow screen.
  const rooms = /** @type {HTMLElement | null} */ (document.querySelector(".rooms"));
  rooms?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (rooms) trackScrollSides(rooms);
  // A page's URL may contain a game or a position after the #.
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    const main = $("main");
    main.tabIndex = -1;
    main.focus();
    main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  });
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".box"))) keepKeys(box);
  const help = document.getElementById("help-box");
  if (!help) return;
  document.addEventListener("keydown", (event) => {
    if (pressedKey(event) !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])")) return;
    help.togglePopover();
    event.preventDefault();
  });
}
