/** Requests puzzles and verdicts from the server. */

import { Refusal } from "../refusal.js";
import { t } from "../translation.js";


/**
 * @template T
 * @param {string} path
 * @param {object} [body] Sent as JSON (default: a GET request).
 * @returns {Promise<T>}
 */
async function ask(path, body) {
  let answer, found;
  try {
    answer = await fetch(path, body && { method: "POST", body: JSON.stringify(body) });
    found = await answer.json();
  } catch {
    throw new Refusal({ code: "not_running", message: t("Sapper is not running. Start it again, then retry.") });
  }
  if (!answer.ok) throw new Refusal(found.error);
  return found;
}

/** @returns {Promise<import("./types.js").Start>} */
export const start = () => ask("/api/learn");

/**
 * @param {{focus?: string, timed?: boolean}} [wanted]
 * @returns {Promise<import("./types.js").Puzzle>}
 */
export const puzzle = (wanted = {}) => ask("/api/learn/puzzle", wanted);

/**
 * @param {string} id
 * @param {import("./types.js").Answer} given
 * @returns {Promise<import("./types.js").Outcome>}
 */
export const answerPuzzle = (id, given) => ask("/api/learn/answer", { puzzle: id, ...given });

/**
 * @param {string} id
 * @param {import("./types.js").Answer} given
 * @returns {Promise<import("./types.js").Verdict>}
 */
export const answerLesson = (id, given) => ask("/api/learn/lesson", { board: id, ...given });

/** @returns {Promise<import("./types.js").Library>} */
export const library = () => ask("/api/learn/patterns");

/**
 * @param {string} id
 * @returns {Promise<{forms: import("./types.js").PatternForm[]}>} The pictures of a pattern.
 */
export const pictures = (id) => ask("/api/learn/pattern", { pattern: id });

/**
 * @param {string} pattern The pattern to practise; empty for the daily queue.
 * @returns {Promise<import("./types.js").NextExercise>}
 */
export const nextExercise = (pattern) => ask("/api/learn/practice", pattern ? { pattern } : {});

/**
 * @param {string} id
 * @param {import("./types.js").Answer} given
 * @param {boolean} nothing Whether the answer is that nothing is proved.
 * @returns {Promise<import("./types.js").PracticeVerdict>}
 */
export const answerExercise = (id, given, nothing) => ask("/api/learn/practice/answer", { exercise: id, nothing, ...given });

/** @returns {Promise<import("./types.js").Kept>} The next kept mistake. */
export const nextMistake = () => ask("/api/learn/mistakes/next", {});

/**
 * @param {string} id
 * @param {import("./types.js").Answer} given
 * @returns {Promise<import("./types.js").KeptVerdict>}
 */
export const answerMistake = (id, { safe }) => ask("/api/learn/mistakes/answer", { id, safe });

/**
 * @param {number} count The number shown to the reader.
 * @returns {Promise<{erased: number}>}
 */
export const eraseMistakes = (count) => ask("/api/learn/mistakes/erase", { mistakes: count });
