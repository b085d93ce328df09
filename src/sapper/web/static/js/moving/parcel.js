/** The data that moves with a page from one name of this machine to another, in the fragment of a URL. */

const PREFIX = "sapper.";
const LANGUAGE = "sapper-language";
/** Marks that the settings have been taken over, so that they never replace newer ones. */
const MOVED = "sapper.moved";
const YEAR_S = 31_536_000;

/**
 * @typedef {object} Parcel
 * @property {string} token
 * @property {string} path The URL to open, without its origin.
 * @property {() => void} keep Stores the settings that this browser does not have yet, once.
 */

/**
 * @param {string} token
 * @param {string} path
 * @returns {string} A fragment with the token, the path and the settings of this browser.
 */
export function packed(token, path) {
  return encodeURIComponent(JSON.stringify({ token, path, settings: settings(), language: language() }));
}

/**
 * @param {string} fragment
 * @returns {Parcel | null} Null if `packed` did not make the fragment.
 */
export function unpacked(fragment) {
  try {
    const found = JSON.parse(decodeURIComponent(fragment));
    const { token, path } = found;
    if (typeof token !== "string" || typeof path !== "string") return null;
    const url = new URL(path, location.origin);
    // Only a path: an attacker's link cannot lead to another site.
    const own = path.startsWith("/") && url.origin === location.origin;
    return { token, path: own ? url.pathname + url.search + url.hash : "/", keep: () => keep(found) };
  } catch {
    return null;
  }
}

/** @returns {Record<string, string>} */
function settings() {
  try {
    return Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX)));
  } catch {
    // Storage is blocked.
    return {};
  }
}

/** @returns {string | undefined} The chosen language. */
function language() {
  return document.cookie.split("; ").find((cookie) => cookie.startsWith(`${LANGUAGE}=`))?.slice(LANGUAGE.length + 1);
}

/** @param {{ settings?: unknown, language?: unknown }} found */
function keep({ settings: given, language: chosen }) {
  if (typeof chosen === "string" && /^[\w-]{2,20}$/.test(chosen) && language() === undefined) {
    document.cookie = `${LANGUAGE}=${chosen}; path=/; max-age=${YEAR_S}; samesite=lax`;
  }
  try {
    if (localStorage.getItem(MOVED) !== null) return;
    for (const [key, value] of Object.entries(given ?? {})) {
      const isNew = key.startsWith(PREFIX) && localStorage.getItem(key) === null;
      if (isNew && typeof value === "string") localStorage.setItem(key, value);
    }
    localStorage.setItem(MOVED, "true");
  } catch {
    // Storage is blocked or full.
  }
}
