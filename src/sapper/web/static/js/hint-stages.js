/** The stages of a hint: the reason, then the steps of the proof or two arrangements. */

import { placeName } from "./board/cells.js";
import { capitalized, sentences } from "./sentence.js";
import { hinted } from "./wording.js";
import { t } from "./translation.js";

/** @typedef {import("./protocol.js").Cell} Cell */

/**
 * The content of the card and the board after a press of the hint key.
 *
 * @typedef {object} Stage
 * @property {string} title
 * @property {string} text
 * @property {Cell[]} numbers The numbers to ring.
 * @property {Cell[]} rivals The least risky cell, if it is not the one to open.
 * @property {Cell[]} concluded The cells that this step settles.
 * @property {Cell[]} safe All cells proved safe so far.
 * @property {Cell[]} mined All cells proved or assumed to be mines so far.
 * @property {number[] | null} board The mines of a whole arrangement to show, by index.
 * @property {string} next The label of the button to the next stage; empty if there is none.
 */

/** @type {Stage} */
const BARE = { title: "", text: "", numbers: [], rivals: [], concluded: [], safe: [], mined: [], board: null, next: "" };

/**
 * @param {import("./protocol.js").HintMessage} hint
 * @param {import("./types.js").Format} format
 * @returns {Stage[]} The stages; the first is the hint itself.
 */
export function stagesOf(hint, format) {
  const rest = hint.steps?.length ? proofStages(hint.cell, hint.steps) : boardStages(hint);
  const next = hint.steps?.length ? t("Step by step") : rest.length ? t("Two boards that both fit") : "";
  const rivals = hint.least_risky ? [hint.least_risky.cell] : [];
  return [{ ...BARE, ...hinted(hint, format), numbers: hint.because, rivals, next }, ...rest];
}

/**
 * @param {Cell} goal The cell to open.
 * @param {import("./protocol.js").ProofStep[]} steps
 * @returns {Stage[]}
 */
function proofStages(goal, steps) {
  return steps.map((step, at) => {
    const before = steps.slice(0, at + 1);
    const last = at === steps.length - 1;
    // Until the contradiction, the cell in question is assumed to be a mine.
    const supposed = step.assumed && !step.contradiction ? [goal] : [];
    return {
      ...BARE,
      title: t("Step {step} of {steps}", { step: at + 1, steps: steps.length }),
      text: last ? sentences(step.text, t("Open {cell}.", { cell: placeName(goal) })) : step.text,
      numbers: step.numbers,
      concluded: [...step.safe, ...step.mined],
      safe: before.flatMap(({ safe }) => safe),
      mined: [...before.flatMap(({ mined }) => mined), ...supposed],
      next: last ? t("Start again") : t("Next step"),
    };
  });
}

/**
 * @param {import("./protocol.js").HintMessage} hint
 * @returns {Stage[]} The stages; none if there are no boards to show.
 */
function boardStages({ cell, ways }) {
  if (!ways) return [];
  const at = placeName(cell);
  return [
    {
      ...BARE,
      title: t("Two boards that both fit ({board} of 2)", { board: 1 }),
      text: capitalized(t("{cell} is a mine here, and every number fits.", { cell: at })),
      board: ways.mined,
      next: t("The other board"),
    },
    {
      ...BARE,
      title: t("Two boards that both fit ({board} of 2)", { board: 2 }),
      text: capitalized(
        t("{cell} is clear here, and every number still fits, so neither can be proved.", { cell: at }),
      ),
      board: ways.clear,
      next: t("Back to the hint"),
    },
  ];
}
