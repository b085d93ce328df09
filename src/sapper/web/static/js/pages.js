/** The URLs of the pages. */

/**
 * @param {"index" | "analyze"} page
 * @param {string} fragment Without the `#`.
 * @returns {string}
 */
export function addressOf(page, fragment) {
  return `${location.origin}/${page === "index" ? "" : page}#${fragment}`;
}
