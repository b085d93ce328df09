/** Announces events of the game: the status line, the line of keys, sounds, and results. */

import { isUnopened } from "./board/cells.js";
import { MISSING } from "./connection.js";
import { $ } from "./dom.js";
import { isNewcomer } from "./frame/offer.js";
import { phone } from "./frame/phone.js";
import { soundOf } from "./frame/sound.js";
import { byTouch, touchLine } from "./input/touch-line.js";
import { improved } from "./result-figures.js";
import { happened } from "./wording.js";
import { t } from "./translation.js";

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./board/board.js").Board} grid
 * @property {import("./frame/preferences.js").Preferences} preferences
 * @property {import("./frame/sound.js").Sounds} sounds
 * @property {import("./automatic/automatic.js").Automatic} automatic
 * @property {import("./daily.js").DailyBoard} daily
 * @property {import("./frame/result.js").Result} result
 * @property {(text: string) => void} say
 * @property {import("./types.js").Format} format
 * @property {(action: import("./input/key-map.js").KeyAction) => string} keyOf
 * @property {() => boolean} flagMode Whether a tap flags.
 */

export class Announcer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * Announce the changes in a message, after the board has been drawn.
   *
   * @param {import("./protocol.js").GoodMessage} message
   * @param {import("./types.js").Change} change
   */
  take(message, { changed, another }) {
    const { state, preferences, sounds, daily, result, say, format } = this.app;
    const { game } = state;
    if (!game) return;
    const event = message.type === "delta" ? message.event : null;
    const watched = event?.bot && !state.over;
    if (another || !state.over) result.hide();
    if (event && event.kind !== "assist" && !watched) {
      const opened = changed.filter((index) => !isUnopened(game.cells[index])).length;
      say(happened(event, game.status, opened, format));
      if (preferences.sound) sounds.play(soundOf(event, game.status, opened));
      if (state.over && event.bbbv !== undefined && !event.bot) {
        result.show(/** @type {import("./protocol.js").Result} */ (event), game.status === "won");
        if (game.status === "won") this.#cheer(event);
      }
    } else if (message.type === "welcome" && game.status === "playing") {
      say(goingOn(game.helped) || daily.greeting() || t("Your game is just as you left it."));
    } else if (another && game.day) {
      say(daily.greeting());
    } else if (another && game.status === "playing") {
      say(goingOn(game.helped) || t("Shared position: continue from here."));
    } else if (another) {
      say(this.#greeting());
    }
    // The page was reloaded, or opened in another window.
    if ((message.type === "welcome" || message.type === "state") && message.game.result && $("result").hidden) {
      result.show(message.game.result, game.status === "won");
    }
    this.showKeys();
  }

  /** @param {import("./protocol.js").GameEvent} event The move that won. */
  #cheer(event) {
    const { grid, preferences } = this.app;
    document.body.classList.add("won-now");
    if (!preferences.moves) return;
    void import("./frame/celebration.js").then(
      ({ celebrate }) => {
        const cell = event.cell && grid.box(grid.indexAt(event.cell));
        celebrate($("well"), cell, improved(event).length > 0);
      },
      () => null,
    );
  }

  /** @returns {string} The status line before the first move. */
  #greeting() {
    const { state, automatic, keyOf } = this.app;
    if (automatic.on) return phone.matches ? t("Press Play to start the bot.") : t("{play} starts the bot; {step} plays one step.", { play: keyOf("play"), step: keyOf("step") });
    if (state.over) return "";
    return isNewcomer()
      ? t("Open every cell without a mine. Each number counts the mines in the cells around it.")
      : t("Open any cell.");
  }

  /** Show the keys that are useful at the moment, or how taps work. */
  showKeys() {
    $("keys").textContent = this.#keys();
  }

  /** @returns {string} */
  #keys() {
    const { state, preferences, automatic, keyOf, flagMode } = this.app;
    if (byTouch()) return state.over || automatic.on ? "" : touchLine(preferences.double, flagMode());
    const help = t("{key} all keys", { key: keyOf("help") });
    const fresh = t("{key} new game", { key: keyOf("new") });
    if (state.over) {
      const review = MISSING.has("review") ? [] : [t("{key} review", { key: keyOf("review") })];
      return [fresh, ...review, t("{key} undo", { key: keyOf("undo") }), help].join(" · ");
    }
    if (automatic.on) {
      return [t("{key} plays or pauses", { key: keyOf("play") }), t("{key} steps", { key: keyOf("step") }), fresh, help].join(" · ");
    }
    const { swap, double, chording } = preferences;
    const opens = double ? t("Double click opens") : swap ? t("Right click opens") : t("Left click opens");
    const flags = swap ? t("left click flags") : t("right click flags");
    const chords = { click: t("click a number to chord"), double: t("double-click a number to chord"), off: "" };
    const chord = chording in chords ? chords[/** @type {keyof typeof chords} */ (chording)] : t("the middle button chords");
    return [opens, flags, chord, t("{key} hint", { key: keyOf("hint") }), help].filter(Boolean).join(" · ");
  }
}

/**
 * @param {string | null} helped
 * @returns {string} The source of a game continued from another one.
 */
function goingOn(helped) {
  if (helped === "retry") return t("A retry from the review: same mines, not counted for best times.");
  if (helped === "replay") return t("Taken over from a replay: same mines, not counted for best times.");
  return "";
}
