/** The theme, the look and the palette, and the glyph sprite in their colours. */

import { COUNT, INKS, PLACES, sprite } from "../board/glyphs.js";
import { select } from "../dom.js";
import { write } from "../storage.js";
import { startColorScheme } from "./color-scheme.js";

/** Overlay states that replace a cell's own glyph. */
const STATES = ["safe", "danger", "unknown", "low", "medium", "high"];

const root = document.documentElement;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/**
 * @param {string} name The name of a glyph.
 * @returns {string} The sprite position that shows the glyph.
 */
function placed(name) {
  return `calc(var(--glyph-x, 0px) - ${2 * PLACES[name]} * var(--glyph, var(--cell))) var(--glyph-y, 0px)`;
}

/** Draw the glyphs in the current colours. */
function paint() {
  const style = getComputedStyle(root);
  const ink = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const url = `url("data:image/svg+xml,${encodeURIComponent(sprite(ink))}")`;
  const places = Object.keys(PLACES).map(
    (name) => `.cell.${name}:not(.state),.glyph-${name}{background-position:${placed(name)}}`,
  );
  const states = STATES.flatMap((name) => [
    `.cell.state.${name}{background-position:${placed(name)}}`,
    ...["flag", "question"].map(
      (mark) =>
        `.cell.state.${name}.${mark}{background-image:${url},${url};background-position:` +
        `${placed(mark)},${placed(`${name}-corner`)}}`,
    ),
  ]);
  const drawn = Object.keys(PLACES).filter((name) => !STATES.includes(name) && !/none|corner/.test(name));
  const all = `.cell:is(.state,${drawn.map((name) => `.${name}`)}),.glyph`;
  sheet.replaceSync(
    `${all}{background-image:${url};background-size:calc(${2 * COUNT} * var(--glyph, var(--cell))) var(--glyph, var(--cell))}` +
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
    // The theme is no longer registered.
    if (list.selectedIndex < 0) root.dataset[name] = list.value = list.options[0].value;
    list.addEventListener("change", () => {
      root.dataset[name] = list.value;
      write(`sapper.${name}`, list.value);
      paint();
    });
  }
  startColorScheme(button, paint);
}
