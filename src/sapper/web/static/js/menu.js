/** The choices that the server offers, and their labels. */

/** @typedef {import("./protocol.js").Menu} Menu */

/** The labels of bots and levels, by name. @type {Map<string, string>} */
const labels = new Map();

/**
 * Remember the labels in a menu.
 *
 * @param {Menu} menu
 */
export function learnLabels({ levels, bots }) {
  for (const { name, label } of [...levels, ...bots]) labels.set(name, label);
}

/** @returns {Promise<Menu>} The menu, on pages without a game. */
export async function loadMenu() {
  /** @type {Menu} */
  const menu = /** @type {any} */ (globalThis).sapperMenu ?? (await (await fetch("/api/menu")).json());
  learnLabels(menu);
  return menu;
}

/**
 * @param {string} name The name of a bot or level.
 * @returns {string} Its label, or the name in words: `my-bot` as `My bot`.
 */
export function nameLabel(name) {
  const words = name.replaceAll(/[_-]/g, " ");
  return labels.get(name) ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}
