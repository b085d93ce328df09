/** Light or dark: the system's setting until the player chooses. */

import { write } from "../storage.js";
import { t } from "../translation.js";

const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");

/** @returns {boolean} */
export function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : night.matches;
}

/**
 * @param {HTMLElement} button Switches between light and dark.
 * @param {() => void} [changed] Called whenever colours may have changed, and at once.
 */
export function startColorScheme(button, changed = () => undefined) {
  const refresh = () => {
    root.dataset.dark = String(isDark());
    button.setAttribute("aria-label", isDark() ? t("Light theme") : t("Dark theme"));
    button.title = button.getAttribute("aria-label") ?? "";
    changed();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    write("sapper.theme", root.dataset.theme);
    refresh();
  });
  night.addEventListener("change", refresh);
  refresh();
}
