/** Values stored in this browser. If storage is blocked, nothing is stored and the page still works. */

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
    // Blocked, as in some private windows: the choice lasts until the page is closed.
  }
}
