/** The automatic mode: a bot plays, and this shows what it does and takes the orders. */

import { isUnopened } from "../board/cells.js";
import { choiceSentence, doesText, gamesText, riskText } from "./choice-text.js";
import { PACES, paceStep, paceText } from "./speed.js";

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/** The slowest pace, in milliseconds, at which nobody could listen to each choice. */
const HURRIED = 500;

/**
 * @typedef {object} App
 * @property {import("../game-state.js").GameState} state
 * @property {import("../board/grid.js").Grid} grid
 * @property {() => void} lower Puts the sheet away where it covers the board.
 * @property {(text: string) => void} say
 * @property {(message: object) => string | null} send
 * @property {import("../wording.js").Format} format
 */

export class Automatic {
  #shown = "";
  #telling = false;
  /** The choice that the view has followed last. */
  #followed = 0;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const order = (/** @type {object} */ changes) => app.send({ type: "automatic", ...changes });
    $("bot").addEventListener("change", () => order({ bot: $("bot").value }));
    $("loop").addEventListener("change", () => order({ loop: $("loop").checked }));
    $("pace").addEventListener("input", () => order({ delay_ms: PACES[$("pace").value] }));
    for (const id of ["play", "thumb-play"]) $(id).addEventListener("click", () => this.play());
    for (const id of ["step", "thumb-step"]) $(id).addEventListener("click", () => this.step());
    for (const id of ["thumb-play", "thumb-step"]) $(id).addEventListener("click", app.lower);
  }

  /** @returns {boolean} Whether a bot plays, or could. */
  get on() {
    return this.app.state.assist.mode === "automatic";
  }

  /** @returns {boolean} Whether it plays now. */
  get running() {
    return this.on && this.app.state.automatic.running;
  }

  /** Let the bot play on, or pause it. */
  play() {
    this.#order(this.running ? "pause" : "play");
  }

  /** Let it do one action. */
  step() {
    const { state, say } = this.app;
    if (this.on && state.over) say("The game is over. N or the smiley starts a new one, P plays it.");
    else this.#order("step");
  }

  /** @param {"play" | "pause" | "step"} what */
  #order(what) {
    const { say, send } = this.app;
    if (this.on) send({ type: "automatic", do: what });
    else say("A bot plays in the mode Automatic: choose it first.");
  }

  /**
   * Take a message in, after the board was drawn.
   *
   * @param {any} message
   * @param {{another: boolean}} change
   */
  take(message, { another }) {
    const told = Boolean(message.automatic) || message.event?.kind === "assist";
    if (told || another) this.#refresh();
    const { event } = message;
    if (event?.bot) this.#confirm();
    else if (event && event.kind !== "assist" && event.kind !== "nothing") this.#highlight(null);
    if (message.type === "automatic") this.#announce();
    this.#buttons();
  }

  /** Say the choice that was made just now, or why there is none. */
  #announce() {
    const { state, say, format } = this.app;
    const { bot, running, delay_ms, problem, log } = state.automatic;
    // A listener would hear of moves that are long past.
    $("status").setAttribute("aria-live", running && delay_ms < HURRIED ? "off" : "polite");
    const entry = log.at(-1);
    const key = `${state.game?.key} ${entry?.number} ${problem}`;
    if (key === this.#shown || state.over) return;
    this.#shown = key;
    if (problem) say(problem);
    else if (entry) say(choiceSentence(bot, entry, format));
  }

  #refresh() {
    const { state, format } = this.app;
    const { menu, automatic } = state;
    $("automatic").hidden = !this.on;
    document.body.dataset.mode = state.assist.mode;
    this.#highlight(this.on ? automatic.choice : null);
    if (!menu || !this.on) return;
    if (!$("bot").options.length) {
      $("bot").replaceChildren(...menu.bots.map((/** @type {any} */ { name }) => new Option(name)));
    }
    const { bot, delay_ms, loop, thinking, problem, log } = automatic;
    $("bot").value = bot;
    $("bot-note").textContent = menu.bots.find((/** @type {any} */ { name }) => name === bot)?.summary ?? "";
    if (document.activeElement !== $("pace")) $("pace").value = paceStep(delay_ms);
    $("pace-text").textContent = paceText(delay_ms);
    $("loop").checked = loop;
    $("bot-state").textContent = thinking
      ? "Thinking…"
      : gamesText(automatic, state.game?.clock.seconds ?? 0, format);
    $("bot-problem").textContent = problem ?? "";
    $("bot-problem").hidden = !problem;
    $("bot-log").replaceChildren(...[...log].reverse().map((entry) => line(entry, format)));
  }

  #buttons() {
    const { state } = this.app;
    const label = this.running ? "Pause " : "Play ";
    for (const id of ["play", "thumb-play"]) $(id).firstChild.data = label;
    for (const id of ["step", "thumb-step"]) $(id).disabled = state.over;
  }

  /** @param {any} choice Ring the cells that it is about; null for none. */
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

  /** @param {number[]} cells Bring one into view, where a board that pans shows none of them. */
  #follow(cells) {
    const well = $("well").getBoundingClientRect();
    const seen = cells.some((index) => {
      const { left, right, top, bottom } = this.app.grid.cell(index).getBoundingClientRect();
      return left >= well.left && right <= well.right && top >= well.top && bottom <= well.bottom;
    });
    if (!seen && cells.length) this.app.grid.cell(cells[0]).scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Tell the server that what it sent is drawn, so that it goes no faster than that. */
  #confirm() {
    if (this.#telling) return;
    this.#telling = true;
    const tell = () => {
      this.#telling = false;
      this.app.send({ type: "drawn", turn: this.app.state.game?.turn });
    };
    // A window that is out of sight draws nothing, and holds nothing up.
    if (document.hidden) tell();
    else requestAnimationFrame(tell);
  }
}

/**
 * @param {import("./choice-text.js").Entry} entry
 * @param {import("../wording.js").Format} format
 * @returns {HTMLElement} Its line in the log.
 */
function line(entry, format) {
  const made = document.createElement("li");
  made.title = choiceSentence("", entry, format);
  for (const text of [entry.number, entry.by || "no account", doesText(entry), riskText(entry, format)]) {
    made.append(document.createElement("span"));
    /** @type {HTMLElement} */ (made.lastChild).textContent = String(text);
  }
  return made;
}
