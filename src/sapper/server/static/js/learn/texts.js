/** The texts of the page Learn. */

/** What can be practised, with its name. */
export const FOCUSES = /** @type {[string, string][]} */ ([
  ["mixed", "A bit of everything"],
  ["one", "One number"],
  ["two", "Two numbers"],
  ["component", "Several numbers"],
  ["total", "The mine total"],
  ["guess", "The best guess"],
]);

const NEEDS = /** @type {Record<string, string>} */ ({
  one: "one number",
  two: "two numbers together",
  component: "three or more numbers together",
  total: "the mine total",
  guess: "a guess",
});

const TITLES = { safe: "Find a safe cell", all: "Mark everything that is proved", guess: "Find the best guess" };

/**
 * @param {import("./types.js").Question} question
 * @returns {string}
 */
export const title = (question) => TITLES[question];

/**
 * What to do, in one line.
 *
 * @param {import("./types.js").Question} question
 * @param {{newcomer: boolean, touch: boolean}} who
 * @returns {string}
 */
export function prompt(question, { newcomer, touch }) {
  const press = touch ? "Tap" : "Click";
  if (question === "safe") {
    return newcomer
      ? `A number counts the mines around it, and flags mark mines. ${press} a cell that cannot be a mine.`
      : `${press} a cell that is proved to be no mine.`;
  }
  if (question === "all") return `${press} once for a safe cell, twice for a mine. Then check.`;
  return `Nothing is proved safe. ${press} the cell with the best chance to win the game.`;
}

/**
 * @param {string[]} rows
 * @param {number | null} mines
 * @returns {string} How many mines there are, and how many are still to be found.
 */
export function mineCount(rows, mines) {
  if (mines === null) return "";
  const left = mines - (rows.join("").match(/F/g)?.length ?? 0);
  return `${mines} mines in all, ${left} without a flag.`;
}

/**
 * @param {number} seconds
 * @returns {string} `1:05`
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * @param {import("./types.js").Verdict} verdict
 * @returns {string} What the figures on the board are, if there are any.
 */
export function chancesText({ chances }) {
  return chances.length ? "The board shows each cell's chance to win, in per cent." : "";
}

/**
 * @param {import("./types.js").Outcome} outcome
 * @returns {{title: string, text: string, about: string}}
 */
export function outcomeText(outcome) {
  const { solved, late, counted, change, need, puzzle_rating: rated, seconds, text } = outcome;
  const signed = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
  const head = solved ? "Solved" : late ? "Right, but too late" : "Not solved";
  const about = [`Needs ${NEEDS[need]} · puzzle rating ${rated}`];
  if (counted) about.push(`${seconds.toFixed(1)} s`);
  const figures = chancesText(outcome);
  return {
    title: counted ? `${head} (${signed})` : head,
    text,
    about: `${about.join(" · ")}${figures && `. ${figures}`}`,
  };
}
