/** Work that waits for the next frame, so that the frame with the player's move comes first. */

export class NextFrame {
  /** @type {Array<() => void>} */
  #work = [];
  #drawing = false;

  /** Say that a move was drawn: further work waits until the frame that shows it is out. */
  drawn() {
    // A hidden page has no frames.
    if (this.#drawing || document.hidden) return;
    this.#drawing = true;
    // The first callback runs before that frame is painted, the second one after it.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#drawing = false;
        this.flush();
      }),
    );
  }

  /**
   * Run something now, or in the next frame if a move is being drawn.
   *
   * @param {() => void} work
   */
  run(work) {
    this.#work.push(work);
    if (!this.#drawing || document.hidden) this.flush();
  }

  /** Run everything that waits. */
  flush() {
    for (const work of this.#work.splice(0)) work();
  }
}
