/** Asks, next to the level buttons, whether to end the current game and switch to another level. */

import { $ } from "../dom.js";
import { pressedKey } from "../input/pressed-key.js";
import { levelLabel } from "./level-numbers.js";
import { partsOf } from "./shapes.js";
import { t } from "../translation.js";

export class LevelQuestion {
  /** @type {string | null} The level in question. */
  level = null;

  /**
   * @param {{start: (level: string) => void, keep: () => void}} answers
   */
  constructor({ start, keep }) {
    const box = $("level-question");
    $("level-start").addEventListener("click", () => this.level && start(this.level));
    $("level-keep").addEventListener("click", () => {
      keep();
      this.hide();
    });
    $("level").addEventListener("keydown", (event) => {
      if (pressedKey(event) === "Enter" && this.level) start(this.level);
    });
    box.addEventListener("keydown", (event) => {
      // Close any card, so that only the question is visible.
      if (pressedKey(event) !== "Escape") return;
      event.stopPropagation();
      $("level-keep").click();
    });
  }

  /**
   * @param {string} level
   * @param {string} playing The level of the game that would end.
   */
  ask(level, playing) {
    this.level = level;
    const box = $("level-question");
    const chosen = /** @type {HTMLElement | null} */ ($("level").querySelector("label:has(:checked)"));
    const custom = !$("custom").hidden;
    // Place the question next to the control that was used.
    if (custom) $("custom").append(box);
    else $("level").after(box);
    box.toggleAttribute("data-below", !custom);
    if (chosen) box.style.setProperty("--at", `${chosen.offsetLeft + chosen.offsetWidth / 2}px`);
    const { size } = partsOf(playing);
    for (const radio of $("level").querySelectorAll("input")) {
      radio.parentElement?.toggleAttribute("data-playing", radio.value === size && !radio.checked);
    }
    $("level").toggleAttribute("data-asking", true);
    box.hidden = false;
    // The text is filled in after the box is shown, so that screen readers announce it.
    $("level-question-text").textContent = t("Start {level}? This ends your current game.", {
      level: levelLabel(partsOf(level).size),
    });
  }

  hide() {
    if (this.level === null) return;
    this.level = null;
    const focused = $("level-question").contains(document.activeElement);
    if (focused) /** @type {HTMLElement | null} */ ($("level").querySelector(":checked"))?.focus();
    $("level-question").hidden = true;
    $("level").removeAttribute("data-asking");
    $("level-question-text").textContent = "";
    for (const label of $("level").querySelectorAll("[data-playing]")) label.removeAttribute("data-playing");
  }
}
