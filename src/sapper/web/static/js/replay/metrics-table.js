/** A table of a game's metrics, with current and final values. */

import { make } from "../dom.js";
import { number, t } from "../translation.js";

/** @typedef {import("./recorded-game.js").RecordedGame} RecordedGame */
/** @typedef {import("./recorded-game.js").Figures} Figures */
/** @typedef {import("./types.js").Metrics} Metrics */

/** @typedef {[name: string, title: string, now: string, end: string]} Row */

/**
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
function shown(value, digits = 0) {
  return value === null || value === undefined ? "–" : number(value, digits);
}

/**
 * @param {Figures} now
 * @param {Metrics} end
 * @param {{now: number, end: number} | null} risk The chance of losing from the risks taken.
 * @returns {Row[]}
 */
export function rows(now, end, risk) {
  const [left, right, double, effective] = now.clicks;
  const clicks = left + right + double;
  const rate = (/** @type {number} */ count) => (now.time ? count / now.time : null);
  const agreed = (/** @type {boolean} */ value) => (value ? t("Yes") : t("No"));
  const percent = (/** @type {number} */ share) => t("{percent} %", { percent: number(100 * share, 1) });
  return [
    [t("Time"), t("Seconds since the first cell was opened"), shown(now.time, 3), shown(end.time_s, 3)],
    [t("3BV"), t("3BV solved, out of the board's 3BV"), `${now.solved} / ${end.board.bbbv}`, `${end.solved} / ${end.board.bbbv}`],
    [t("3BV/s"), t("3BV solved per second"), shown(now.speed, 3), shown(end.bbbv_s, 3)],
    [t("Est. time"), t("Time for the whole board at this speed"), shown(now.estimated, 2), shown(end.estimated_s, 2)],
    [t("Clicks"), t("All left, right and double clicks"), shown(clicks), shown(end.clicks.all)],
    [t("Left"), t("Left clicks"), shown(left), shown(end.clicks.left)],
    [t("Right"), t("Right clicks"), shown(right), shown(end.clicks.right)],
    [t("Double"), t("Chords"), shown(double), shown(end.clicks.double)],
    [t("Effective"), t("Clicks that had an effect"), shown(effective), shown(end.clicks.effective)],
    [t("Clicks/s"), t("Clicks of any kind per second"), shown(rate(clicks), 3), shown(end.clicks_s, 3)],
    [t("Left/s"), t("Left clicks per second"), shown(rate(left), 3), shown(end.left_s, 3)],
    [t("Right/s"), t("Right clicks per second"), shown(rate(right), 3), shown(end.right_s, 3)],
    [t("Double/s"), t("Chords per second"), shown(rate(double), 3), shown(end.double_s, 3)],
    [t("Effective/s"), t("Effective clicks per second"), shown(rate(effective), 3), shown(end.effective_s, 3)],
    [t("IOE"), t("3BV solved per click"), shown(now.ioe, 3), shown(end.ioe, 3)],
    [t("Corr"), t("Effective clicks per click"), shown(now.corr, 3), shown(end.corr, 3)],
    [t("ThrP"), t("3BV solved per effective click"), shown(now.thrp, 3), shown(end.thrp, 3)],
    [t("RQP"), t("Time divided by 3BV/s; lower is better"), shown(now.rqp, 2), shown(end.rqp, 2)],
    [t("QG"), t("Time to the power of 1.7, divided by 3BV solved; lower is better"), "", shown(end.qg, 3)],
    [t("STNB"), t("Rating from time and 3BV, for the three standard levels"), "", shown(end.stnb, 2)],
    [t("Flags"), t("Flags on the board"), shown(now.flags), shown(end.flags)],
    [t("Path"), t("Length of the pointer's path in pixels, at 16 pixels per cell"), shown(now.path), shown(end.path_px)],
    [t("Risk"), t("Combined chance of losing from all risks taken"), risk ? percent(risk.now) : "–", risk ? percent(risk.end) : "–"],
    [t("Openings"), t("Groups of zeros on the board"), "", shown(end.board.openings)],
    [t("Islands"), t("Groups of numbers outside any opening"), "", shown(end.board.islands)],
    [t("ZiNi"), t("Estimated clicks with flags and chords, by a greedy search"), "", shown(end.board.zini)],
    [t("HZiNi"), t("Estimated clicks with flags and chords, as a person would play"), "", shown(end.board.hzini)],
    [t("Fair"), t("Won without help, as far as the file shows"), "", agreed(end.is_fair)],
    [t("Official"), t("Fair, and in the standard mode"), "", agreed(end.is_official)],
  ];
}

export class MetricsTable {
  /** @type {HTMLElement[]} The cells of the current values. */
  #now = [];
  #end = "";

  /** @param {HTMLElement} body A `tbody`. */
  constructor(body) {
    this.body = body;
  }

  /**
   * @param {Figures} figures
   * @param {Metrics} metrics
   * @param {{now: number, end: number} | null} risk
   */
  show(figures, metrics, risk) {
    const all = rows(figures, metrics, risk);
    const end = JSON.stringify(all.map(([name, , , value]) => [name, value]));
    if (end !== this.#end) {
      this.#end = end;
      this.#now = [];
      this.body.replaceChildren(
        ...all.map(([name, title, , value]) => {
          const [line, head, now] = [make("tr"), make("th", name), make("td")];
          head.scope = "row";
          head.title = title;
          this.#now.push(now);
          line.append(head, now, make("td", value));
          return line;
        }),
      );
    }
    all.forEach(([, , now], i) => {
      if (this.#now[i].textContent !== now) this.#now[i].textContent = now;
    });
  }
}
