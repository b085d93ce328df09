/** A board with a question: the player's marks, the verdict, and the proofs. */

import { StillBoard } from "../board/still-board.js";
import { stagesOf } from "./stages.js";
import { t } from "../translation.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("./types.js").Verdict} Verdict */

/**
 * @typedef {object} Task
 * @property {import("./types.js").Question} question
 * @property {string[]} rows
 * @property {string} [topology] The name of the board's shape.
 * @property {Cell[]} [numbers] The numbers to ring.
 * @property {Cell[]} [asked] The cells in question.
 * @property {boolean} [retry] Whether another cell can be chosen after a wrong answer, until the
 * solution is shown.
 */

export class Exercise {
  /** @type {Task | null} */
  #task = null;
  /** @type {Map<number, "safe" | "mined">} */
  #marks = new Map();
  /** @type {Verdict | null} */
  #verdict = null;
  /** @type {import("./stages.js").Stage[]} */
  #stages = [];
  /** Whether the board shows the mines of an arrangement. */
  #imagined = false;
  /** The current stage, or -1 for the solution. */
  #at = -1;

  /**
   * @param {HTMLElement} stage The container of the board.
   * @param {HTMLElement[]} texts Elements whose text names cells.
   * @param {object} calls
   * @param {() => void} calls.answered Called when a cell is chosen, if one is enough.
   * @param {() => void} calls.marked Called when the marks have changed.
   * @param {(key: string) => boolean} calls.key Called with a key pressed on the board; returns whether it was used.
   */
  constructor(stage, texts, calls) {
    this.calls = calls;
    this.board = new StillBoard(stage, {
      label: t("Puzzle board"),
      texts,
      activate: (index) => this.#choose(index),
      secondary: (index) => this.#flag(index),
      key: calls.key,
      hover: true,
    });
  }

  /** @param {Task} task */
  show(task) {
    const same = this.#task?.rows.join() === task.rows.join() && this.#task?.topology === task.topology;
    this.#task = task;
    this.reset();
    if (!same) {
      this.board.stage.parentElement?.style.setProperty("--rows", String(task.rows.length));
      this.board.show(task.rows, task.topology);
    }
    this.#paint();
  }

  /** Clear the marks and the verdict. */
  reset() {
    this.#marks.clear();
    [this.#verdict, this.#stages, this.#at] = [null, [], -1];
    this.#paint();
  }

  /** Put the cursor on the first cell in question, for keyboard users. */
  focus() {
    this.board.grid.moveTo(Math.max(0, this.board.cells.indexOf(".")));
  }

  /** @returns {import("./types.js").Answer} */
  get answer() {
    const cells = (/** @type {string} */ kind) =>
      [...this.#marks].filter(([, mark]) => mark === kind).map(([index]) => this.board.grid.place(index));
    return { safe: cells("safe"), mined: cells("mined") };
  }

  /** @returns {boolean} Whether there is a verdict. */
  get over() {
    return this.#verdict !== null;
  }

  /** @returns {boolean} Whether the task is done: solved, or the solution is shown. */
  get settled() {
    const verdict = this.#verdict;
    return verdict !== null && (verdict.solved || verdict.safe.length + verdict.mined.length > 0);
  }

  /** @returns {import("./stages.js").Stage | null} The current stage. */
  get stage() {
    return this.#stages[this.#at] ?? null;
  }

  /** @returns {{at: number, count: number}} */
  get place() {
    return { at: this.#at, count: this.#stages.length };
  }

  /** @param {Verdict} verdict */
  take(verdict) {
    this.#verdict = verdict;
    this.#stages = stagesOf(verdict);
    // After a mistake, the proof is shown automatically.
    this.#at = verdict.solved || !this.#stages.length ? -1 : 0;
    this.#paint();
    this.#reveal();
  }

  /** Show the next step of the proof or, after the last one, the first. */
  step() {
    if (!this.#stages.length) return;
    this.#at = (this.#at + 1) % this.#stages.length;
    this.#paint();
    this.#reveal();
  }

  /** If the board scrolls, scroll to the current stage. */
  #reveal() {
    const { grid } = this.board;
    const { stage } = this;
    const [first] = this.#verdict?.safe ?? [];
    const goal = stage?.ghosts ? stage.goal : null;
    for (const cell of stage ? [...stage.numbers, ...stage.concluded, ...(goal ? [goal] : [])] : first ? [first] : []) {
      grid.cell(grid.indexAt(cell)).scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  /** @param {number} index */
  #choose(index) {
    if (this.board.cells[index] !== ".") return;
    if (this.over && (!this.#task?.retry || this.settled)) return;
    if (this.over) this.reset();
    if (this.#task?.question === "all") {
      const before = this.#marks.get(index);
      this.#mark(index, before === "safe" ? "mined" : before ? null : "safe");
      return;
    }
    this.#marks = new Map([[index, "safe"]]);
    this.calls.answered();
  }

  /** @param {number} index */
  #flag(index) {
    if (this.over || this.board.cells[index] !== "." || this.#task?.question !== "all") return;
    this.#mark(index, this.#marks.get(index) === "mined" ? null : "mined");
  }

  /**
   * @param {number} index
   * @param {"safe" | "mined" | null} mark
   */
  #mark(index, mark) {
    if (mark) this.#marks.set(index, mark);
    else this.#marks.delete(index);
    this.#paint();
    this.calls.marked();
  }

  #paint() {
    const { grid } = this.board;
    const indices = (/** @type {Cell[]} */ cells) => cells.map((cell) => grid.indexAt(cell));
    const { stage } = this;
    const verdict = this.#verdict;
    const safe = new Set(indices(stage ? stage.safe : (verdict?.safe ?? [])));
    const mined = new Set(indices(stage ? stage.mined : (verdict?.mined ?? [])));
    const ghosts = stage?.ghosts ? new Set(indices(stage.ghosts)) : null;
    const chances = new Map((verdict?.chances ?? []).map((at) => [grid.indexAt(at.cell), at]));
    const worth = [...chances.values()].map((at) => at.win_chance);
    const [least, most] = [Math.min(...worth), Math.max(...worth)];
    this.board.cells.forEach((char, index) => {
      if (char !== ".") return;
      if (ghosts) return grid.imagine(index, ghosts.has(index));
      // Drawing the board removes an arrangement.
      if (this.#imagined) grid.draw(index, char);
      const chance = chances.get(index);
      if (chance) {
        const heat = most > least ? Math.round((9 * (most - chance.win_chance)) / (most - least)) : 0;
        const text = String(Math.round(100 * chance.win_chance));
        this.#cover(index, `heat heat-${heat}`, text, t("wins {percent} per cent", { percent: text }));
      } else if (verdict) {
        if (safe.has(index)) this.#cover(index, "state safe", "", t("safe"));
        else if (mined.has(index)) this.#cover(index, "state danger", "", t("mine"));
        else this.#cover(index, "", "", "");
      } else if (this.#marks.get(index) === "safe") this.#cover(index, "state safe", "", t("marked safe"));
      else if (this.#marks.get(index) === "mined") this.#cover(index, "state danger", "", t("marked as a mine"));
      else this.#cover(index, "", "", "");
    });
    this.#imagined = Boolean(ghosts);
    grid.mark("proving", indices(stage?.numbers ?? this.#task?.numbers ?? []));
    grid.mark("concluded", indices(stage?.concluded ?? []));
    const asked = stage ? (stage.ghosts && stage.goal ? [stage.goal] : []) : (this.#task?.asked ?? []);
    grid.mark("asked", indices(asked));
    grid.mark("answered", verdict ? this.#marks.keys() : []);
    grid.mark("mistaken", verdict && !verdict.solved ? this.#marks.keys() : []);
    grid.mark("best", chances.size ? indices(verdict?.safe ?? []) : []);
  }

  /**
   * @param {number} index
   * @param {string} look
   * @param {string} text
   * @param {string} spoken The description for screen readers.
   */
  #cover(index, look, text, spoken) {
    this.board.grid.cover(index, { look, text, spoken });
  }
}
