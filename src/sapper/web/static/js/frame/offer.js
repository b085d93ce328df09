/** The offer of a suitable rule set to new players. */

import { $ } from "../dom.js";
import { read, write } from "../storage.js";

const PLAYED = "sapper.played";

/** @returns {boolean} Whether this browser has no finished game yet. */
export function isNewcomer() {
  return read(PLAYED) === null;
}

export class Offer {
  /** @type {import("../protocol.js").RuleSet | undefined} */
  #rules;

  /**
   * @param {import("../game-state.js").GameState} state
   * @param {(rules: string) => void} choose
   */
  constructor(state, choose) {
    this.state = state;
    $("offer-rules").addEventListener("click", () => this.#rules && choose(this.#rules.name));
    $("offer-dismiss").addEventListener("click", () => {
      write(PLAYED, "yes");
      this.refresh();
    });
  }

  /** Show the offer before a new player's first game, unless the game already has these rules. */
  refresh() {
    const { game, menu, over } = this.state;
    if (over) write(PLAYED, "yes");
    this.#rules = menu?.rules.find(({ invitation }) => invitation);
    const { name = "", invitation = "" } = this.#rules ?? {};
    const played = game?.settings.rules;
    $("offer").hidden = !invitation || game?.status !== "ready" || !isNewcomer() || played === name;
    if ($("offer-rules").textContent !== invitation) $("offer-rules").textContent = invitation;
  }
}
