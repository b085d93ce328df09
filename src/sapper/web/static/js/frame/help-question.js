/** Asks before giving help that stops a game from counting, so that a stray key does not spoil it. */

import { t } from "../translation.js";

/** @typedef {"hint" | "undo" | "analyze"} Help */

/**
 * @typedef {object} App
 * @property {import("../game-state.js").GameState} state
 * @property {import("./card.js").Card} card
 * @property {import("./preferences.js").Preferences} preferences
 * @property {(text: string) => void} say
 * @property {(action: Help) => string} keyOf
 */

export class HelpQuestion {
  /** @type {Help | null} The subject of the question. */
  #asked = null;
  /** The key of the game in which the player agreed to use help. */
  #agreed = "";

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * Run the action immediately, or ask first. Pressing the same key again accepts.
   *
   * @param {Help} action
   * @param {() => void} go
   */
  before(action, go) {
    const { card } = this.app;
    if (!this.#spoils(action)) return go();
    if (card.kind === "ask" && this.#asked === action) return this.#agree(go);
    this.#ask(action, go);
  }

  /** Cancel the question. */
  leave() {
    const { card, say } = this.app;
    if (card.kind !== "ask") return;
    card.hide("ask");
    say("");
  }

  /** @param {import("../types.js").Change} change The changes of a message. */
  take({ changed, another }) {
    if (changed.length || another) this.app.card.hide("ask");
  }

  /**
   * @param {Help} action
   * @returns {boolean} Whether it would stop a counting game from counting.
   */
  #spoils(action) {
    const { state, preferences } = this.app;
    const { game, assist } = state;
    if (!game || !preferences.ask || assist.mode !== "solo" || game.helped || game.key === this.#agreed) return false;
    if (action === "undo") return !state.over && game.can_undo;
    // A hint for a safe first click does not count as help.
    const first = action === "hint" && game.status === "ready" && game.settings.first_click === "any";
    return game.status === "playing" || first;
  }

  /** @param {() => void} go */
  #agree(go) {
    this.#agreed = this.app.state.game?.key ?? "";
    this.app.card.hide("ask");
    go();
  }

  /**
   * @param {Help} action
   * @param {() => void} go
   */
  #ask(action, go) {
    const { card, preferences, say, keyOf } = this.app;
    const texts = {
      hint: { title: t("Use a hint in this game?"), label: t("Show the hint") },
      undo: { title: t("Undo your last move?"), label: t("Undo") },
      analyze: { title: t("Analyze this game before it ends?"), label: t("Analyze") },
    };
    const { title, label } = texts[action];
    this.#asked = action;
    card.show("ask", title, t("Games with help do not count towards personal bests or streaks."), [
      { label, act: () => this.#agree(go) },
      { label: t("Cancel"), act: () => this.leave() },
      {
        label: t("Always allow"),
        wide: true,
        act: () => {
          preferences.allowHelp();
          this.#agree(go);
        },
      },
    ]);
    say(t("With help, this game will not count. Press {key} again to continue or Esc to cancel.", { key: keyOf(action) }));
  }
}
