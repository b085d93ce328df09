/** Defers work to the next frame, so that the player's move is drawn first. */

export class NextFrame {
  /** @type {Array<() => void>} */
  #work = [];
  #drawing = false;

  /** Report that a move was drawn; further work waits until its frame is visible. */
  drawn() {
    // A hidden page has no frames.
    if (this.#drawing || document.hidden) return;
    this.#drawing = true;
    // The first callback runs before that frame is painted, the second after it.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#drawing = false;
        this.flush();
      }),
    );
  }

  /**
   * Run a function now or, if a move is being drawn, in the next frame.
   *
   * @param {() => void} work
   */
  run(work) {
    this.#work.push(work);
    if (!this.#drawing || document.hidden) this.flush();
  }

  /** Run all waiting work. */
  flush() {
    for (const work of this.#work.splice(0)) work();
  }
}
