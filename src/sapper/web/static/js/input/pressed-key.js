/** The key of a keyboard event, independent of the script of the keyboard layout. */

/** Characters of Cyrillic, Greek, Hebrew, Arabic and all other scripts, but no Latin letters, signs or key names. */
const OTHER_SCRIPT = /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u;

/** The characters of other keys than letters and digits, without and with Shift. */
const SIGNS = /** @type {Record<string, string>} */ ({
  Minus: "-_", Equal: "=+", BracketLeft: "[{", BracketRight: "]}", Backslash: "\\|", Semicolon: ";:", Quote: "'\"",
  Backquote: "\u0060~", Comma: ",<", Period: ".>", Slash: "/?", IntlBackslash: "<>",
});

/**
 * Return the key that was pressed. If the layout types another script than Latin, this is the
 * character that the same key types on a US keyboard.
 *
 * @param {{key: string, code?: string, shiftKey?: boolean}} event
 * @returns {string} As `KeyboardEvent.key`.
 */
export function pressedKey({ key, code = "", shiftKey = false }) {
  if (!OTHER_SCRIPT.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return (/^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? SIGNS[code]?.[Number(shiftKey)]) || key;
}

/**
 * @param {string} key
 * @returns {boolean} Whether only a layout of another script than Latin has the key.
 */
export function ofOtherScript(key) {
  return OTHER_SCRIPT.test(key);
}
