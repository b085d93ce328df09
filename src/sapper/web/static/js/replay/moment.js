/** The current moment of a replay, which moves by time, event, click, guess or proof step. */

import { Player } from "./player.js";
import { guessSteps } from "./verdicts.js";

/** @typedef {import("./recorded-game.js").RecordedGame} RecordedGame */
/** @typedef {import("../review/game.js").ReviewedGame} ReviewedGame */

export class Moment {
  /** @type {RecordedGame | null} */
  game = null;
  /** @type {ReviewedGame | null} */
  review = null;
  /** The number of events so far. */
  place = 0;
  /** @type {{decision: number, step: number} | null} The current proof, before its click. */
  proof = null;

  /** @param {() => void} changed Called after each change. */
  constructor(changed) {
    this.changed = changed;
    this.player = new Player(
      () => this.game?.toMs ?? 0,
      () => this.#tick(),
    );
  }

  /**
   * Show the beginning of another replay.
   *
   * @param {RecordedGame} game
   */
  begin(game) {
    this.player.stop();
    [this.game, this.review, this.place, this.proof] = [game, null, 0, null];
    this.player.now = game.fromMs;
  }

  /** @returns {number} The number of steps so far. */
  get steps() {
    return this.game?.stepsAt(this.place) ?? 0;
  }

  /** @returns {boolean} Whether all events have happened. */
  get atEnd() {
    return this.place >= (this.game?.end ?? 0);
  }

  /** @returns {number} The time, in milliseconds of the replay. */
  get ms() {
    const { game, place, player } = this;
    if (!game || player.running || this.atEnd) return player.now;
    return Math.max(player.now, game.msAt(place));
  }

  /** @returns {number} The last decision. */
  get decision() {
    if (!this.game) return 0;
    return this.proof ? this.proof.decision : this.game.decisionBefore(this.steps);
  }

  #tick() {
    const { game, player } = this;
    if (!game) return;
    if (player.running) this.place = Math.max(this.place, game.placeAt(player.now));
    else if (player.now >= game.toMs) this.place = game.end;
    this.changed();
  }

  /** @param {number} to An event index. */
  jump(to) {
    if (!this.game) return;
    this.player.stop();
    this.proof = null;
    this.place = Math.max(0, Math.min(this.game.end, to));
    this.player.now = this.atEnd ? this.game.toMs : this.game.msAt(this.place);
    this.changed();
  }

  /** @param {number} count The number of steps. */
  goTo(count) {
    const { game } = this;
    if (game) this.jump(game.placeOf(Math.max(0, Math.min(count, game.replay.steps.length))));
  }

  /** @param {1 | -1} direction To the next or previous click. */
  walk(direction) {
    const { game, steps } = this;
    if (!game) return;
    if (direction > 0) {
      if (steps === game.replay.steps.length) this.jump(game.end);
      else this.goTo(steps + 1);
    } else if (this.place > game.placeOf(steps)) this.goTo(steps);
    else if (steps === 0) this.jump(0);
    else this.goTo(steps - 1);
  }

  /** @param {number} ms */
  seek(ms) {
    if (!this.game) return;
    this.proof = null;
    this.player.now = ms;
    this.place = this.game.placeAt(ms);
    this.changed();
  }

  /** Go to the next guess or, after the last one, to the first. */
  guess(direction = /** @type {1 | -1} */ (1)) {
    if (!this.game) return;
    const guesses = guessSteps(this.game, this.review);
    if (!guesses.length) return;
    const now = this.steps - 1;
    const next = direction > 0 ? guesses.find((step) => step > now) : guesses.findLast((step) => step < now);
    this.goTo((next ?? guesses.at(direction > 0 ? 0 : -1) ?? 0) + 1);
  }

  toggle() {
    const { game, player } = this;
    if (!game) return;
    this.proof = null;
    if (player.running) player.stop();
    else {
      if (player.now >= game.toMs) [this.place, player.now] = [0, game.fromMs];
      player.start();
    }
  }

  /**
   * Show the next step of a proof or, after the last one, the click.
   *
   * @param {import("../review/types.js").Decision} decision
   */
  nextProof({ index, proof }) {
    const { game, player } = this;
    if (!game || !proof) return;
    player.stop();
    const step = this.proof?.decision === index ? this.proof.step + 1 : 1;
    if (step > proof.steps.length) {
      this.goTo(game.stepOf(index) + 1);
      return;
    }
    this.place = game.replay.steps[game.stepOf(index)].event;
    player.now = game.msAt(this.place);
    this.proof = { decision: index, step };
    this.changed();
  }
}
