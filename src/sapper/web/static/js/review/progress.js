/** A review's progress and results so far, for the Review and Replay pages. */

import { $, make } from "../dom.js";
import { t } from "../translation.js";
import { mark } from "./kinds.js";
import { KINDS, kindName, luckText } from "./wording.js";

/** @param {import("./game.js").ReviewedGame | null} review */
export function showProgress(review) {
  const { done = 0, total = 0, summary = null, decisions = [] } = review ?? {};
  $("working").hidden = !review || summary !== null;
  $("progress").max = total || 1;
  $("progress").value = done;
  $("progress-text").textContent = t("{done} of {total} steps", { done, total });
  $("luck").textContent = review && summary ? luckText(summary, review.game) : "";
  $("luck").hidden = !summary;
  $("counts").replaceChildren(
    ...KINDS.map((kind) => {
      const count = decisions.filter((each) => each?.kind === kind).length;
      const line = make("li");
      line.append(mark(kind), make("b", String(count)), ` ${kindName(kind, count)}`);
      line.hidden = !count;
      return line;
    }),
  );
}
