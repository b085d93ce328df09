/** Labels of settings and bots, and checks of custom levels. Pure functions. */

const CHOICES = /** @type {Record<string, Record<string, string>>} */ ({
  first_click: { any: "May be a mine", safe: "Never a mine", opening: "An opening" },
  win: { open: "Open all clear cells", flags: "Flag exactly the mines", either: "Either one" },
  chord: { exact: "Exactly as many flags", at_least: "At least as many flags" },
});

/** Display names of bots and options; tooltips show the identifiers. */
const NAMES = /** @type {Record<string, string>} */ ({
  exact: "Exact chances",
  lookahead: "Look-ahead",
  optimal: "Perfect end game",
  champion: "Champion",
  groups: "Group counting",
  autosweeper: "Autosweeper",
  "fair-evaluate": "Fair's solver",
  "kaboom-sat": "Kaboom's solver",
  guess_anywhere: "Guess anywhere",
  judge: "Safe cells that count",
  local: "Component",
  global: "Whole board",
  remove_mines: "Forced guesses are safe",
  xp: "XP",
});

/**
 * @param {"first_click" | "win" | "chord"} kind
 * @param {string} name
 * @returns {string} The label of a choice.
 */
export function choiceLabel(kind, name) {
  return CHOICES[kind][name] ?? nameLabel(name);
}

/**
 * @param {string} name Of a bot, of an option of a rule set, or of one of its choices.
 * @returns {string} `guess_anywhere` as `Guess anywhere`
 */
export function nameLabel(name) {
  const words = name.replaceAll(/[_-]/g, " ");
  return NAMES[name] ?? words[0].toUpperCase() + words.slice(1);
}

/** @typedef {import("../protocol.js").Level} Level */

/**
 * The numbers of a level, from its name or its text form.
 *
 * @param {string} text
 * @param {Level[]} levels
 * @returns {{width: number, height: number, mines: number | null, density: number | null}}
 */
export function levelNumbers(text, levels) {
  const preset = levels.find(({ name }) => name === text);
  if (preset) return { ...preset, density: null };
  const [, width, height, kind, amount] = /^(\d+)x(\d+)([:@])([\d.e-]+)/.exec(text) ?? ["", 9, 9, ":", 10];
  return {
    width: Number(width),
    height: Number(height),
    mines: kind === ":" ? Number(amount) : null,
    density: kind === "@" ? Number(amount) : null,
  };
}

/** How many cells the first click keeps free of mines. */
const KEPT_CLEAR = /** @type {Record<string, number>} */ ({ any: 0, safe: 1, opening: 9 });

/**
 * Check the numbers of a custom board; the message uses the labels of the fields.
 *
 * @param {{width: number, height: number, mines: number}} numbers NaN for an empty field.
 * @param {number} maxCells
 * @param {string} [firstClick] What the first click promises.
 * @returns {{field: "width" | "height" | "mines", text: string} | null} The first problem.
 */
export function levelProblem({ width, height, mines }, maxCells, firstClick = "any") {
  const whole = (/** @type {number} */ n, /** @type {number} */ most) => Number.isInteger(n) && n >= 1 && n <= most;
  if (!whole(width, 200)) return { field: "width", text: "Columns must be a whole number from 1 to 200." };
  if (!whole(height, 200)) return { field: "height", text: "Rows must be a whole number from 1 to 200." };
  const cells = width * height;
  if (cells > maxCells) {
    const text = `Columns times rows must be at most ${maxCells.toLocaleString()}, not ${cells.toLocaleString()}.`;
    return { field: "height", text };
  }
  const most = cells - Math.min(KEPT_CLEAR[firstClick] ?? 0, cells);
  if (!Number.isInteger(mines) || mines < 0 || mines > most) {
    return { field: "mines", text: `Mines must be a whole number from 0 to ${most} on ${width}×${height}.` };
  }
  return null;
}

/** The names of pending settings. */
const SETTINGS = /** @type {Record<string, string>} */ ({
  level: "level",
  rules: "rule set",
  first_click: "first click",
  win: "way to win",
  chord: "chord",
  options: "options",
});

/**
 * @param {string[]} pending The names of settings.
 * @returns {string}
 */
export function pendingText(pending) {
  const names = pending.map((name) => SETTINGS[name] ?? name);
  const several = names.length > 1 || pending[0] === "options";
  const last = names.pop();
  const list = names.length ? `${names.join(", ")} and ${last}` : `${last}`;
  return `The new ${list} ${several ? "apply" : "applies"} to the next game.`;
}
