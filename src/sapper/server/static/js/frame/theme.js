/** Light or dark, classic or modern; and the sprite in the colours of both. */

import { COUNT, INKS, PLACES, sprite } from "../board/glyphs.js";

const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** @returns {boolean} */
export function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : night.matches;
}

/** Draw the glyphs in the present colours. */
function paint() {
  const style = getComputedStyle(root);
  const ink = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const url = `url("data:image/svg+xml,${encodeURIComponent(sprite(ink))}")`;
  const places = Object.entries(PLACES).map(
    ([name, place]) =>
      `.cell.${name}:not(.state),.glyph-${name}{background-position:calc(${-place} * var(--cell)) 0}`,
  );
  const states = ["safe", "danger", "unknown"].flatMap((name) => [
    `.cell.state.${name}{background-position:calc(${-PLACES[name]} * var(--cell)) 0}`,
    ...["flag", "question"].map(
      (mark) =>
        `.cell.state.${name}.${mark}{background-image:${url},${url};background-position:` +
        `calc(${-PLACES[mark]} * var(--cell)) 0,calc(${-PLACES[`${name}-corner`]} * var(--cell)) 0}`,
    ),
  ]);
  const all = ".cell:is(.n1,.n2,.n3,.n4,.n5,.n6,.n7,.n8,.flag,.mine,.wrong,.question,.state),.glyph";
  sheet.replaceSync(
    `${all}{background-image:${url};background-size:calc(${COUNT} * var(--cell)) var(--cell)}` +
      [...places, ...states].join(""),
  );
}

/**
 * @param {HTMLElement} button Switches between light and dark.
 * @param {HTMLSelectElement} look Chooses between the looks of the board.
 */
export function startTheme(button, look) {
  const refresh = () => {
    root.dataset.dark = String(isDark());
    button.setAttribute("aria-label", isDark() ? "Light theme" : "Dark theme");
    button.title = button.getAttribute("aria-label") ?? "";
    paint();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("sapper.theme", root.dataset.theme);
    refresh();
  });
  look.value = root.dataset.look ?? "classic";
  look.addEventListener("change", () => {
    root.dataset.look = look.value;
    localStorage.setItem("sapper.look", look.value);
    refresh();
  });
  night.addEventListener("change", refresh);
  refresh();
}
