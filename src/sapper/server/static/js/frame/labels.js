/** The words for what there is to choose from. Pure: nothing here draws. */

const WORDS = /** @type {Record<string, Record<string, string>>} */ ({
  first_click: { any: "Anything", safe: "Never a mine", opening: "An opening" },
  win: { open: "Open all clear cells", flags: "Flag exactly the mines", either: "Either of them" },
  chord: { exact: "Exactly matching flags", at_least: "Flags enough or more" },
});

/**
 * @param {"first_click" | "win" | "chord"} kind
 * @param {string} name
 * @returns {string} How a choice is called on the screen.
 */
export function choiceLabel(kind, name) {
  return WORDS[kind][name] ?? name.replaceAll("_", " ");
}

/**
 * @param {string} name Of an option of a rule set, or of one of its choices.
 * @returns {string} `guess_anywhere` as `Guess anywhere`
 */
export function optionLabel(name) {
  const words = name.replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}

/** @typedef {{name: string, width: number, height: number, mines: number}} Level */

/**
 * @param {Level} level
 * @returns {string} `Expert, 30×16, 99`
 */
export function levelLabel({ name, width, height, mines }) {
  return `${name[0].toUpperCase()}${name.slice(1)}, ${width}×${height}, ${mines}`;
}

/**
 * The numbers of a level, from its name or its text.
 *
 * @param {string} text
 * @param {Level[]} levels
 * @returns {{width: number, height: number, mines: number}}
 */
export function levelNumbers(text, levels) {
  const preset = levels.find(({ name }) => name === text);
  if (preset) return preset;
  const [width, height, mines] = (text.match(/\d+/g) ?? ["9", "9", "10"]).map(Number);
  return { width, height, mines };
}

/** How the settings are called where they are pending. */
const NAMES = /** @type {Record<string, string>} */ ({
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
  const names = pending.map((name) => NAMES[name] ?? name);
  const several = names.length > 1 || pending[0] === "options";
  const last = names.pop();
  const list = names.length ? `${names.join(", ")} and ${last}` : `${last}`;
  return `The new ${list} ${several ? "apply" : "applies"} to the next game.`;
}
