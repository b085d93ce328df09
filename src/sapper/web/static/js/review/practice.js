/** "Learn from your mistakes": asks about each mistake in a reviewed game on the board. */

import { placeName } from "../board/cells.js";
import { $, button } from "../dom.js";
import { byTouch } from "../input/touch-line.js";
import { Exercise } from "../learn/exercise.js";
import { chancesText } from "../learn/texts.js";
import { write } from "../places.js";
import { Refusal } from "../refusal.js";
import { sentence, sentences } from "../sentence.js";
import { PracticeRun } from "./practice-run.js";
import { t } from "../translation.js";


export class Practice {
  /** @type {import("./game.js").ReviewedGame | null} */
  #game = null;
  #run = new PracticeRun([]);
  #asking = false;

  /**
   * @param {object} calls
   * @param {() => void} calls.left Called when the player returns to the review.
   * @param {(problem: unknown) => void} calls.complain
   */
  constructor(calls) {
    this.calls = calls;
    this.exercise = new Exercise($("question-stage"), [$("practice-card")], {
      answered: () => this.#answer(this.exercise.answer.safe),
      marked: () => {},
      key: (key) => this.#onBoard(key),
    });
    /** @type {Record<string, () => void>} */
    const acts = {
      "practice-again": () => this.#again(),
      "practice-show": () => this.#answer([]),
      "practice-step": () => this.#step(),
      "practice-back": () => this.#go(-1),
      "practice-next": () => this.#go(1),
      "practice-leave": () => this.leave(),
    };
    for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  }

  /** @returns {boolean} Whether practice is in progress. */
  get on() {
    return this.#game !== null;
  }

  /**
   * Ask about a game's mistakes in order.
   *
   * @param {import("./game.js").ReviewedGame} game
   */
  begin(game) {
    this.#game = game;
    this.#run = new PracticeRun(game.summary?.mistakes ?? []);
    this.#toggle(true);
    this.#ask();
  }

  /** Return to the review. */
  leave() {
    if (!this.on) return;
    this.#game = null;
    this.#toggle(false);
    this.calls.left();
  }

  /** @param {boolean} on */
  #toggle(on) {
    document.body.classList.toggle("practising", on);
    for (const id of ["stage", "walk", "graph", "keys", "notes"]) $(id).hidden = on;
    for (const id of ["question-stage", "practice"]) $(id).hidden = !on;
  }

  /**
   * @param {string} key A key pressed outside the board, or not used by it.
   * @returns {boolean} Whether the key had an effect.
   */
  command(key) {
    const ids = { n: "practice-next", p: "practice-back", r: "practice-again", g: "practice-show", Escape: "practice-leave" };
    const name = key.length === 1 ? key.toLowerCase() : key;
    const id = ids[/** @type {keyof typeof ids} */ (name)];
    if (id && !$(id).hidden && !button(id).disabled) {
      $(id).click();
      return true;
    }
    return key === " " && this.#step();
  }

  /** @param {string} key */
  #onBoard(key) {
    const { exercise } = this;
    if (key === " ") return this.#step();
    if (key !== "Enter" || !exercise.over) return false;
    if (exercise.settled) this.#go(1);
    else this.#again();
    return true;
  }

  /** Ask the current question, or show the summary. */
  #ask() {
    const game = this.#game;
    const decision = game?.decisions[this.#run.move ?? -1];
    if (!game || !decision) return this.#sum();
    const { at, moves } = this.#run;
    const question = decision.safe.length ? "safe" : "guess";
    this.exercise.show({ question, rows: game.rowsBefore(decision.index), topology: game.game.topology, retry: true });
    this.#mark([decision.cell], decision.kind);
    $("practice-place").textContent = t("Mistake {n} of {all}, at move {move}", {
      n: at + 1,
      all: moves.length,
      move: decision.index + 1,
    });
    $("practice-question").textContent = question === "safe" ? t("Find a safe cell") : t("Find a better cell");
    this.#say(asked(decision, question), "");
    this.#showActs();
    // Send keys to the board, except on touch devices, which show no cursor.
    if (!byTouch()) this.exercise.focus();
  }

  #sum() {
    this.exercise.reset();
    this.#mark([], "");
    $("practice-place").textContent = "";
    $("practice-question").textContent = t("All done");
    this.#say(sentences(...this.#run.summary), "");
    this.#showActs();
    $(this.#run.kept ? "practice-own" : "practice-leave").focus();
  }

  /** @param {import("../protocol.js").Cell[]} safe */
  async #answer(safe) {
    const game = this.#game;
    const { move, at } = this.#run;
    if (!game || move === null || this.#asking) return;
    this.#asking = true;
    try {
      const body = JSON.stringify({ key: game.game.key, decision: move, safe });
      const answer = await fetch("/api/review/mistake", { method: "POST", body });
      const verdict = await answer.json();
      if (!answer.ok) throw new Refusal(verdict.error);
      // The player may have gone to another question during the request.
      if (this.#game === game && this.#run.at === at) this.#take(verdict, safe.length > 0);
    } catch (problem) {
      this.exercise.reset();
      this.calls.complain(problem);
    } finally {
      this.#asking = false;
    }
  }

  /**
   * @param {import("../learn/types.js").Verdict} verdict
   * @param {boolean} answered Whether a cell was chosen; otherwise the solution was requested.
   */
  #take(verdict, answered) {
    const { exercise } = this;
    if (!answered) exercise.reset();
    this.#run.take(!answered ? "shown" : verdict.solved ? "right" : "wrong");
    exercise.take(verdict);
    // The proof of a right answer is also instructive.
    if (verdict.solved) exercise.step();
    const head = verdict.solved ? t("Right.") : answered ? t("Not yet.") : "";
    this.#say(sentences(head, verdict.text, chancesText(verdict)), verdict.solved ? "right" : answered ? "wrong" : "");
    this.#showActs();
  }

  #again() {
    this.exercise.reset();
    this.#ask();
  }

  #step() {
    if (!this.exercise.over || !this.exercise.place.count) return false;
    this.exercise.step();
    this.#showActs();
    return true;
  }

  /** @param {1 | -1} step */
  #go(step) {
    if (this.#run.go(step)) this.#ask();
    else this.leave();
  }

  /**
   * @param {string} text
   * @param {string} tone
   */
  #say(text, tone) {
    write($("practice-text"), text);
    $("practice-text").className = tone;
  }

  #showActs() {
    const { exercise } = this;
    const summing = this.#run.move === null;
    const { stage } = exercise;
    const { at, count } = exercise.place;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const shown = {
      "practice-again": !summing && exercise.over && !exercise.settled,
      "practice-show": !summing && !exercise.settled,
      "practice-step": !summing && exercise.over && count > 1,
      "practice-back": this.#run.at > 0,
      "practice-next": !summing,
      "practice-own": summing && this.#run.kept > 0,
      "practice-proof": !summing && stage !== null,
    };
    for (const [id, wanted] of Object.entries(shown)) $(id).hidden = !wanted;
    $("practice-step-label").textContent = at < 0 ? t("Show the proof") : at === count - 1 ? t("Start again") : t("Next step");
    $("practice-next").classList.toggle("primary", exercise.settled);
    write($("practice-step-title"), stage?.title ?? "");
    write($("practice-step-text"), stage?.text ?? "");
    // Keep the focus from being lost when the focused button is removed.
    if ($("practice").contains(focused) && focused.hidden) $("practice-next").focus({ preventScroll: true });
  }

  /**
   * @param {import("../protocol.js").Cell[]} cells
   * @param {string} kind
   */
  #mark(cells, kind) {
    const { grid } = this.exercise.board;
    const indices = cells.map((cell) => grid.indexAt(cell));
    for (const index of indices) grid.cell(index).scrollIntoView({ block: "nearest", inline: "nearest" });
    for (const name of ["needless_guess", "blunder"]) grid.mark(`chosen-${name}`, kind === name ? indices : []);
    grid.mark("chosen", indices);
  }
}

/**
 * @param {import("./types.js").Decision} decision
 * @param {"safe" | "guess"} question
 * @returns {string}
 */
function asked({ cell, kind }, question) {
  const words = { cell: placeName(cell) };
  const was =
    kind === "blunder"
      ? t("{cell} was opened here: a blunder.", words)
      : t("{cell} was opened here: a needless guess.", words);
  const act =
    question === "safe"
      ? byTouch()
        ? t("Tap a cell that is proved safe.")
        : t("Click a cell that is proved safe.")
      : byTouch()
        ? t("Nothing is proved safe. Tap a cell that wins more often.")
        : t("Nothing is proved safe. Click a cell that wins more often.");
  return sentences(sentence(was), act);
}

/**
 * The button below a review's summary that starts practice.
 *
 * @param {import("./game.js").ReviewedGame} game
 */
export function offerPractice(game) {
  const count = game.game.mined ? (game.summary?.mistakes.length ?? 0) : 0;
  $("learn").hidden = !count;
  $("learn").textContent = t("Learn from your mistakes ({n})", { n: count });
}
