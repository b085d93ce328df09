/** The calendar of daily boards, which shows one month with the result of each day. */

import { make } from "./dom.js";
import { capitalized } from "./sentence.js";
import { date, t } from "./translation.js";

/** The sign and text of a day, by its character in `Daily.calendar`. */
const MARKS = /** @type {Record<string, {name: string, sign: string, text: string}>} */ ({
  w: { name: "won", sign: "✓", text: t("won") },
  h: { name: "helped", sign: "✓", text: t("won with help") },
  l: { name: "lost", sign: "✗", text: t("lost") },
  a: { name: "abandoned", sign: "–", text: t("abandoned") },
  p: { name: "going", sign: "…", text: t("in progress") },
});

/**
 * Return the days of a month in weeks that begin on Monday (ISO 8601), with null outside the month.
 *
 * @param {string} month As YYYY-MM.
 * @returns {(string | null)[][]} Days as YYYY-MM-DD.
 */
export function weeksOf(month) {
  const first = new Date(`${month}-01T00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const before = (first.getUTCDay() + 6) % 7;
  /** @type {(string | null)[]} */
  const days = Array.from({ length: before }, () => null);
  for (let day = 1; day <= count; day += 1) days.push(`${month}-${String(day).padStart(2, "0")}`);
  while (days.length % 7) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
}

/**
 * @param {string} month As YYYY-MM.
 * @param {number} by The number of months to add.
 * @returns {string}
 */
export function monthAfter(month, by) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** @param {string} day @param {Intl.DateTimeFormatOptions} options */
const named = (day, options) => date(new Date(`${day}T00:00Z`), { ...options, timeZone: "UTC" });

/**
 * @param {Record<string, string>} calendar A character per day, by month.
 * @param {string} today As YYYY-MM-DD; the latest month is its own.
 * @returns {HTMLElement}
 */
export function dailyCalendar(calendar, today) {
  const last = today.slice(0, 7);
  const first = [last, ...Object.keys(calendar)].sort()[0];
  let month = last;
  const element = make("section");
  element.className = "daily-calendar";
  element.setAttribute("aria-label", t("Calendar of daily boards"));
  const heading = make("h3");
  // A screen reader announces the month after a button press.
  heading.setAttribute("aria-live", "polite");
  const table = make("table");
  const turn = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) => {
    const button = make("button", sign);
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") show(monthAfter(month, by));
    });
    return button;
  };
  const [back, forth] = [turn(-1, "‹", t("Previous month")), turn(1, "›", t("Next month"))];
  const bar = make("div");
  bar.className = "turn";
  bar.append(back, heading, forth);

  /** @param {string} wanted */
  function show(wanted) {
    month = wanted;
    heading.textContent = capitalized(named(`${month}-01`, { month: "long", year: "numeric" }));
    // `disabled` would take the focus away from a button that was just pressed.
    back.setAttribute("aria-disabled", String(month <= first));
    forth.setAttribute("aria-disabled", String(month >= last));
    const weeks = weeksOf(month);
    const head = make("tr");
    // 1 June 2026 is a Monday.
    for (let at = 1; at <= 7; at += 1) {
      const cell = make("th", named(`2026-06-0${at}`, { weekday: "narrow" }));
      cell.scope = "col";
      cell.abbr = named(`2026-06-0${at}`, { weekday: "long" });
      head.append(cell);
    }
    const marks = calendar[month] ?? "";
    table.replaceChildren(head, ...weeks.map((week) => row(week, marks, today)));
    table.setAttribute("aria-label", heading.textContent);
  }
  show(last);
  element.append(bar, table);
  return element;
}

/**
 * @param {(string | null)[]} week
 * @param {string} marks
 * @param {string} today
 */
function row(week, marks, today) {
  const made = make("tr");
  for (const day of week) {
    const cell = make("td");
    made.append(cell);
    if (day === null) continue;
    const mark = MARKS[marks[Number(day.slice(8)) - 1]];
    const number = String(Number(day.slice(8)));
    if (day === today) cell.setAttribute("aria-current", "date");
    if (mark) cell.className = mark.name;
    if (day > today) cell.className = "future";
    const says = mark?.text ?? (day > today ? "" : t("not played"));
    const shown = make("span", number);
    cell.append(shown);
    if (mark) {
      const sign = make("b", mark.sign);
      sign.setAttribute("aria-hidden", "true");
      cell.append(sign);
    }
    if (!says) continue;
    const said = make("span", `, ${says}`);
    said.className = "sr-only";
    cell.append(said);
    cell.title = t("{day}: {result}", { day: named(day, { dateStyle: "medium" }), result: says });
  }
  return made;
}
