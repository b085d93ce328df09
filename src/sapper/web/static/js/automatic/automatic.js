/** Automatic mode: starts and pauses the bot, and loads its panel. */

import { $, button } from "../dom.js";
import { notLoaded } from "../refusal.js";
import { t } from "../translation.js";

/**
 * @typedef {object} App
 * @property {import("../game-state.js").GameState} state
 * @property {import("../board/board.js").Board} grid
 * @property {(text: string) => void} say
 * @property {import("../types.js").Send} send
 * @property {import("../types.js").Format} format
 * @property {(action: import("../input/key-map.js").KeyAction) => string} keyOf
 */

export class Automatic {
  #telling = false;
  /** @type {import("./bot-panel.js").BotPanel | null} */
  #panel = null;
  /** Whether the bot's next action was sent before the panel was loaded. */
  #announced = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    for (const id of ["play", "thumb-play"]) $(id).addEventListener("click", () => this.play());
    for (const id of ["step", "thumb-step"]) $(id).addEventListener("click", () => this.step());
  }

  /** @returns {boolean} Whether automatic mode is on. */
  get on() {
    return this.app.state.assist.mode === "automatic";
  }

  /** @returns {boolean} Whether the bot is playing. */
  get running() {
    return this.on && this.app.state.automatic.running;
  }

  /** Start or pause the bot. */
  play() {
    this.#order(this.running ? "pause" : "play");
  }

  /** Run one action of the bot. */
  step() {
    const { state, say } = this.app;
    if (this.on && state.over) say(t("The game is over. Press {key} to have the bot play another.", { key: this.app.keyOf("play") }));
    else this.#order("step");
  }

  /** @param {"play" | "pause" | "step"} what */
  #order(what) {
    const { say, send } = this.app;
    if (this.on) send({ type: "automatic", do: what });
    else say(t("Bots play only in Automatic mode. Select it first."));
  }

  /**
   * Handle a message, after the board has been drawn.
   *
   * @param {import("../protocol.js").GoodMessage} message
   * @param {import("../types.js").Change} change
   */
  take(message, change) {
    const event = message.type === "delta" ? message.event : null;
    const { dataset } = document.body;
    const { mode } = this.app.state.assist;
    if (dataset.mode !== mode) dataset.mode = mode;
    if (this.#panel) this.#panel.take(message, change);
    else if (this.on) {
      if (message.type === "automatic") this.#announced = true;
      if ("game" in message || event?.kind === "assist") void this.#load();
    }
    if (event?.bot) this.#confirm();
    this.#buttons();
  }

  async #load() {
    const { app } = this;
    const loaded = await import("./bot-panel.js").catch(() => app.say(notLoaded()));
    if (loaded) this.#panel ??= new loaded.BotPanel(app, this.#announced);
  }

  #buttons() {
    const { over } = this.app.state;
    const label = this.running ? t("Pause") : t("Play");
    for (const name of document.querySelectorAll("#play span, #thumb-play span")) name.textContent = label;
    for (const id of ["play", "thumb-play"]) $(id).dataset.running = String(this.running);
    for (const id of ["step", "thumb-step"]) button(id).disabled = over;
  }

  /** Confirm that the last action was drawn, so that the bot does not run ahead of the display. */
  #confirm() {
    const tell = () => {
      this.#telling = false;
      this.app.send({ type: "drawn", turn: this.app.state.game?.turn ?? 0 });
    };
    // A hidden window draws nothing, not even a frame requested before, but must not delay the bot.
    if (document.hidden) return tell();
    if (this.#telling) return;
    this.#telling = true;
    requestAnimationFrame(tell);
  }
}
