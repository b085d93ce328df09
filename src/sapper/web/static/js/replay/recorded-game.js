/** A recorded game: its view and counts at any event, without any drawing. */

/** @typedef {import("./types.js").ReplayLine} ReplayLine */
/** @typedef {import("./types.js").Step} Step */

/**
 * @typedef {object} Figures Running values; null if unknown.
 * @property {number} time In seconds.
 * @property {number} solved
 * @property {number} flags
 * @property {[number, number, number, number]} clicks Left, right, double, effective.
 * @property {number | null} speed 3BV per second.
 * @property {number | null} estimated In seconds.
 * @property {number | null} ioe
 * @property {number | null} corr
 * @property {number | null} thrp
 * @property {number | null} rqp
 * @property {number | null} path In pixels of cells of 16.
 */

export class RecordedGame {
  #cells = /** @type {string[]} */ ([]);
  #applied = 0;
  /** @type {number[]} The first decision of each step. */
  #decisions = [];
  /** @type {number[]} The step of each decision. */
  #steps = [];

  /** @param {ReplayLine} replay */
  constructor(replay) {
    this.replay = replay;
    this.#reset();
    for (const [index, { decisions }] of replay.steps.entries()) {
      this.#decisions.push(this.#steps.length);
      for (let i = 0; i < decisions; i++) this.#steps.push(index);
    }
  }

  /** @returns {number} The number of events, which is the last index. */
  get end() {
    return this.replay.events.ms.length;
  }

  /** @returns {number} The time of the first event, in milliseconds. */
  get fromMs() {
    return this.replay.events.ms[0] ?? 0;
  }

  /** @returns {number} The time of the last event or of the end of the game. */
  get toMs() {
    return Math.max(this.replay.ended_ms, this.replay.events.ms.at(-1) ?? 0);
  }

  /**
   * @param {number} place
   * @returns {number} The time of the last event before that index.
   */
  msAt(place) {
    return place > 0 ? this.replay.events.ms[place - 1] : this.fromMs;
  }

  /**
   * @param {number} ms
   * @returns {number} The number of events up to then.
   */
  placeAt(ms) {
    const times = this.replay.events.ms;
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * @param {number} place
   * @returns {number} The number of steps up to then.
   */
  stepsAt(place) {
    const { steps } = this.replay;
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle].event < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * @param {number} count
   * @returns {number} The index of the event that follows that many steps.
   */
  placeOf(count) {
    return count > 0 ? this.replay.steps[Math.min(count, this.replay.steps.length) - 1].event + 1 : 0;
  }

  /**
   * @param {number} step The index of the step.
   * @returns {number[]} The step's decisions in the review.
   */
  decisionsOf(step) {
    return Array.from({ length: this.replay.steps[step].decisions }, (_, i) => this.#decisions[step] + i);
  }

  /**
   * @param {number} decision
   * @returns {number} The index of the step that made it; -1 if there is none.
   */
  stepOf(decision) {
    return this.#steps[decision] ?? -1;
  }

  /**
   * @param {number} count
   * @returns {number} The last decision of that many steps; the first one if there are none.
   */
  decisionBefore(count) {
    const first = this.#decisions[count] ?? this.#steps.length;
    return Math.max(0, first - 1);
  }

  #reset() {
    const { width, height, origin } = this.replay;
    this.#cells = origin ? [...origin.join("")] : Array.from({ length: width * height }, () => ".");
    this.#applied = 0;
  }

  /**
   * @param {number} count The number of steps.
   * @param {boolean} [mines] Whether to show all mines.
   * @returns {string[]} The rows visible at that point.
   */
  rowsAfter(count, mines = false) {
    if (count < this.#applied) this.#reset();
    const { steps, width, height, mined } = this.replay;
    for (; this.#applied < count; this.#applied++) this.#apply(steps[this.#applied]);
    let text = this.#cells.join("");
    if (mines) {
      const shown = [...this.#cells];
      for (const index of mined) if (shown[index] === ".") shown[index] = "*";
      text = shown.join("");
    }
    return Array.from({ length: height }, (_, row) => text.slice(row * width, (row + 1) * width));
  }

  /** @param {Step} step */
  #apply({ opened, numbers, exploded, changed, decisions, flagged, cell, action }) {
    opened.forEach((index, i) => (this.#cells[index] = numbers[i]));
    for (const index of exploded) this.#cells[index] = "X";
    if (!changed || decisions) return;
    const question = action === "question" && this.#cells[cell] !== "?";
    this.#cells[cell] = flagged ? "F" : question ? "?" : ".";
  }

  /**
   * @param {number} ms A moment of the recording, which may start before the game and end after it.
   * @returns {number} The clock of the game, from 0 to the time of its end.
   */
  clockMs(ms) {
    const { started_ms, ended_ms } = this.replay;
    return Math.max(0, Math.min(ms, ended_ms) - started_ms);
  }

  /**
   * @param {number} ms
   * @param {number} count The number of steps up to then.
   * @returns {Figures}
   */
  figuresAt(ms, count) {
    const { steps, metrics } = this.replay;
    const last = steps[count - 1];
    const solved = last?.solved ?? 0;
    const clicks = last?.clicks ?? [0, 0, 0, 0];
    const [left, right, double, effective] = clicks;
    const all = left + right + double;
    const time = this.clockMs(ms) / 1000;
    const share = (/** @type {number} */ part, /** @type {number} */ whole) => (whole ? part / whole : null);
    const flags = this.rowsAfter(count).join("").split("F").length - 1;
    return {
      time,
      solved,
      flags,
      clicks,
      speed: share(solved, time),
      estimated: share(time * metrics.board.bbbv, solved),
      ioe: share(solved, all),
      corr: share(effective, all),
      thrp: share(solved, effective),
      rqp: share(time * time, solved),
      path: last ? last.path_px : this.replay.has_pointer ? 0 : null,
    };
  }

  /**
   * @param {number} place
   * @returns {{col: number, row: number, held: boolean} | null} The pointer in cells, and whether
   *   a button is down.
   */
  pointerAt(place) {
    const { events, cell_px, kinds } = this.replay;
    if (place < 1) return null;
    const [x, y] = [events.x[place - 1], events.y[place - 1]];
    // Without a path, x and y are cells, so use the centre of the cell.
    const add = cell_px === 1 ? 0.5 : 0;
    let held = false;
    for (let at = place - 1; at >= 0; at--) {
      const kind = kinds[events.kind[at]];
      if (kind === "mv") continue;
      held = /^([lrm]c|cc|sc)$/.test(kind);
      break;
    }
    return { col: x / cell_px + add, row: y / cell_px + add, held };
  }

  /** @returns {number[]} The pointer's time over each cell, as a share of the longest. */
  get heat() {
    const longest = Math.max(1, ...this.replay.dwell_ms);
    return this.replay.dwell_ms.map((ms) => ms / longest);
  }
}
