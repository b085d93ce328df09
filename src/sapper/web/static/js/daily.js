/** The daily board: the line above the board, and the text to share. */

import { $, button } from "./dom.js";
import { notLoaded } from "./refusal.js";
import { capitalized, listed } from "./sentence.js";
import { date, t, tn } from "./translation.js";

/** @typedef {import("./protocol.js").Daily} Daily */
/** @typedef {import("./protocol.js").DayResult} DayResult */
/** @typedef {import("./types.js").Format} Format */

/**
 * @typedef {object} App
 * @property {import("./game-state.js").GameState} state
 * @property {import("./frame/card.js").Card} card
 * @property {(text: string) => void} say
 * @property {import("./types.js").Send} send
 * @property {Format} format
 * @property {(action: import("./input/key-map.js").KeyAction) => string} keyOf
 */

/**
 * @param {string} day As YYYY-MM-DD.
 * @returns {string} The day as shown to the reader, without the year.
 */
export function dayName(day) {
  return date(new Date(`${day}T00:00Z`), { day: "numeric", month: "long", timeZone: "UTC" });
}

/**
 * Return the figures of a result.
 *
 * @param {DayResult} result
 * @param {Format} format
 * @returns {string}
 */
export function resultText({ won, seconds, bbbv, clicks, helped }, format) {
  const time = t("{time} s", { time: format(seconds, 2) });
  const parts = [won ? t("won in {time}", { time }) : t("lost after {time}", { time })];
  if (won && seconds >= 0.01) parts.push(`3BV/s ${format(bbbv / seconds, 2)}`);
  if (won) parts.push(t("efficiency {share}", { share: t("{share} %", { share: format((100 * bbbv) / clicks, 0) }) }));
  if (helped) parts.push(t("with help"));
  return listed(parts);
}

/**
 * Return a result as text to share, without spoilers about the board.
 *
 * @param {DayResult} result
 * @param {number} streak
 * @param {Format} format
 * @returns {string}
 */
export function shareText(result, streak, format) {
  const text = resultText(result, format);
  const lines = [t("Sapper daily {day}", { day: result.day }), capitalized(text)];
  if (streak > 1) lines.push(tn("{n} day in a row", "{n} days in a row", streak));
  return lines.join("\n");
}

export class DailyBoard {
  /** @type {string | null} The request for the current day, which the card waits for. */
  #asked = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    $("daily").addEventListener("click", () => void this.show());
    $("result-share").addEventListener("click", () => this.share());
  }

  /** @returns {DayResult | null} The result of today. */
  get #result() {
    const { daily } = this.app.state;
    return daily?.results[daily.today] ?? null;
  }

  /** @returns {boolean} Whether today's counting attempt is running. */
  get #going() {
    const { daily, game } = this.app.state;
    const begun = Boolean(game?.actions || game?.helped);
    return Boolean(daily && game?.day === daily.today && game.attempt && game.status === "playing" && begun);
  }

  /** @returns {Record<string, string>} The calendar, with an attempt that has just begun. */
  get #calendar() {
    const { daily } = this.app.state;
    const found = { ...daily?.calendar };
    if (!daily || !this.#going) return found;
    const [month, at] = [daily.today.slice(0, 7), Number(daily.today.slice(8)) - 1];
    const days = [...(found[month] ?? ".".repeat(31))];
    days[at] = "p";
    return { ...found, [month]: days.join("") };
  }

  /** @returns {boolean} Whether today's attempt has been started and abandoned. */
  get #abandoned() {
    const { daily } = this.app.state;
    const at = daily ? Number(daily.today.slice(8)) - 1 : 0;
    return this.#calendar[daily?.today.slice(0, 7) ?? ""]?.[at] === "a";
  }

  /** Update the line above the board and the result button. */
  refresh() {
    const { daily, game } = this.app.state;
    const { keyOf } = this.app;
    const open = daily && !this.#result && !this.#abandoned;
    $("daily").toggleAttribute("data-open", Boolean(open));
    if (game?.day) $("daily").setAttribute("aria-current", "true");
    else $("daily").removeAttribute("aria-current");
    button("daily").title = open
      ? t("Daily board, not played yet ({key})", { key: keyOf("daily") })
      : t("Daily board ({key})", { key: keyOf("daily") });
    $("result-share").hidden = !(game?.day && game.day === daily?.today && this.#result);
  }

  /** @returns {string} The status line at the start of a daily board. */
  greeting() {
    const { game } = this.app.state;
    if (!game?.day) return "";
    const day = dayName(game.day);
    return game.attempt
      ? t("Daily board for {day}: your first attempt counts from its first move.", { day })
      : t("Daily board for {day}: practice, so it does not count.", { day });
  }

  /** Show the card, or hide it. */
  async show() {
    const { state, card, send } = this.app;
    if (!state.daily) return;
    if (card.kind === "daily") return card.hide();
    // The page may have been opened yesterday.
    const now = new Date().toISOString().slice(0, 10);
    this.#asked = now === state.daily.today ? null : send({ type: "sync" });
    if (!this.#asked) await this.#show();
  }

  /** @param {import("./protocol.js").GoodMessage} message The server may name another day. */
  async take({ re }) {
    if (!re || re !== this.#asked) return;
    this.#asked = null;
    await this.#show();
  }

  async #show() {
    const { app } = this;
    const loaded = await import("./daily-card.js").catch(() => app.say(notLoaded()));
    const { daily } = app.state;
    if (!loaded || !daily) return;
    const [calendar, going, abandoned] = [this.#calendar, this.#going, this.#abandoned];
    loaded.showDailyCard(app, daily, { calendar, going, abandoned, share: () => this.share() });
  }

  /** Copy today's result. */
  async share() {
    const { state, say, format } = this.app;
    const result = this.#result;
    if (!result) return;
    const text = shareText(result, state.daily?.streak ?? 0, format);
    try {
      await navigator.clipboard.writeText(text);
      say(t("Result copied."));
    } catch {
      // Pages can use the clipboard only if they are served locally or over HTTPS.
      say(text.replaceAll("\n", ". "));
    }
  }
}
