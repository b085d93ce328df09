/** Periods of time, and the periods to compare them with. Pure functions. */

const DAY_MS = 86_400_000;

/**
 * @typedef {object} Period
 * @property {number | null} since The first millisecond; null for no beginning.
 * @property {number | null} until The millisecond after the last; null for no end.
 */

/**
 * @param {string} day `YYYY-MM-DD`; empty for none.
 * @param {number} [later] Days to add.
 * @returns {number | null} The start of that day in local time.
 */
export function dayStart(day, later = 0) {
  const [year, month, number] = day.split("-").map(Number);
  return day ? new Date(year, month - 1, number + later).getTime() : null;
}

/**
 * @param {string} choice `all`, `range`, or a number of days up to today.
 * @param {string} from The first day of a range.
 * @param {string} to Its last day.
 * @param {Date} now
 * @returns {Period}
 */
export function period(choice, from, to, now) {
  if (choice === "all") return { since: null, until: null };
  if (choice === "range") return { since: dayStart(from), until: dayStart(to, 1) };
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return { since: new Date(year, month, day + 1 - Number(choice)).getTime(), until: new Date(year, month, day + 1).getTime() };
}

/**
 * @param {string} choice `none`, `before`, `year` or `range`.
 * @param {Period} shown The period to compare.
 * @param {string} from The first day of a range.
 * @param {string} to Its last day.
 * @returns {Period | null} The period to compare with; null if there is none.
 */
export function versus(choice, { since, until }, from, to) {
  if (choice === "range") return from || to ? period("range", from, to, new Date(0)) : null;
  if (choice === "none" || since === null) return null;
  if (choice === "year") return { since: yearBefore(since), until: until === null ? null : yearBefore(until) };
  if (until === null) return { since: null, until: since };
  // The length is in whole days, regardless of clock changes.
  const days = Math.round((until - since) / DAY_MS);
  const begin = new Date(since);
  begin.setDate(begin.getDate() - days);
  return { since: begin.getTime(), until: since };
}

/** @param {number} moment */
function yearBefore(moment) {
  const found = new Date(moment);
  found.setFullYear(found.getFullYear() - 1);
  return found.getTime();
}

/**
 * @param {Period} period
 * @returns {Record<string, string>} The parameters of a request.
 */
export function parameters({ since, until }) {
  return {
    ...(since === null ? {} : { since_ms: String(since) }),
    ...(until === null ? {} : { until_ms: String(until) }),
  };
}
