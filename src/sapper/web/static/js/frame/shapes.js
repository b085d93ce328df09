/** The menu of board shapes. The shape is part of the level: `beginner/hexagon`. */

import { CLASSIC, tilings } from "../board/tiling.js";
import { $, select } from "../dom.js";

/**
 * @param {string} level
 * @returns {{size: string, topology: string}} Its size and mines, and its shape.
 */
export function partsOf(level) {
  const [size, topology = CLASSIC] = level.split("/");
  return { size, topology };
}

/**
 * @param {string} size
 * @param {string} topology
 * @returns {string} The level.
 */
export function levelOf(size, topology) {
  return topology === CLASSIC ? size : `${size}/${topology}`;
}

export class Shapes {
  /**
   * @param {import("../game-state.js").GameState} state
   * @param {(level: string) => void} choose
   */
  constructor(state, choose) {
    this.state = state;
    const list = select("topology");
    list.replaceChildren(...tilings().map(({ name, label }) => new Option(label, name)));
    list.addEventListener("change", () => choose(levelOf(this.#parts.size, list.value)));
  }

  /** Show the shape of the next game. */
  refresh() {
    const { topology } = this.#parts;
    select("topology").value = topology;
    $("topology-note").textContent = tilings().find(({ name }) => name === topology)?.summary ?? "";
  }

  /**
   * @param {string} size A level without a shape.
   * @returns {string} The level in the shape of the next game.
   */
  shaped(size) {
    return levelOf(size, this.#parts.topology);
  }

  get #parts() {
    return partsOf(this.state.settings.level ?? "");
  }
}
