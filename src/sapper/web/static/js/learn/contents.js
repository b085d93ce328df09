/** The list with the trainer and the lessons, which have a small picture of their board. */

import { make } from "../dom.js";
import { t, tn } from "../translation.js";

const CELL = 9;
const [COLUMNS, ROWS] = [6, 4];

/**
 * A board as a small picture.
 *
 * @param {string[]} rows
 * @returns {SVGElement}
 */
export function picture(rows) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const shown = rows.slice(0, ROWS).map((row) => [...row.slice(0, COLUMNS)]);
  const [width, height] = [shown[0].length * CELL, shown.length * CELL];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.setAttribute("aria-hidden", "true");
  shown.forEach((row, r) =>
    row.forEach((char, c) => {
      const box = document.createElementNS(space, "rect");
      const closed = char === "." || char === "F";
      const place = { x: c * CELL + 0.5, y: r * CELL + 0.5, width: CELL - 1, height: CELL - 1, rx: 1 };
      for (const [name, value] of Object.entries(place)) box.setAttribute(name, String(value));
      box.setAttribute("class", closed ? "closed" : "open");
      svg.append(box);
      if (char === "." || char === "0") return;
      const text = document.createElementNS(space, "text");
      text.setAttribute("x", String(c * CELL + CELL / 2));
      text.setAttribute("y", String(r * CELL + CELL - 2));
      text.setAttribute("class", char === "F" ? "flag" : `n${char}`);
      text.textContent = char === "F" ? "▸" : char;
      svg.append(text);
    }),
  );
  return svg;
}

/**
 * @param {HTMLElement} nav
 * @param {import("./types.js").Lesson[]} lessons
 * @param {Set<string>} done Ids of solved boards.
 * @param {string} current The id of the lesson, `train`, `practice` or `mistakes`.
 * @param {import("./types.js").KeptCounts} mistakes
 * @param {import("./types.js").Practice | null} practice
 */
export function showContents(nav, lessons, done, current, mistakes, practice) {
  const focused = nav.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  const trainer = make("a");
  trainer.href = "#train";
  trainer.className = "trainer";
  trainer.append(make("b", t("Trainer")), make("small", t("Puzzles from real games, near your rating")));
  const daily = make("a");
  daily.href = "#practice";
  daily.className = "trainer";
  const waiting = practice ? practice.due + practice.new : 0;
  const left = waiting ? tn("{n} pattern today", "{n} patterns today", waiting) : t("Done for today");
  daily.append(make("b", t("Daily practice")), make("small", left));
  const library = make("a");
  library.href = "/learn/patterns";
  library.className = "trainer";
  library.append(make("b", t("Patterns")), make("small", t("What players call them, with proofs")));
  const own = make("a");
  own.href = "#mistakes";
  own.className = "trainer";
  const due = mistakes.due ? t("{due} to answer today", { due: mistakes.due }) : t("All answered today");
  own.append(make("b", t("Your mistakes ({n})", { n: mistakes.total })), make("small", due));
  const list = make("ol");
  for (const lesson of lessons) {
    const link = make("a");
    link.href = `#${lesson.id}`;
    const solved = lesson.boards.filter((board) => done.has(board.id)).length;
    const state = make("small", solved === lesson.boards.length ? t("done") : t("{solved} of {total}", { solved, total: lesson.boards.length }));
    const words = make("span");
    words.append(make("b", lesson.title), state);
    link.append(picture(lesson.boards[0].rows), words);
    link.classList.toggle("done", solved === lesson.boards.length);
    const item = make("li");
    item.append(link);
    list.append(item);
  }
  const kept = mistakes.total || current === "mistakes" ? [own] : [];
  nav.replaceChildren(trainer, daily, library, ...kept, make("h2", t("Lessons")), list);
  for (const link of nav.querySelectorAll("a")) {
    const here = link.hash === `#${current}`;
    if (here) {
      link.setAttribute("aria-current", "true");
      // On a phone, the list is a single row.
      link.scrollIntoView({ block: "nearest", inline: "center" });
    }
    if (link.getAttribute("href") === focused) link.focus();
  }
}
