/**
 * Messages, numbers and dates in the reader's language.
 *
 * English is the source language. The server puts translations before a page's scripts; without
 * them, messages stay in English.
 */

/** @typedef {Record<string, string | number>} Values */

/** @type {{language?: string, forms?: string, messages?: Record<string, string | string[]>}} */
const { language = "en", forms = "", messages = {} } = /** @type {any} */ (globalThis).sapperTexts ?? {};

/** The locale for numbers and dates: the browser's variant of the page's language, if it has one. */
export const locale =
  (typeof navigator === "undefined" ? [] : (navigator.languages ?? [])).find((each) => written(each) === written(language)) ??
  language;

/**
 * Return the language and script of a locale, because Chinese, for example, has two scripts.
 *
 * @param {string} name
 * @returns {string}
 */
function written(name) {
  const full = new Intl.Locale(name).maximize();
  return `${full.language}-${full.script}`;
}

/** Chinese has its own full stop and list comma, and no spaces after them. */
export const inChinese = language.split("-")[0] === "zh";

/**
 * @param {string} text
 * @param {Values} values
 * @returns {string}
 */
function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/**
 * Return a message in the reader's language.
 *
 * @param {string} source In English, with placeholders `{name}` for the values.
 * @param {Values} [values]
 * @returns {string}
 */
export function t(source, values = {}) {
  const found = messages[source] ?? source;
  return fill(typeof found === "string" ? found : found[0], values);
}

/**
 * Return a message that depends on a count, which is also available as `{n}`.
 *
 * @param {string} one In English, for a count of one.
 * @param {string} other For every other count.
 * @param {number} count
 * @param {Values} [values]
 * @returns {string}
 */
export function tn(one, other, count, values = {}) {
  const found = messages[one];
  // For large counts, every plural rule depends on the last two digits.
  const form = Number(forms[count < 200 ? count : 100 + (count % 100)] ?? 0);
  const text = found === undefined ? (count === 1 ? one : other) : Array.isArray(found) ? found[form] : found;
  return fill(text, { n: count, ...values });
}

/**
 * @param {number} value
 * @param {number} [digits] After the decimal separator.
 * @returns {string}
 */
export function number(value, digits = 0) {
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * @param {number} value
 * @returns {string} Without thousands separators.
 */
export function ungrouped(value) {
  return value.toLocaleString(locale, { useGrouping: false });
}

/**
 * @param {Date} value
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {string}
 */
export function date(value, options) {
  return value.toLocaleDateString(locale, options);
}

/**
 * Return a pattern that matches a translated text whose values are whole numbers.
 *
 * @param {string} source
 * @returns {RegExp} Its groups are named after the placeholders.
 */
export function pattern(source) {
  const escaped = t(source).replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(escaped.replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>\d+)`), "gi");
}
