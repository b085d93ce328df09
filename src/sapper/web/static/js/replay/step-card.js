/** The card for the current click, and its marks on the board. */

import { packCells } from "../address.js";
import { $, make } from "../dom.js";
import { write } from "../places.js";
import { showDecision } from "../review/detail.js";
import { KINDS } from "../review/wording.js";
import { sentence } from "../sentence.js";
import { t } from "../translation.js";
import { RecordedGame } from "./recorded-game.js";
import { verdictOn } from "./verdicts.js";
import { placeText, stepText } from "./wording.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("../review/types.js").Decision} Decision */

export class StepCard {
  #card = "";
  #step = -1;

  /**
   * @param {import("../board/still-board.js").StillBoard} board
   * @param {import("./moment.js").Moment} moment
   * @param {(steps: number) => void} takeOver Continues the game after a number of steps.
   */
  constructor(board, moment, takeOver) {
    this.board = board;
    this.moment = moment;
    this.takeOver = takeOver;
  }

  /** @param {string} drawn The board's content: equal strings for equal boards. */
  show(drawn) {
    const { game, review, proof, player, steps, atEnd } = this.moment;
    if (!game) return;
    const card = JSON.stringify([drawn, atEnd, proof, review?.done, review?.summary !== null, player.running]);
    if (card === this.#card) return;
    this.#card = card;
    const step = proof ? game.stepOf(proof.decision) : steps - 1;
    const verdict = step < 0 ? null : verdictOn(game, review, step);
    const decision = proof ? (review?.decisions[proof.decision] ?? null) : verdict;
    this.#mark(game, step, decision);
    if (decision) this.#explain(game, step, decision);
    else this.#describe(game, step);
  }

  /**
   * @param {RecordedGame} game
   * @param {number} step The index of the step.
   * @param {Decision | null} decision
   */
  #mark(game, step, decision) {
    const { grid, cells } = this.board;
    const indices = (/** @type {Cell[]} */ places) => places.map((cell) => grid.indexAt(cell));
    const closed = (/** @type {number[]} */ places) => places.filter((index) => /[.F?*]/.test(cells[index]));
    const chosen = decision ? indices([decision.cell]) : step >= 0 ? [game.replay.steps[step].cell] : [];
    for (const kind of KINDS) grid.mark(`chosen-${kind}`, decision?.kind === kind ? chosen : []);
    grid.mark("chosen", chosen);
    if (step !== this.#step) {
      this.#step = step;
      for (const index of chosen) grid.cell(index).scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const now = (decision?.proof?.steps ?? []).slice(0, this.moment.proof?.step ?? 0).at(-1);
    grid.mark("lit", decision && decision.kind !== "proved" && !now ? closed(indices(decision.safe)) : []);
    grid.mark("proving", indices(now?.numbers ?? []));
    grid.mark("concluded", indices([...(now?.safe ?? []), ...(now?.mined ?? [])]));
  }

  /**
   * Show the review's verdict.
   *
   * @param {RecordedGame} game
   * @param {number} step The index of the step.
   * @param {Decision} decision
   */
  #explain(game, step, decision) {
    const { review, proof, player } = this.moment;
    const half = (review?.total ?? 0) / 2;
    const settled = (review?.done ?? 0) >= half + decision.index + 1;
    const note = t("Play from just before this click, with the same mines. Does not count for best times.");
    const known = player.running ? { ...decision, proof: null } : decision;
    showDecision($("detail"), known, proof?.step ?? 0, settled, {
      step: () => this.#nextProof(decision),
      retry: () => this.takeOver(step),
      analyze: address(game, step),
      again: { text: t("Take over from here"), note },
    });
  }

  /**
   * Show the effect of a click until there is a review.
   *
   * @param {RecordedGame} game
   * @param {number} step The index of the step.
   */
  #describe(game, step) {
    const title = make("h3", step < 0 ? t("Before the first click") : placeText(game, step + 1));
    const text = make("p");
    write(text, step < 0 ? t("Press Space to play the replay, arrow keys to step click by click.") : sentence(stepText(game, step)));
    const row = make("div");
    row.className = "choices";
    const over = make("button", t("Take over from here"));
    over.type = "button";
    over.id = "retry";
    over.addEventListener("click", () => this.takeOver(step + 1));
    row.append(over);
    $("detail").replaceChildren(title, text, row);
  }

  /** @param {Decision} decision */
  #nextProof(decision) {
    const focused = document.activeElement?.id === "proof-next";
    this.moment.nextProof(decision);
    if (focused) document.getElementById("proof-next")?.focus();
  }
}

/**
 * @param {RecordedGame} game
 * @param {number} count The number of steps before it.
 * @returns {string} The URL that opens that position on the Analyze page.
 */
function address({ replay }, count) {
  const { width, height, mined, topology } = replay;
  const fields = new URLSearchParams();
  if (topology !== "rectangle") fields.set("topology", topology);
  fields.set("size", `${width}x${height}:${mined.length}`);
  // Add an element, so that the current one stays in place.
  const rows = new RecordedGame(replay).rowsAfter(count);
  fields.set("position", packCells([...rows.join("").replaceAll("?", ".")]));
  return `/analyze#${fields.toString().replaceAll("%3A", ":")}`;
}
