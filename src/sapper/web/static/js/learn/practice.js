/** Pattern practice: its wording, and the panel with today's numbers. */

import { $ } from "../dom.js";
import { sentence, sentences } from "../sentence.js";
import { t, tn } from "../translation.js";
import { mineCount } from "./texts.js";

/** @typedef {import("./types.js").Practice} Practice */

const [HOUR, DAY] = [3600, 86_400];

/**
 * @param {string} hash The URL fragment.
 * @returns {string} The pattern to practise; empty for the daily queue.
 */
export const chosenPattern = (hash) => /^#practice:([a-z0-9-]+)$/.exec(hash)?.[1] ?? "";

/**
 * @param {import("./types.js").PracticeExercise} exercise
 * @param {boolean} touch
 * @returns {string}
 */
export function practicePrompt({ rows, mines }, touch) {
  const act = touch
    ? t("Tap once for a safe cell, twice for a mine. Then check.")
    : t("Click once for a safe cell, twice for a mine. Then check.");
  return sentences(act, mineCount(rows, mines));
}

/**
 * @param {number} seconds
 * @returns {string} The time until a pattern comes back.
 */
export function again(seconds) {
  if (seconds < HOUR) return t("Again today");
  const days = Math.max(1, Math.round(seconds / DAY));
  return tn("Again in {n} day", "Again in {n} days", days);
}

/**
 * @param {Practice} practice
 * @returns {string}
 */
export function doneText({ next_due_s: next }) {
  const more = t("You can practise any pattern from its page.");
  return next === null ? more : sentences(sentence(again(Math.max(next, HOUR))), more);
}

/**
 * @param {import("./types.js").PracticeVerdict} verdict
 * @param {boolean} answered Whether an answer was given; otherwise the solution was requested.
 * @returns {{title: string, text: string, about: string}}
 */
export function practiceOutcome(verdict, answered) {
  const { solved, text, name, friend, friend_name: friendName, interval_s: interval, counted } = verdict;
  const title = solved ? t("Correct") : answered ? t("Not solved") : t("The solution");
  const shown = friend ? t("{friend}, which looks like {pattern}", { friend: friendName, pattern: name }) : name;
  const when = counted && interval !== null ? again(interval) : "";
  return { title, text, about: [shown, when].filter(Boolean).join(" · ") };
}

/**
 * @param {Practice} practice
 * @param {string} [pattern] The pattern that was just shown.
 */
export function showToday({ due, new: fresh, streak, answered, solved }, pattern = "") {
  $("today-due").textContent = String(due);
  $("today-new").textContent = String(fresh);
  $("today-streak").textContent = String(streak);
  $("today-text").textContent = answered ? t("Today: {solved} of {total} right.", { solved, total: answered }) : "";
  $("today-pattern").textContent = pattern ? t("See this pattern") : t("All patterns");
  $("today-pattern").setAttribute("href", pattern ? `/learn/patterns#${pattern}` : "/learn/patterns");
  $("today-daily").hidden = !chosenPattern(location.hash);
}
