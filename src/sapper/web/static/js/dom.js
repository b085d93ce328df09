/** Typed access to the page's elements by id. */

/**
 * @typedef {{
 *   "custom": HTMLFormElement,
 *   "mines": import("./frame/number-display.js").NumberDisplay,
 *   "time": import("./frame/number-display.js").NumberDisplay,
 *   "progress": HTMLProgressElement,
 * }} Special
 */

/**
 * @template {string} Id
 * @typedef {Id extends keyof Special ? Special[Id] : HTMLElement} ElementOf
 */

/**
 * Return the element with an id.
 *
 * @template {string} Id
 * @param {Id} id
 * @returns {ElementOf<Id>}
 */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return /** @type {ElementOf<Id>} */ (/** @type {HTMLElement} */ (found));
}

/** @param {string} id @returns {HTMLInputElement} */
export const input = (id) => /** @type {HTMLInputElement} */ ($(id));

/** @param {string} id @returns {HTMLSelectElement} */
export const select = (id) => /** @type {HTMLSelectElement} */ ($(id));

/** @param {string} id @returns {HTMLButtonElement} */
export const button = (id) => /** @type {HTMLButtonElement} */ ($(id));

/**
 * Create an element that contains text.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/**
 * @param {string} text
 * @returns {HTMLElement} Text for screen readers only.
 */
export function spoken(text) {
  const made = make("span", text);
  made.className = "spoken";
  return made;
}
