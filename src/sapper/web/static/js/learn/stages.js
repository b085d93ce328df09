/** A verdict in stages: the steps of each cell's proof, or an arrangement. */

import { placeName } from "../board/cells.js";
import { t } from "../translation.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("./types.js").Explanation} Explanation */

/**
 * The content of the card and the board at one stage.
 *
 * @typedef {object} Stage
 * @property {string} title
 * @property {string} text
 * @property {Cell | null} goal The cell in question.
 * @property {Cell[]} numbers The numbers to ring.
 * @property {Cell[]} concluded The cells that this step settles.
 * @property {Cell[]} safe All cells proved safe so far.
 * @property {Cell[]} mined All cells proved or assumed to be mines so far.
 * @property {Cell[] | null} ghosts The mines of an arrangement to show.
 */

/** @type {Stage} */
const BARE = { title: "", text: "", goal: null, numbers: [], concluded: [], safe: [], mined: [], ghosts: null };

/**
 * @param {import("./types.js").Verdict} verdict
 * @returns {Stage[]} The stages; none for a guess, whose chances are on the board.
 */
export function stagesOf({ explanations, chances, safe, mined, solved }) {
  if (chances.length) return [];
  const stages = explanations.flatMap(explained);
  // Each proof covers one cell; the last stage shows them all.
  if (!solved && safe.length + mined.length > 1 && mined.length) {
    stages.push({ ...BARE, title: t("Everything proved"), text: t("Ticks are safe cells, crosses are mines."), safe, mined });
  }
  return stages;
}

/**
 * @param {Explanation} explanation
 * @returns {Stage[]}
 */
function explained({ cell, state, text, steps, board }) {
  if (board) return [{ ...BARE, title: t("Another arrangement"), text, goal: cell, ghosts: board }];
  return steps.map((step, at) => {
    const before = steps.slice(0, at + 1);
    // Until the contradiction, the opposite is assumed for the cell in question.
    const supposed = step.assumed && !step.contradiction ? [cell] : [];
    const [supposedSafe, supposedMined] = state === "mined" ? [supposed, []] : [[], supposed];
    const name = placeName(cell);
    const why = state === "mined" ? t("Why {cell} is a mine", { cell: name }) : t("Why {cell} is safe", { cell: name });
    const many = steps.length > 1 ? ` · ${t("step {step} of {steps}", { step: at + 1, steps: steps.length })}` : "";
    return {
      ...BARE,
      title: `${why}${many}`,
      text: step.text,
      goal: cell,
      numbers: step.numbers,
      concluded: [...step.safe, ...step.mined],
      safe: [...before.flatMap(({ safe }) => safe), ...supposedSafe],
      mined: [...before.flatMap(({ mined }) => mined), ...supposedMined],
    };
  });
}
