/** Red seven-segment displays on black, as SVG: the mine counter and the timer. */

/*  Segments:   a
              f   b
                g
              e   c
                d      */
const LIT = /** @type {Record<string, string>} */ ({
  0: "abcdef", 1: "bc", 2: "abged", 3: "abgcd", 4: "fgbc",
  5: "afgcd", 6: "afgecd", 7: "abc", 8: "abcdefg", 9: "abcdfg",
  "-": "g", " ": "",
});

const PATHS = /** @type {Record<string, string>} */ ({
  a: "M2.3 1h8.4L8.4 3.3H4.6Z",
  b: "M11.5 1.7v8.8L10.3 11.2 9.2 10.2V4Z",
  c: "M11.5 21.3v-8.8L10.3 11.8 9.2 12.8V19Z",
  d: "M2.3 22h8.4L8.4 19.7H4.6Z",
  e: "M1.5 21.3v-8.8L2.7 11.8 3.8 12.8V19Z",
  f: "M1.5 1.7v8.8L2.7 11.2 3.8 10.2V4Z",
  g: "M3.2 11.5 4.4 10.4H8.6L9.8 11.5 8.6 12.6H4.4Z",
});

/**
 * Return a whole number for the display: at least three digits, with the minus sign first.
 *
 * @param {number} value
 * @returns {string}
 */
export function places(value) {
  const whole = Math.trunc(value);
  return whole < 0 ? `-${String(-whole).padStart(2, "0")}` : String(whole).padStart(3, "0");
}

/**
 * Return the lit segments of one digit.
 *
 * @param {string} char A digit, a minus sign or a space.
 * @returns {Set<string>}
 */
export function litSegments(char) {
  return new Set(LIT[char] ?? "");
}

/**
 * @param {string} text
 * @returns {string} The SVG of a display that shows `text`.
 */
export function drawing(text) {
  const digits = [...text].map((char, i) => {
    const lit = litSegments(char);
    const segments = Object.entries(PATHS)
      .map(([name, path]) => `<path class="${lit.has(name) ? "lit" : "dim"}" d="${path}"/>`)
      .join("");
    return `<g transform="translate(${15 * i})">${segments}</g>`;
  });
  return (
    `<svg viewBox="-1 0 ${15 * text.length} 23" aria-hidden="true" focusable="false">` +
    `${digits.join("")}</svg>`
  );
}
