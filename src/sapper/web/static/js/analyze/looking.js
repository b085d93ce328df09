/** Finds the chances of each new position, and shows them on and beside the board. */

import { isUnopened, placeName } from "../board/cells.js";
import { riskText } from "../board/chances.js";
import { BARE, coverOf } from "../board/cover.js";
import { ChanceMarks, SentMarks } from "../board/overlays.js";
import { $ } from "../dom.js";
import { byTouch } from "../input/touch-line.js";
import { write } from "../places.js";
import { showCell } from "./cell-card.js";
import { Figures } from "./figures.js";
import { toJson } from "./position.js";
import { Latest } from "./latest.js";
import { ask } from "./questions.js";
import { Refusal } from "../refusal.js";
import { sentence, sentences } from "../sentence.js";
import { chancesHere, winsHere } from "../thinking/answers.js";
import { t, tn } from "../translation.js";

/**
 * How long the position must stay unchanged before its win chances are requested, in milliseconds.
 */
const PAUSE = 120;
/** How long to wait before trying an unreachable server again. */
const RETRY = 1500;

/** @typedef {import("./types.js").ChancesAnswer} ChancesAnswer */
/** @typedef {import("./types.js").Impossible} Impossible */

export class Looking {
  #marks = new ChanceMarks();
  /** The marks of the overlay, if the server sends them. @type {SentMarks | null} */
  #sent = null;
  #known = false;
  #looks = new Latest(100);
  #wins = new Latest(0);
  #cells = new Latest(0);
  #timer = 0;
  #retry = 0;
  /** @type {number | null} The cell whose numbers are shown. */
  #picked = null;
  /** Messages about the position from other parts of the page. */
  #told = "";
  /** Whether the position has no answer yet. */
  #waiting = false;
  /** The answer that the figures and the text do not show yet. @type {ChancesAnswer | null} */
  #late = null;
  /** The beginning of the text if a guess is needed; otherwise empty. @type {string[]} */
  #guess = [];
  /** The overlay on the unopened cells; change it with `show`. */
  overlay = "chances";

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("../frame/card.js").Card} card
   * @param {(value: number, digits: number) => string} format
   * @param {import("../board/next-frame.js").NextFrame} nextFrame
   */
  constructor(editor, card, format, nextFrame) {
    this.editor = editor;
    this.card = card;
    this.format = format;
    this.nextFrame = nextFrame;
    this.figures = new Figures(format, (cell) => {
      editor.board.grid.moveTo(editor.board.grid.indexAt(cell));
      this.pick(editor.board.grid.indexAt(cell));
    });
  }

  /**
   * Show a message about the position before the one about its chances.
   *
   * @param {string} text
   */
  tell(text) {
    this.#told = text;
    say(this.#told);
  }

  /** Request the chances of a new position. */
  refresh() {
    this.#told = "";
    this.#ask();
  }

  #ask() {
    const { editor } = this;
    const position = toJson(editor.position);
    this.#known = false;
    this.#late = null;
    this.#waiting = true;
    // Most answers are known before the figures would be painted as old.
    this.#afterBoard(() => this.#waiting && this.figures.age());
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#wins.drop();
    const asked = { position, ...(this.#sent && { overlay: this.overlay }) };
    this.#looks.ask(
      async (signal) => /** @type {ChancesAnswer | Impossible} */ (
        (this.#sent ? null : await chancesHere(position, signal)) ?? (await ask("", asked, signal)).json()
      ),
      (answer) => this.#take(answer, position),
      (problem) => this.#fail(problem),
    );
    this.#cells.drop();
    if (this.#picked !== null && !isUnopened(editor.position.cells[this.#picked] ?? "0")) this.leave();
  }

  /**
   * Choose the overlay on the unopened cells.
   *
   * @param {string} name
   */
  show(name) {
    this.overlay = name;
    this.#sent = name === "none" || this.#marks.serves(name) ? null : new SentMarks(name);
    if (this.#sent) this.#ask();
    else this.cover();
  }

  /** Draw the overlay. */
  cover() {
    const { editor } = this;
    if (editor.mines) return;
    const marks = this.#sent ?? this.#marks;
    editor.board.cover((index, char) =>
      this.#known ? coverOf(marks.at(this.overlay, index, char), char) : BARE,
    );
  }

  /**
   * @param {number} index
   * @returns {string} The content of a cell, in words.
   */
  words(index) {
    if (!this.#sent) return this.inFull(index);
    return this.#known && !this.editor.mines && isUnopened(this.editor.position.cells[index]) ? this.#sent.words(index) : "";
  }

  /**
   * @param {number} index
   * @returns {string} The exact chance of a cell, if known.
   */
  inFull(index) {
    if (!this.#known || this.editor.mines) return "";
    return this.#marks.words(index, this.editor.position.cells[index], this.format);
  }

  /**
   * @param {ChancesAnswer | Impossible} answer
   * @param {import("../thinking/chances.js").PositionJson} position
   */
  #take(answer, position) {
    const { editor } = this;
    const { grid } = editor.board;
    this.#waiting = false;
    $("banner").hidden = true;
    if ("error" in answer) {
      const { conflict } = answer;
      this.figures.showImpossible();
      this.leave();
      grid.mark("conflict", (conflict?.cells ?? []).map((cell) => grid.indexAt(cell)));
      this.cover();
      say(sentences(this.#told, conflict?.sentence ?? sentence(answer.error.message)));
      return;
    }
    grid.mark("conflict", []);
    this.#known = true;
    const cells = [...editor.position.cells];
    this.#marks.take({ ...answer, type: "overlay", turn: 0 }, cells);
    if (answer.cover && !("error" in answer.cover)) this.#sent?.take(answer.cover, cells);
    this.cover();
    this.#late = answer;
    this.#afterBoard(() => {
      if (this.#late !== answer) return;
      this.#describe(answer);
      this.#timer = window.setTimeout(() => this.#askWins(position), PAUSE);
    });
  }

  /** @param {() => unknown} work Updates the page beside the board, once the board has been painted. */
  #afterBoard(work) {
    this.nextFrame.drawn();
    this.nextFrame.run(work);
  }

  /** @param {ChancesAnswer} answer The chances of the position on the board. */
  #describe(answer) {
    this.#late = null;
    this.figures.showChances(answer, this.#left());
    const failed = answer.cover && "error" in answer.cover ? sentence(answer.cover.error.message) : "";
    say(sentences(this.#told, this.#summary(answer), failed));
    if (this.#picked !== null) this.pick(this.#picked);
  }

  /** @returns {number | null} The number of mines without a flag. */
  #left() {
    const { mines, cells } = this.editor.position;
    return mines === null ? null : mines - [...cells].filter((char) => char === "F" || char === "*").length;
  }

  /**
   * @param {ChancesAnswer} answer
   * @returns {string}
   */
  #summary({ safe, mined }) {
    this.#guess = [];
    const { cells } = this.editor.position;
    const hidden = [...cells].filter(isUnopened).length;
    if (hidden === cells.length) {
      return byTouch()
        ? t("Draw what you see or paste a position. Long-press to flag.")
        : t("Draw what you see or paste a position. Right-click to flag.");
    }
    if (cells.includes("*")) return t("A mine is open, so this game is lost.");
    if (safe + mined === hidden) return t("Every cell is proved.");
    const mines = mined ? [tn("{n} mine is proved.", "{n} mines are proved.", mined)] : [];
    if (safe) return sentences(tn("{n} cell is proved safe.", "{n} cells are proved safe.", safe), ...mines);
    this.#guess = [t("No cell is proved safe."), ...mines];
    const { best, frontier, outside } = this.#marks.chances;
    const chance = best === null ? null : (frontier.get(best) ?? outside);
    const told = [...this.#guess];
    if (best !== null && typeof chance === "number") {
      const words = { risk: riskText(chance, this.format), cell: placeName(this.editor.board.grid.place(best)) };
      told.push(t("The lowest risk is {risk}, at {cell}.", words));
    }
    return sentences(...told);
  }

  /** @param {import("../thinking/chances.js").PositionJson} position */
  #askWins(position) {
    const { mines, density, cells } = this.editor.position;
    if (mines === null && density === null) return this.figures.showWin(t("needs the mine total or density"));
    if (cells.includes("*")) return this.figures.showWin("");
    this.figures.showWin("…");
    this.#wins.ask(
      async (signal) => /** @type {import("./types.js").WinsAnswer} */ (
        (await winsHere(position, signal)) ?? (await ask("/wins", { position }, signal)).json()
      ),
      (answer) => this.#takeWins(answer),
      (problem) => this.figures.showWin(problem instanceof Refusal ? t("not known") : ""),
    );
  }

  /**
   * Show the win chances, and ring the best cell if a guess is needed.
   *
   * @param {import("./types.js").WinsAnswer} answer
   */
  #takeWins(answer) {
    this.figures.showWin(answer);
    const [first] = answer.cells;
    const { chances } = this.#marks;
    if (!first || chances.best === null) return;
    chances.best = this.editor.board.grid.indexAt(first.cell);
    this.cover();
    const words = { risk: riskText(first.p_mine, this.format), cell: placeName(first.cell) };
    if (this.#guess.length) say(sentences(this.#told, ...this.#guess, t("The best guess is {cell}, with a risk of {risk}.", words)));
  }

  /** @param {unknown} problem */
  #fail(problem) {
    const { figures } = this;
    this.#waiting = false;
    figures.showWin("");
    if (problem instanceof Refusal) {
      say(sentence(problem.message));
      return;
    }
    $("banner").textContent = t("The server is not responding. Keep drawing; the chances return when it does.");
    $("banner").hidden = false;
    say("");
    this.cover();
    this.#retry = window.setTimeout(() => this.#ask(), RETRY);
  }

  /**
   * Inspect a cell: show the effect of each number that it may show.
   *
   * @param {number} index
   */
  pick(index) {
    const { editor, card, format } = this;
    const { grid } = editor.board;
    if (!isUnopened(editor.position.cells[index])) return this.leave();
    this.#picked = index;
    grid.mark("chosen", [index]);
    const cell = grid.place(index);
    const position = toJson(editor.position);
    /** @type {import("./types.js").CellAnswer | null} */
    let shown = null;
    const show = (/** @type {import("./types.js").CellAnswer | string | null} */ answer) =>
      showCell(card, cell, this.inFull(index), answer, format);
    if (card.kind !== "cell") show(null);
    this.#cells.ask(
      async (signal) => {
        const answer = await ask("/cell", { position, cell }, signal);
        shown = await answer.json();
        // The chances arrive first, the win chances later.
        if (!signal.aborted) show(shown);
        if (editor.position.mines === null && editor.position.density === null) return shown;
        return (await ask("/cell", { position, cell, values: true }, signal)).json();
      },
      show,
      (problem) => {
        if (!shown) show(problem instanceof Refusal ? sentence(problem.message) : t("The server is not responding."));
      },
    );
  }

  /** Stop inspecting a cell. */
  leave() {
    this.#picked = null;
    this.#cells.drop();
    this.editor.board.grid.mark("chosen", []);
    this.card.hide("cell");
  }
}

/** @param {string} text */
function say(text) {
  if ($("status").textContent !== text) write($("status"), text);
}
