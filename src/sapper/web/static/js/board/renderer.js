/** Draws a game on the grid according to the player's preferences. */

import { isNumber, isUnopened } from "./cells.js";
import { touched, wanting } from "./countdown.js";

/** The maximum length of a wave and the delay between rings, in milliseconds. */
const WAVE = 150;
const RING = 14;

/** Above this number of changes, elements show no wave, and hidden cells are drawn a frame later. */
const MOST_AT_ONCE = 400;

/** Above this number of changes, drawing the whole canvas is faster. */
const MANY = 20_000;

/**
 * Return the delay before each cell in a flood appears.
 *
 * @param {number} width Columns.
 * @param {number} from The clicked cell.
 * @param {number[]} cells
 * @returns {Map<number, number>} Milliseconds; cells without delay are omitted.
 */
export function wave(width, from, cells) {
  const waits = new Map();
  const [row, col] = [Math.floor(from / width), from % width];
  for (const cell of cells) {
    const rings = Math.max(Math.abs(Math.floor(cell / width) - row), Math.abs((cell % width) - col));
    if (rings > 1) waits.set(cell, Math.min(WAVE, RING * (rings - 1)));
  }
  return waits;
}

/**
 * @typedef {object} BoardState
 * @property {(import("./countdown.js").Board & {topology: string}) | null} game
 * @property {boolean} over
 */

export class Renderer {
  #counting = false;
  /** @type {Set<number> | null} The mines of an imagined arrangement. */
  #imagined = null;

  /**
   * @param {BoardState} state
   * @param {import("./board.js").Board} grid
   * @param {import("../frame/preferences.js").StoredPreferences} preferences
   * @param {import("./next-frame.js").NextFrame} nextFrame
   */
  constructor(state, grid, preferences, nextFrame) {
    this.state = state;
    this.grid = grid;
    this.preferences = preferences;
    this.nextFrame = nextFrame;
  }

  /**
   * Draw the changes in a message.
   *
   * @param {import("../protocol.js").GoodMessage} message
   * @param {import("../types.js").Change} change
   */
  take(message, change) {
    this.show(change, message.type === "delta" ? message.event.cell : undefined);
  }

  /**
   * Draw changes.
   *
   * @param {Pick<import("../types.js").Change, "fresh" | "changed">} change
   * @param {import("../protocol.js").Cell} [from] The cell they spread from.
   */
  show({ fresh, changed }, from) {
    const { game, over } = this.state;
    if (!game) return;
    if (fresh) this.grid.build(game.width, game.height, game.cells, game.topology);
    const counting = this.preferences.countdown && !over;
    const whole = fresh ? counting : counting !== this.#counting;
    this.#counting = counting;
    if (this.#imagined && (changed.length || fresh)) this.imagine(null);
    if (whole || (this.grid.big && changed.length > MANY)) this.all();
    else if (!fresh) this.#drawSeen(counting ? touched(game, changed) : changed, changed.length);
    if (from && this.preferences.moves) this.#roll(from, changed);
  }

  /** Redraw every cell. */
  all() {
    this.#counting = this.preferences.countdown && !this.state.over;
    if (this.grid.big) this.grid.big.refill();
    else this.#draw(this.state.game?.cells.keys() ?? []);
  }

  /**
   * @param {number} index
   * @returns {number | null} The number of flags missing around a number, if numbers count down.
   */
  wanting(index) {
    const { game } = this.state;
    return game && this.#counting ? wanting(game, index) : null;
  }

  /**
   * Show another arrangement's mines on the unopened cells.
   *
   * @param {number[] | null} mines The indices of the mines; null shows the real board again.
   */
  imagine(mines) {
    if (!mines && !this.#imagined) return;
    this.#imagined = mines && new Set(mines);
    const cells = this.state.game?.cells ?? [];
    this.#draw([...cells.keys()].filter((index) => !isNumber(cells[index])));
  }

  /**
   * Draw visible cells now; after a large flood, draw other opened cells a frame later.
   *
   * @param {Iterable<number>} indices
   * @param {number} count The number of changes.
   */
  #drawSeen(indices, count) {
    const { game } = this.state;
    if (!game || this.grid.big || this.state.over || count <= MOST_AT_ONCE) return this.#draw(indices);
    const seen = this.grid.view();
    const [now, later] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    // Overlays and marks are on unopened cells, which are already up to date.
    for (const index of indices) (seen(index) || !isNumber(game.cells[index]) ? now : later).push(index);
    this.#draw(now);
    this.nextFrame.drawn();
    this.nextFrame.run(() => this.#draw(later));
  }

  /** @param {Iterable<number>} indices */
  #draw(indices) {
    const { game } = this.state;
    if (!game) return;
    for (const index of indices) {
      const char = game.cells[index];
      if (this.#imagined && !isNumber(char)) this.grid.imagine(index, this.#imagined.has(index));
      else this.grid.draw(index, char, this.#counting ? wanting(game, index) : null);
    }
  }

  /**
   * Animate a flood, one ring after another. The cells are already open; only drawing them is
   * delayed.
   *
   * @param {[number, number]} from
   * @param {number[]} changed
   */
  #roll([row, col], changed) {
    const { game } = this.state;
    if (!game || changed.length < 3 || changed.length > MOST_AT_ONCE || this.grid.big) return;
    const opened = changed.filter((index) => !isUnopened(game.cells[index]));
    this.grid.roll(wave(game.width, row * game.width + col, opened));
  }
}
