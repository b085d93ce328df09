/** The timer, which runs between messages; the actual clock is on the server. */

export class Clock {
  #seconds = 0;
  #at = 0;
  #running = false;
  #timer = 0;

  /** @param {(seconds: number) => void} show Called with whole seconds. */
  constructor(show) {
    this.show = show;
  }

  /** @param {{seconds: number, running: boolean}} clock The server's clock. */
  set({ seconds, running }) {
    this.#seconds = seconds;
    this.#at = performance.now();
    this.#running = running;
    this.#tick();
  }

  /** Stop until the server's next message. */
  stop() {
    this.set({ seconds: this.seconds, running: false });
  }

  /** @returns {number} */
  get seconds() {
    return this.#seconds + (this.#running ? (performance.now() - this.#at) / 1000 : 0);
  }

  #tick() {
    clearTimeout(this.#timer);
    const now = this.seconds;
    this.show(Math.min(999, Math.floor(now)));
    // Wake just after the next whole second.
    if (this.#running) this.#timer = window.setTimeout(() => this.#tick(), 1005 - ((now * 1000) % 1000));
  }
}
