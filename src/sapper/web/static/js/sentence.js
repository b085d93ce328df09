/** Formats text as titles, sentences and lists. */

import { inChinese } from "./translation.js";

/**
 * @param {string} text
 * @returns {string} The text with its first letter capitalized.
 */
export function capitalized(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/**
 * @param {string} text
 * @returns {string} The text with its first letter capitalized, and a full stop if it has no final punctuation.
 */
export function sentence(text) {
  return !text || /[.!?。！？]$/.test(text) ? capitalized(text) : `${capitalized(text)}${inChinese ? "。" : "."}`;
}

/**
 * @param {(string | null | undefined | false | 0)[]} texts Sentences, some of which may be left out.
 * @returns {string} All of them in one string.
 */
export function sentences(...texts) {
  return texts.filter(Boolean).join(inChinese ? "" : " ");
}

/**
 * @param {(string | number)[]} items
 * @returns {string} The items in one line.
 */
export function listed(items) {
  return items.join(inChinese ? "，" : ", ");
}
