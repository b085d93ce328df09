/** The playback clock, which advances frame by frame at a chosen speed. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

export class Player {
  #frame = 0;
  #last = 0;
  /** The time in the replay, in milliseconds. */
  now = 0;
  speed = 1;

  /**
   * @param {() => number} end The time at which it stops.
   * @param {() => void} tick Called after each frame, and when it starts or stops.
   */
  constructor(end, tick) {
    this.end = end;
    this.tick = tick;
  }

  /** @returns {boolean} */
  get running() {
    return this.#frame !== 0;
  }

  start() {
    if (this.running) return;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
    this.tick();
  }

  stop() {
    if (!this.running) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.tick();
  }

  /** @param {1 | -1} direction To the next speed. */
  change(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    this.speed = SPEEDS[Math.max(0, Math.min(at, SPEEDS.length - 1))];
  }

  #step = (/** @type {number} */ time) => {
    this.now = Math.min(this.end(), this.now + this.speed * Math.max(0, time - this.#last));
    this.#last = time;
    this.#frame = this.now < this.end() ? requestAnimationFrame(this.#step) : 0;
    this.tick();
  };
}
