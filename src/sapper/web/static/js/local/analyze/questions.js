/** Queries of the analysis board that the page answers without a server. */

import { toJson } from "../../analyze/position.js";
import { parse } from "../../analyze/position-text.js";
import { charOf } from "../../board/cells.js";
import { mostNeighbours, tilingOf } from "../../board/tiling.js";
import { Refusal } from "../../refusal.js";
import { slowly } from "../../thinking/answers.js";
import { withoutFlags } from "../../thinking/chances.js";
import { t } from "../../translation.js";

/** @typedef {import("../../thinking/chances.js").PositionJson} PositionJson */
/** @typedef {import("../../protocol.js").Cell} Cell */

/** Fractions of large counts are computed to this precision. */
const PRECISION = 10n ** 15n;

/**
 * @param {string} path The path below `/api/analyze`.
 * @param {object | Blob} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 * @throws {Refusal} If only a server can answer.
 */
export async function ask(path, body, signal) {
  if (path === "/load" && body instanceof Blob) return Response.json(await loaded(body));
  if (path === "/cell") return Response.json(await outcomes(/** @type {any} */ (body), signal));
  throw new Refusal({ code: "no_server", message: t("this page works without a server, but this needs one") });
}

/** @param {Blob} file */
async function loaded(file) {
  let position;
  try {
    position = parse(await file.text());
  } catch {
    throw new Refusal({ code: "bad_position", message: t("this page reads positions only as text or JSON") });
  }
  return { form: "text", position: toJson(position), board: null, notes: [] };
}

/**
 * @param {{position: PositionJson, cell: Cell}} asked
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("../../analyze/types.js").CellAnswer>}
 */
async function outcomes({ position, cell }, signal) {
  const closed = withoutFlags(position);
  const known = await slowly(closed, signal);
  const all = known?.solutions ?? null;
  if (!known || all === null || position.density !== null) {
    throw new Refusal({ code: "no_server", message: t("the effect of each number needs a mine total and an exact count") });
  }
  const found = [];
  for (let number = 0; number <= mostNeighbours(tilingOf(position.topology)); number++) {
    const after = await slowly(shown(closed, cell, charOf(number)), signal).catch((problem) => {
      if (problem.code === "inconsistent_position") return null;
      throw problem;
    });
    if (!after?.solutions) continue;
    found.push({ number, chance: ratio(after.solutions, all), safe: after.safe.length, value: null });
  }
  const mined = known.pMine[cell[0] * position.width + cell[1]];
  if (mined > 0) found.push({ number: null, chance: mined, safe: 0, value: null });
  return { cell, outcomes: found };
}

/**
 * @param {PositionJson} position
 * @param {Cell} cell
 * @param {string} char
 * @returns {PositionJson}
 */
function shown(position, [row, col], char) {
  const rows = position.rows.map((line, at) => (at === row ? line.slice(0, col) + char + line.slice(col + 1) : line));
  return { ...position, rows };
}

/**
 * @param {bigint} part
 * @param {bigint} whole
 * @returns {number}
 */
function ratio(part, whole) {
  return Number((part * PRECISION) / whole) / Number(PRECISION);
}
