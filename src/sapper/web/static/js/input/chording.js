/** Determines what mouse buttons and taps do under the player's settings. Pure functions. */

import { isNumber } from "../board/cells.js";

/**
 * How to chord a number: by a click, both buttons or the middle one; by both or the middle one; by
 * the middle one; by a double click; not at all.
 *
 * @typedef {"click" | "buttons" | "middle" | "double" | "off"} Chording
 */

/** @type {readonly Chording[]} */
export const CHORDINGS = ["click", "buttons", "middle", "double", "off"];

export const LEFT = 1;
export const RIGHT = 2;
export const BOTH = LEFT | RIGHT;

/**
 * Return the action of a button press.
 *
 * @param {{button: number, buttons: number, pointerType: string}} event
 * @param {{swap: boolean, chording: Chording}} choices
 * @returns {"open" | "chord" | "mark" | "none"} `none`: no action, not even on release.
 */
export function pressed({ button, buttons, pointerType }, { swap, chording }) {
  const clicks = chording === "click" || chording === "buttons";
  if ((buttons & BOTH) === BOTH && clicks) return "chord";
  if (button === 1) return clicks || chording === "middle" ? "chord" : "none";
  const left = swap && pointerType === "mouse" ? 2 : 0;
  return button === left ? "open" : "mark";
}

/**
 * Return the action for a tap on a cell, or for a click on it with the opening button.
 *
 * @param {string} char The cell's content.
 * @param {{chording: Chording, touch: boolean, again: boolean}} click `again`: it is the second of a double click.
 * @returns {"open" | "chord" | "none"}
 */
export function clicked(char, { chording, touch, again }) {
  if (!isNumber(char)) return "open";
  // A finger has no other buttons.
  if (chording === "click" || (touch && (chording === "buttons" || chording === "middle"))) return "chord";
  return chording === "double" && again ? "chord" : "none";
}
