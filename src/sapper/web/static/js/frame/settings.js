/** The settings box of every page except the play page, whose settings are in the panel. */

import { $, select } from "../dom.js";
import { startLanguage } from "./language.js";
import { storedAnimation, storePreference } from "./preferences.js";
import { startTheme } from "./theme.js";

/** Set up the theme, look, palette, animation and language. */
export function startSettings() {
  startTheme($("theme"), "look", "palette");
  startLanguage();
  const animation = select("animation");
  animation.value = storedAnimation();
  animation.addEventListener("change", () => {
    storePreference("animation", animation.value);
    document.documentElement.dataset.animation = animation.value;
  });
}

/**
 * Make the Play page's settings button open its panel.
 *
 * @param {() => void} showPanel
 */
export function showSettingsInPanel(showPanel) {
  $("settings").addEventListener("click", () => {
    showPanel();
    const parts = /** @type {NodeListOf<HTMLDetailsElement>} */ ($("panel").querySelectorAll("details.more"));
    for (const part of parts) part.open = true;
    const [first] = $("panel").querySelectorAll("details.view summary");
    if (first instanceof HTMLElement) first.focus();
    first?.scrollIntoView({ block: "start" });
  });
}
