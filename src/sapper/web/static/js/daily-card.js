/** The card of the daily board, with the calendar. */

import { dailyCalendar } from "./daily-calendar.js";
import { dayName, resultText } from "./daily.js";
import { make } from "./dom.js";
import { t, tn } from "./translation.js";

/**
 * @param {Pick<import("./daily.js").App, "card" | "send" | "format">} app
 * @param {import("./protocol.js").Daily} daily
 * @param {object} attempt
 * @param {Record<string, string>} attempt.calendar As in `Daily`, with an attempt that has just begun.
 * @param {boolean} attempt.going Whether today's counting attempt is running.
 * @param {boolean} attempt.abandoned Whether it has been started and abandoned.
 * @param {() => void} attempt.share Copies today's result.
 */
export function showDailyCard({ card, send, format }, daily, { calendar, going, abandoned, share }) {
  const [today, before] = [daily.results[daily.today], daily.results[daily.yesterday]];
  const play = (/** @type {string} */ day) => () => {
    card.hide("daily");
    send({ type: "daily", day });
  };
  const review = (/** @type {string} */ day) => () => void (location.href = `/review?day=${day}`);
  card.show(
    "daily",
    t("Daily board, {day}", { day: dayName(daily.today) }),
    t(
      "16 × 16 with 40 mines, the same board for everyone, solvable without guessing. A new one appears at midnight UTC. Your first attempt counts from its first move, even if you abandon it; later attempts are practice.",
    ),
    [
      { label: today || abandoned ? t("Practise") : going ? t("Continue") : t("Play"), wide: !today, act: play(daily.today) },
      ...(today ? [{ label: t("Review"), act: review(daily.today) }, { label: t("Copy result"), wide: true, act: share }] : []),
      before
        ? { label: t("Review yesterday's"), wide: true, act: review(daily.yesterday) }
        : { label: t("Yesterday's board"), wide: true, act: play(daily.yesterday) },
      { label: t("Leaderboard"), wide: true, act: () => void (location.href = `/leaderboards?day=${daily.today}`) },
    ],
  );
  const list = make("dl");
  const add = (/** @type {string} */ name, /** @type {string} */ value) => list.append(make("dt", name), make("dd", value));
  add(t("Today"), today ? resultText(today, format) : going ? t("in progress") : abandoned ? t("abandoned") : t("not played yet"));
  add(t("Yesterday"), before ? resultText(before, format) : t("not played"));
  add(t("Streak"), tn("{n} day without help", "{n} days without help", daily.streak));
  const choices = card.element.querySelector(".choices");
  choices?.before(list);
  // These come last, so that a phone shows the buttons without scrolling.
  if (daily.calendar) choices?.after(dailyCalendar(calendar, daily.today));
  choices?.after(make("p", t("Only attempts that begin under an account have a place on the leaderboard.")));
  card.element.scrollIntoView({ block: "nearest" });
}
