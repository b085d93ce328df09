/** Texts as titles and as sentences. */

/**
 * @param {string} text
 * @returns {string} The text with a capital.
 */
export function capitalized(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/**
 * @param {string} text
 * @returns {string} The text with a capital, and a full stop if it ends without a mark.
 */
export function sentence(text) {
  return !text || /[.!?]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`;
}
