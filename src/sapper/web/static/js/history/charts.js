/** The charts of win times and of results over time. */

import { make } from "../dom.js";
import { Plot } from "../lab/plot.js";
import { date, number, t, tn } from "../translation.js";
import { percent, seconds } from "./figures.js";

/** @typedef {import("./types.js").Statistics} Statistics */
/** @typedef {import("./types.js").Part} Part */

/**
 * @param {string} title
 * @param {string} about
 * @param {Plot} plot
 */
function figure(title, about, plot) {
  const made = make("figure");
  const caption = make("figcaption", title);
  caption.append(make("small", about));
  made.append(caption, plot.svg);
  return made;
}

/** @param {Statistics} found */
function times({ distribution: { ends, games }, won }) {
  const most = Math.max(...games);
  const label = t("Times of won games, in {n} bins", { n: games.length });
  const plot = new Plot(
    label,
    { name: t("time (s)"), most: ends[ends.length - 1], text: number },
    { name: t("won games"), most, whole: true, text: number },
  );
  games.forEach((count, at) => {
    const [low, high] = [ends[at], ends[at + 1]];
    const says = t("{low} to {high}: {games}", { low: seconds(low), high: seconds(high), games: tn("{n} game", "{n} games", count) });
    plot.bar("bar-won", (low + high) / 2, (high - low) * 0.86, count, says);
  });
  return figure(t("Times"), tn("{n} win; the last bar includes all slower times", "{n} wins; the last bar includes all slower times", won), plot);
}

/** @param {Statistics} found */
function span({ trend, trend_unit: unit }) {
  const show = /** @type {Intl.DateTimeFormatOptions} */ (
    unit === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" }
  );
  const day = (/** @type {Part} */ part) => new Date(`${part.from}T12:00`);
  const [first, last] = [day(trend[0]).getTime(), day(trend[trend.length - 1]).getTime()];
  const most = Math.max(last - first, 86_400_000);
  const alone = trend.length === 1;
  /** @param {Part} part */
  const x = (part) => (alone ? most / 2 : day(part).getTime() - first);
  return {
    x,
    axis: { name: t("date"), most, text: () => "" },
    name: (/** @type {Part} */ part) => date(day(part), show),
    about: unit === "day" ? t("by day") : unit === "week" ? t("by week") : t("by month"),
    /** @param {Plot} plot */
    dates(plot) {
      const few = trend.length > 1 ? [trend[0], trend[trend.length >> 1], trend[trend.length - 1]] : [trend[0]];
      for (const part of new Set(few)) {
        const anchor = alone ? "middle" : part === trend[0] ? "start" : part === trend[trend.length - 1] ? "end" : "middle";
        plot.add("text", { x: plot.x(x(part)), y: plot.y(0) + 18, "text-anchor": anchor }, date(day(part), show));
      }
    },
  };
}

/** @param {Statistics} found */
function rates(found) {
  const { x, axis, name, about, dates } = span(found);
  const plot = new Plot(t("Win rate over time, with 95 % intervals"), axis, {
    name: t("won"),
    most: 1,
    text: (value) => percent(value, 0),
  });
  dates(plot);
  for (const part of found.trend) {
    const [low, high] = part.interval;
    const rate = part.won / part.games;
    const won = t("{won} of {games} won", { won: number(part.won), games: number(part.games) });
    plot.point(x(part), rate, low, high, t("{day}: {won}, {rate}", { day: name(part), won, rate: percent(rate) }));
  }
  return figure(t("Win rate"), t("{unit}, with 95 % intervals", { unit: about }), plot);
}

/** @param {Statistics} found */
function speeds(found) {
  const { x, axis, name, about, dates } = span(found);
  const known = found.trend.filter((part) => part.median_s !== null);
  const most = Math.max(...known.map((part) => part.median_s ?? 0));
  const plot = new Plot(t("Median time of won games over time"), axis, {
    name: t("median time (s)"),
    most,
    text: number,
  });
  dates(plot);
  plot.line(known.map(x), known.map((part) => part.median_s ?? 0));
  for (const part of known) {
    const median = part.median_s ?? 0;
    plot.point(x(part), median, median, median, t("{day}: {time}", { day: name(part), time: seconds(median) }));
  }
  return figure(t("Median time"), t("of won games, {unit}", { unit: about }), plot);
}

/**
 * @param {HTMLElement} place
 * @param {Statistics} found
 */
export function showCharts(place, found) {
  place.replaceChildren(...(found.won ? [times(found)] : []), rates(found), ...(found.won ? [speeds(found)] : []));
}
