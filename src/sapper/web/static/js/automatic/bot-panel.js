/** The panel of automatic mode: the bot's settings, choices and results. */

import { isUnopened } from "../board/cells.js";
import { $, input, make, select } from "../dom.js";
import { nameLabel } from "../menu.js";
import { choiceSentence, doesText, gamesText, riskText } from "./choice-text.js";
import { PACES, paceStep, paceText } from "./speed.js";
import { t } from "../translation.js";

/** Below this delay, in milliseconds, screen readers cannot announce every choice. */
const HURRIED = 500;

export class BotPanel {
  #shown = "";
  /** The last choice scrolled into view. */
  #followed = 0;

  /**
   * @param {import("./automatic.js").App} app
   * @param {boolean} announce Whether to announce the bot's next action.
   */
  constructor(app, announce) {
    this.app = app;
    const order = (/** @type {import("../protocol.js").AutomaticChange} */ changes) => app.send({ type: "automatic", ...changes });
    $("bot").addEventListener("change", () => order({ bot: select("bot").value }));
    $("loop").addEventListener("change", () => order({ loop: input("loop").checked }));
    $("pace").addEventListener("input", () => order({ delay_ms: PACES[input("pace").valueAsNumber] }));
    this.#refresh();
    if (announce) this.#announce();
  }

  /** @returns {boolean} Whether automatic mode is on. */
  get #on() {
    return this.app.state.assist.mode === "automatic";
  }

  /**
   * Handle a message, after the board has been drawn.
   *
   * @param {import("../protocol.js").GoodMessage} message
   * @param {import("../types.js").Change} change
   */
  take(message, { another }) {
    const event = message.type === "delta" ? message.event : null;
    if ("automatic" in message || event?.kind === "assist" || another) this.#refresh();
    if (event && !event.bot && event.kind !== "assist" && event.kind !== "nothing") this.#highlight(null);
    if (message.type === "automatic") this.#announce();
  }

  /** Announce the bot's next action or the reason for its pause. */
  #announce() {
    const { state, say, format } = this.app;
    const { bot, running, delay_ms, problem, log, choice } = state.automatic;
    // Otherwise a screen reader would lag behind the game.
    $("status").setAttribute("aria-live", running && delay_ms < HURRIED ? "off" : "polite");
    if (!this.#on || state.over) return;
    const entry = choice && log.at(-1);
    const key = `${state.game?.key} ${entry?.number} ${running} ${problem}`;
    if (key === this.#shown) return;
    this.#shown = key;
    if (problem) return say(problem);
    const paused = running ? "" : `${t("The bot is paused.")} `;
    if (entry) say(`${paused}${t("Next: {choice}", { choice: choiceSentence(nameLabel(bot), entry, format) })}`);
    else if (!running && state.game?.status === "playing") {
      say(t("The bot is paused. Press Play to continue, or Step for one action."));
    }
  }

  #refresh() {
    const { state, format } = this.app;
    const { menu, automatic } = state;
    $("automatic").hidden = !this.#on;
    this.#highlight(this.#on ? automatic.choice : null);
    if (!menu || !this.#on) return;
    if (!select("bot").options.length) {
      select("bot").append(...menu.bots.map(({ name, label }) => new Option(label, name)));
    }
    const { bot, delay_ms, loop, thinking, problem, log } = automatic;
    select("bot").value = bot;
    $("bot").title = bot;
    $("bot-note").textContent = menu.bots.find(({ name }) => name === bot)?.summary ?? "";
    if (document.activeElement !== $("pace")) input("pace").value = String(paceStep(delay_ms));
    $("pace-text").textContent = paceText(delay_ms);
    input("loop").checked = loop;
    $("bot-state").textContent = thinking
      ? t("Thinking…")
      : gamesText(automatic, state.game?.clock.seconds ?? 0, format);
    $("bot-problem").textContent = problem ?? "";
    $("bot-problem").hidden = !problem;
    $("bot-log").replaceChildren(...[...log].reverse().map((entry) => line(entry, format)));
  }

  /**
   * Ring the cells of a choice.
   *
   * @param {import("../protocol.js").BotChoice | null} choice The choice; null removes the rings.
   */
  #highlight(choice) {
    const { state, grid } = this.app;
    const cells = state.game?.cells ?? [];
    const left = (/** @type {number[]} */ all) => all.filter((index) => isUnopened(cells[index]));
    const opens = choice && !state.over ? left(choice.opens) : [];
    grid.mark("picked", opens);
    grid.mark("guessed", choice?.guess ? opens : []);
    const marks = choice && !state.over ? left(choice.marks).filter((i) => cells[i] !== "F") : [];
    grid.mark("marking", marks);
    if (choice && choice.number !== this.#followed) this.#follow([...opens, ...marks]);
    this.#followed = choice?.number ?? 0;
  }

  /** @param {number[]} cells Scroll one of them into view if none is visible. */
  #follow(cells) {
    const well = $("well").getBoundingClientRect();
    const seen = cells.some((index) => {
      const { left, right, top, bottom } = this.app.grid.box(index) ?? new DOMRect();
      return left >= well.left && right <= well.right && top >= well.top && bottom <= well.bottom;
    });
    if (!seen && cells.length) this.app.grid.reveal(cells[0], { inline: "center" });
  }
}

/**
 * @param {import("../protocol.js").LogEntry} entry
 * @param {import("../types.js").Format} format
 * @returns {HTMLElement} Its line in the log.
 */
function line(entry, format) {
  const made = make("li");
  made.title = choiceSentence("", entry, format);
  const texts = [String(entry.number), entry.by || t("no reason given"), doesText(entry), riskText(entry, format)];
  made.append(...texts.map((text) => make("span", text)));
  return made;
}
