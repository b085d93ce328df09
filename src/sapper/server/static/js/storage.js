/** What this browser keeps between visits; a browser that refuses keeps nothing, and all works. */

/**
 * @param {string} key
 * @returns {string | null}
 */
export function read(key) {
  try {
    return localStorage.getItem(key);
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
  } catch {
    // Private windows and blocked cookies refuse; the choice lasts as long as the page.
  }
}
