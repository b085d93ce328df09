/** A reviewed game: the lines received so far, and the position at any moment, without any drawing. */

/** @typedef {import("./types.js").Decision} Decision */

const MISTAKES = new Set(["needless_guess", "blunder"]);

/** Moves count from 0 here, and the last position is the end of the game. */
export class ReviewedGame {
  /** @type {Decision[]} */
  decisions = [];
  /** @type {import("./types.js").DoneLine | null} */
  summary = null;
  done = 0;
  total = 0;

  /** @param {import("./types.js").GameLine} game */
  constructor(game) {
    this.game = game;
  }

  /** @returns {number} The number of moves, which is the last position. */
  get end() {
    return this.game.moves.length;
  }

  /** @param {import("./types.js").DecisionsLine | import("./types.js").DoneLine} line */
  take(line) {
    if (line.type === "done") {
      this.summary = line;
      return;
    }
    [this.done, this.total] = [line.done, line.total];
    for (const decision of line.decisions) this.decisions[decision.index] = decision;
  }

  /**
   * @param {number} place
   * @returns {string[]} The player's view before the move, one character per cell; at the last
   * place the current view, with the mines of a finished game.
   */
  cellsAt(place) {
    const { width, height, origin, moves, covered, mined, status } = this.game;
    const cells = origin ? [...origin.join("")] : Array.from({ length: width * height }, () => ".");
    const close = (/** @type {number[]} */ indices) => indices.forEach((index) => (cells[index] = "."));
    for (const [at, move] of moves.entries()) {
      close(move.covered);
      if (at === place) return cells;
      move.opened.forEach((index, i) => (cells[index] = move.numbers[i]));
      if (move.exploded) cells[move.cell] = "X";
    }
    close(covered);
    for (const index of mined ?? []) if (cells[index] === ".") cells[index] = status === "won" ? "F" : "*";
    return cells;
  }

  /**
   * Return the rows to draw for a move: the view before it, with the mine that it opened, if any.
   *
   * @param {number} place
   * @param {boolean} [mines] Whether to show all mines.
   * @returns {string[]}
   */
  rowsAt(place, mines = false) {
    const { width, height, moves, mined } = this.game;
    const cells = this.cellsAt(place);
    if (mines) for (const index of mined ?? []) if (cells[index] === ".") cells[index] = "*";
    if (moves[place]?.exploded) cells[moves[place].cell] = "X";
    const text = cells.join("");
    return Array.from({ length: height }, (_, row) => text.slice(row * width, (row + 1) * width));
  }

  /**
   * @param {number} place
   * @returns {string[]} The rows of the player's view before a move, without the mine it opened.
   */
  rowsBefore(place) {
    const { width, height } = this.game;
    const text = this.cellsAt(place).join("");
    return Array.from({ length: height }, (_, row) => text.slice(row * width, (row + 1) * width));
  }

  /**
   * @param {number} from A position in the game.
   * @param {1 | -1} step
   * @returns {number | null} The next position with a mistake in a direction, wrapping around.
   */
  mistake(from, step) {
    const found = this.decisions.filter(({ kind }) => MISTAKES.has(kind)).map(({ index }) => index);
    if (!found.length) return null;
    if (step > 0) return found.find((index) => index > from) ?? found[0];
    return found.findLast((index) => index < from) ?? found[found.length - 1];
  }

  /**
   * Return the decisions as they are listed.
   *
   * @param {boolean} every Whether to list proved decisions separately.
   * @returns {Decision[][]} Runs of proved decisions, and others alone.
   */
  groups(every) {
    /** @type {Decision[][]} */
    const groups = [];
    for (const decision of this.decisions) {
      const last = groups.at(-1)?.at(-1);
      const joins = !every && isPlain(decision) && last && isPlain(last);
      if (joins) groups.at(-1)?.push(decision);
      else groups.push([decision]);
    }
    return groups;
  }

  /** @returns {{index: number, value: import("./types.js").Value}[]} The known win chances. */
  get curve() {
    const known = this.decisions.flatMap(({ index, before, undone }) =>
      before && !undone ? [{ index, value: before }] : [],
    );
    const last = this.decisions.findLast(({ undone }) => !undone);
    if (last?.after && this.decisions.length === this.end) known.push({ index: this.end, value: last.after });
    return known;
  }
}

/** @param {Decision} decision */
function isPlain({ kind, undone }) {
  return kind === "proved" && !undone;
}
