/** The card of a move: its verdict, its figures, and the proof that was missed. */

import { placeName } from "../board/cells.js";
import { make } from "../dom.js";
import { write } from "../places.js";
import { mark } from "./kinds.js";
import { chance, kindName, percent, points, verdict } from "./wording.js";
import { t } from "../translation.js";

/** @typedef {import("./types.js").Decision} Decision */

/**
 * @typedef {object} Actions
 * @property {() => void} step Shows the next step of the proof.
 * @property {() => void} retry
 * @property {string} analyze The URL that opens the position on the Analyze page.
 * @property {{text: string, note: string}} [again] Other wording for `retry`.
 */

/**
 * @param {HTMLElement} card
 * @param {Decision} decision
 * @param {number} step The current step of the proof; 0 before the first.
 * @param {boolean} settled Whether its win chances have been calculated.
 * @param {Actions} actions
 */
export function showDecision(card, decision, step, settled, actions) {
  const { index, cell, kind, exploded } = decision;
  const [title, where] = [make("h3"), make("span")];
  write(where, t("Move {move}: {cell}", { move: index + 1, cell: placeName(cell) }));
  title.append(mark(kind), where);
  const name = make("p", exploded ? t("{kind}, a mine", { kind: kindName(kind) }) : kindName(kind));
  name.className = `verdict ${kind}`;
  const text = make("p");
  write(text, verdict(decision, settled));
  card.replaceChildren(title, name, text, ...proof(decision, step, actions), ...figures(decision, settled), links(actions));
}

/**
 * @param {HTMLElement} card
 * @param {string} title
 * @param {string} text
 * @param {HTMLElement[]} actions
 */
export function showEnd(card, title, text, actions) {
  const row = make("div");
  row.className = "choices";
  row.append(...actions);
  card.replaceChildren(make("h3", title), make("p", text), ...(actions.length ? [row] : []));
}

/**
 * @param {Decision} decision
 * @param {number} step
 * @param {Actions} actions
 * @returns {HTMLElement[]}
 */
function proof({ proof: found, pattern }, step, actions) {
  if (!found?.steps.length) return [];
  const { steps } = found;
  const box = make("div");
  box.className = "proof";
  if (pattern) {
    const name = make("p", t("Missed: {pattern}", { pattern: pattern.title }));
    name.className = "step-title";
    box.append(name);
  }
  if (step) {
    const text = make("p");
    write(text, t("{step} of {steps}: {text}", { step, steps: steps.length, text: steps[step - 1].text }));
    box.append(text);
  }
  const next = make("button", step === 0 ? t("Show the proof") : step < steps.length ? t("Next step") : t("Start again"));
  next.type = "button";
  next.id = "proof-next";
  const key = make("kbd", t("Space"));
  next.append(" ", key);
  next.addEventListener("click", () => actions.step());
  const row = make("div");
  row.className = "choices";
  row.append(next);
  if (pattern) {
    const learn = make("a", t("Learn this pattern"));
    learn.className = "button";
    learn.id = "learn-pattern";
    learn.href = `/learn/patterns#${pattern.id}`;
    row.append(learn);
  }
  box.append(row);
  return [box];
}

/**
 * @param {Decision} decision
 * @param {boolean} settled
 * @returns {HTMLElement[]}
 */
function figures({ kind, promised, p_mine, least, best, best_p_mine, before, chosen, loss, exact, cell }, settled) {
  const list = make("dl");
  const add = (/** @type {string} */ name, /** @type {string} */ value) => {
    const shown = make("dd");
    write(shown, value);
    list.append(make("dt", name), shown);
  };
  if (kind === "proved") {
    if (!before) return [];
    add(promised ? t("Win chance afterwards") : t("Win chance"), chance(before));
    return [list];
  }
  const risks = { risk: percent(p_mine), least: percent(least) };
  add(t("Risk taken"), exact ? t("{risk} (lowest {least})", risks) : t("about {risk} (lowest {least})", risks));
  if (!settled) return [list];
  const other = best && (best[0] !== cell[0] || best[1] !== cell[1]);
  if (other && best_p_mine !== null) add(t("Best cell"), t("{cell}, risk {risk}", { cell: placeName(best), risk: percent(best_p_mine) }));
  if (before || chosen) {
    if (other) add(t("It wins"), chance(before));
    add(other ? t("This cell wins") : t("It wins"), chance(chosen));
  }
  if (loss !== null) add(t("Given away"), points(loss));
  return [list];
}

/**
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
function links({ retry, analyze, again: named }) {
  const row = make("div");
  row.className = "choices";
  const again = make("button", named?.text ?? t("Retry from here"));
  again.type = "button";
  again.id = "retry";
  again.title = named?.note ?? t("Play from just before this move, with the same mines. Does not count for best times.");
  again.addEventListener("click", () => retry());
  const link = make("a", t("Analyze it"));
  link.className = "button";
  link.id = "analyze";
  link.href = analyze;
  row.append(again, link);
  const note = make("p", named?.note ?? t("A retry keeps the same mines and does not count for best times."));
  note.className = "fine";
  const both = make("div");
  both.append(row, note);
  return both;
}
