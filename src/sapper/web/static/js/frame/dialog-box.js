/** A box with a title, content and a message, made when it is first opened. */

import { make } from "../dom.js";

/**
 * Return a box and its parts; create them on the first call.
 *
 * @param {string} name The box has the id `NAME-box`.
 * @param {string} title
 * @param {"div" | "ul"} kind The element that holds the content.
 * @returns {{ box: HTMLElement, content: HTMLElement, said: HTMLElement }}
 */
export function dialogBox(name, title, kind) {
  const box = document.getElementById(`${name}-box`) ?? made(name, title, kind);
  const [, content, said] = /** @type {HTMLCollectionOf<HTMLElement>} */ (box.children);
  return { box, content, said };
}

/**
 * @param {string} name
 * @param {string} title
 * @param {"div" | "ul"} kind
 */
function made(name, title, kind) {
  const box = make("div");
  box.className = `box dialog ${name}`;
  box.id = `${name}-box`;
  box.popover = "auto";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-labelledby", `${name}-name`);
  const heading = make("h2", title);
  heading.id = `${name}-name`;
  const said = make("p");
  said.setAttribute("role", "status");
  box.append(heading, make(kind), said);
  // While the box is open, the page's own keys have no effect.
  box.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(box);
  return box;
}
