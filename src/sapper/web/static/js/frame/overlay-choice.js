/** The radio button for an overlay. */

import { make } from "../dom.js";

/**
 * @param {import("../protocol.js").OverlayChoice} overlay
 * @returns {HTMLElement}
 */
export function overlayChoice({ name, label, summary }) {
  const [choice, radio] = [make("label"), make("input")];
  [radio.type, radio.name, radio.value] = ["radio", "overlay", name];
  choice.append(radio, label);
  choice.title = summary;
  return choice;
}
