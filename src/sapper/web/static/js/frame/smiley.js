/** The smiley, whose mood is neutral, pressing, lost or won. Pressing it starts a new game. */

const FACE =
  '<circle cx="12" cy="12" r="10" fill="#ffd93b" stroke="#1a1a1a" stroke-width="1.2"/>';
const EYES = '<circle cx="8.6" cy="9.6" r="1.4"/><circle cx="15.4" cy="9.6" r="1.4"/>';
const line = (/** @type {string} */ d, width = 1.4) =>
  `<path d="${d}" fill="none" stroke="#1a1a1a" stroke-width="${width}" stroke-linecap="round"/>`;

/** @typedef {"neutral" | "pressing" | "lost" | "won"} Mood */

/** @type {Record<Mood, string>} */
const MOODS = {
  neutral: EYES + line("M7.2 14.6Q12 19 16.8 14.6"),
  pressing: EYES + '<circle cx="12" cy="15.8" r="2.5" fill="none" stroke="#1a1a1a" stroke-width="1.4"/>',
  lost:
    line("M7 8l3 3M10 8l-3 3M14 8l3 3M17 8l-3 3", 1.5) + line("M7.5 17.2Q12 13 16.5 17.2"),
  won:
    '<path d="M4 8h16l-.6 1H13l-.500.6h-1L11 9H4.6Z"/>' +
    '<path d="M5.6 8.6h5.6q0 3.4-2.8 3.4t-2.8-3.4ZM12.8 8.6h5.6q0 3.4-2.8 3.4t-2.8-3.4Z"/>' +
    line("M7.6 15.2Q12 18.8 16.4 15.2"),
};

/** `<smiley-face>`: set its `mood`. */
export class SmileyFace extends HTMLElement {
  #mood = "";

  /** @param {Mood} mood */
  set mood(mood) {
    if (mood === this.#mood) return;
    this.#mood = mood;
    this.dataset.mood = mood;
    this.innerHTML =
      '<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">' +
      `${FACE}<g fill="#1a1a1a">${MOODS[mood]}</g></svg>`;
  }

  /** @returns {string} */
  get mood() {
    return this.#mood;
  }
}
