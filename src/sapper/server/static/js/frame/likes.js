/** How a player likes to play in this browser: kept here, and told to nobody. */

const KEY = "sapper.likes";

/** What each is unless chosen otherwise; the names are those of the check boxes. */
const DEFAULTS = { countdown: false, double: false, wave: true };

/** @typedef {keyof typeof DEFAULTS} Like */

/**
 * @param {string | null} text What was kept.
 * @returns {Record<Like, boolean>} Every like; what is unknown or broken is left out.
 */
export function readLikes(text) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    kept = {};
  }
  const likes = { ...DEFAULTS };
  for (const name of /** @type {Like[]} */ (Object.keys(DEFAULTS))) {
    if (typeof kept?.[name] === "boolean") likes[name] = kept[name];
  }
  return likes;
}

export class Likes {
  #likes = readLikes(localStorage.getItem(KEY));

  /** @param {(name: Like) => void} changed Told what was switched. */
  constructor(changed) {
    for (const name of /** @type {Like[]} */ (Object.keys(DEFAULTS))) {
      const box = /** @type {HTMLInputElement} */ (document.getElementById(name));
      box.checked = this.#likes[name];
      box.addEventListener("change", () => {
        this.#likes[name] = box.checked;
        localStorage.setItem(KEY, JSON.stringify(this.#likes));
        changed(name);
      });
    }
  }

  /** @returns {boolean} Whether numbers count down. */
  get countdown() {
    return this.#likes.countdown;
  }

  /** @returns {boolean} Whether only a double click opens. */
  get double() {
    return this.#likes.double;
  }

  /** @returns {boolean} Whether floods open as a wave. */
  get wave() {
    return this.#likes.wave;
  }
}
