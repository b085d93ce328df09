/** The theme, the look and the palette, and the sprite in their colours. */

import { COUNT, INKS, PLACES, sprite } from "../board/glyphs.js";
import { select } from "../dom.js";
import { write } from "../storage.js";
import { startColorScheme } from "./color-scheme.js";

/** Overlay states that replace the cell's own glyph. */
const STATES = ["safe", "danger", "unknown", "low", "medium", "high"];

const root = document.documentElement;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** Draw the glyphs in the current colours. */
function paint() {
  const style = getComputedStyle(root);
  const ink = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const url = `url("data:image/svg+xml,${encodeURIComponent(sprite(ink))}")`;
  const places = Object.entries(PLACES).map(
    ([name, place]) =>
      `.cell.${name}:not(.state),.glyph-${name}{background-position:calc(${-place} * var(--cell)) 0}`,
  );
  const states = STATES.flatMap((name) => [
    `.cell.state.${name}{background-position:calc(${-PLACES[name]} * var(--cell)) 0}`,
    ...["flag", "question"].map(
      (mark) =>
        `.cell.state.${name}.${mark}{background-image:${url},${url};background-position:` +
        `calc(${-PLACES[mark]} * var(--cell)) 0,calc(${-PLACES[`${name}-corner`]} * var(--cell)) 0}`,
    ),
  ]);
  const drawn = Object.keys(PLACES).filter((name) => !STATES.includes(name) && !/none|corner/.test(name));
  const all = `.cell:is(.state,${drawn.map((name) => `.${name}`)}),.glyph`;
  sheet.replaceSync(
    `${all}{background-image:${url};background-size:calc(${COUNT} * var(--cell)) var(--cell)}` +
      [...places, ...states].join(""),
  );
}

/**
 * @param {HTMLElement} button Switches between light and dark.
 * @param {...("look" | "palette")} lists The ids of the selects for look and palette.
 */
export function startTheme(button, ...lists) {
  for (const name of lists) {
    const list = select(name);
    list.value = root.dataset[name] ?? "";
    list.addEventListener("change", () => {
      root.dataset[name] = list.value;
      write(`sapper.${name}`, list.value);
      paint();
    });
  }
  startColorScheme(button, paint);
}
