/** Covers the board during a countdown or a freeze, with the seconds left. */

import { $ } from "../dom.js";

export class Curtain {
  #timer = 0;

  /**
   * @param {() => number} now The room's time in milliseconds.
   * @param {() => void} thawed Called at the end of a freeze.
   */
  constructor(now, thawed) {
    this.now = now;
    this.thawed = thawed;
  }

  /**
   * Cover the board until a moment.
   *
   * @param {"countdown" | "freeze" | ""} look Empty to remove the curtain.
   * @param {number} [until] The room's time.
   * @param {string} [text] Shown under the number.
   */
  set(look, until = 0, text = "") {
    clearTimeout(this.#timer);
    const left = until - this.now();
    const shown = look !== "" && left > 0;
    const thawed = look === "freeze" && !shown && !$("curtain").hidden;
    $("curtain").hidden = !shown;
    if (thawed) this.thawed();
    if (!shown) return;
    $("curtain").dataset.look = look;
    $("curtain-number").textContent = String(Math.ceil(left / 1000));
    $("curtain-text").textContent = text;
    // Wake just after the next whole second.
    this.#timer = window.setTimeout(() => this.set(look, until, text), left % 1000 || 1000);
  }
}
