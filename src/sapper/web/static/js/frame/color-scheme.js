/** The light or dark colour scheme: the system's until the player chooses one. */

import { write } from "../storage.js";
import { t } from "../translation.js";

const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");

/** The list in the settings box, if present. */
const list = /** @type {HTMLSelectElement | null} */ (document.getElementById("scheme"));

/** @returns {boolean} */
export function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : night.matches;
}

/**
 * @param {HTMLElement} button Switches between light and dark.
 * @param {() => void} [changed] Called immediately, and again whenever colours may have changed.
 */
export function startColorScheme(button, changed = () => undefined) {
  const refresh = () => {
    root.dataset.dark = String(isDark());
    button.setAttribute("aria-label", isDark() ? t("Light theme") : t("Dark theme"));
    button.title = button.getAttribute("aria-label") ?? "";
    if (list) list.value = root.dataset.theme ?? "";
    changed();
  };
  const choose = (/** @type {string} */ theme) => {
    root.dataset.theme = theme;
    write("sapper.theme", theme);
    refresh();
  };
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  list?.addEventListener("change", () => choose(list.value));
  night.addEventListener("change", refresh);
  refresh();
}
