/** The page URLs for a folder of static files. */

const FILES = { index: "index.html", analyze: "analyze.html" };

/**
 * @param {"index" | "analyze"} page
 * @param {string} fragment Without the `#`.
 * @returns {string}
 */
export function addressOf(page, fragment) {
  return new URL(`${FILES[page]}#${fragment}`, document.baseURI).href;
}
