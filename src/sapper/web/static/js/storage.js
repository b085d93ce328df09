/** Values stored in this browser or, if storage is blocked or full, only until the page is closed. */

/** @type {Map<string, string>} Values that could not be stored. */
const unstored = new Map();

/**
 * @param {string} key
 * @returns {string | null}
 */
export function read(key) {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
}
