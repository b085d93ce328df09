/**
 * Values in messages, written as Python writes them.
 */

const MOST = 80;
const ITEMS = 4;
const LONG = 40;

/** Return a value on one line, shortened: `None`, `True`, `'text'`, `[1, 2]`, `{'a': 1}`. */
export function shown(/** @type {unknown} */ value) {
  let written;
  try {
    written = typeof value === "string" ? quoted(value.slice(0, MOST)) : repr(value, 3);
  } catch {
    written = "<object>";
  }
  if (written.length <= MOST) return written;
  const quote = typeof value === "string" ? written.slice(-1) : "";
  return shortened(written, MOST - quote.length) + quote;
}

/** Return at most `most` characters of a string, cut between words if possible. */
function shortened(/** @type {string} */ text, /** @type {number} */ most) {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1);
  const words = /\s/.test(text[most - 1]) ? start : start.slice(0, start.lastIndexOf(" ") + 1);
  const kept = 2 * words.length >= most ? words : start;
  return `${kept.replace(/[ ,;:]+$/, "")}…`;
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @returns {string}
 */
function repr(value, depth) {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return quoted(middleCut(value));
  if (typeof value === "number") return numeral(value);
  if (typeof value === "bigint") return middleCut(String(value));
  if (typeof value === "function") return `<function ${value.name}>`;
  if (typeof value === "symbol") return "<symbol>";
  const list = Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
  if (depth === 0) return list ? "[…]" : "{…}";
  if (list) {
    const values = /** @type {ArrayLike<unknown>} */ (value);
    const items = Array.from({ length: Math.min(values.length, ITEMS) }, (_, at) =>
      repr(values[at], depth - 1),
    );
    return `[${[...items, ...(values.length > ITEMS ? ["…"] : [])].join(", ")}]`;
  }
  const keys = Object.keys(/** @type {object} */ (value));
  const pairs = keys
    .slice(0, ITEMS)
    .map((key) => `${quoted(middleCut(key))}: ${repr(Reflect.get(/** @type {object} */ (value), key), depth - 1)}`);
  return `{${[...pairs, ...(keys.length > ITEMS ? ["…"] : [])].join(", ")}}`;
}

function numeral(/** @type {number} */ value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return middleCut(String(value));
}

function middleCut(/** @type {string} */ text) {
  if (text.length <= LONG) return text;
  const before = Math.floor((LONG - 1) / 2);
  return `${text.slice(0, before)}…${text.slice(text.length - (LONG - 1 - before))}`;
}

function quoted(/** @type {string} */ text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\'"\p{C}\u2028\u2029]/gu, (char) => {
    if (char === "\\") return "\\\\";
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[char];
    if (named) return named;
    const code = /** @type {number} */ (char.codePointAt(0));
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
    return `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `${quote}${inner}${quote}`;
}
