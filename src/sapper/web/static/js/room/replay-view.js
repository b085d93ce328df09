/** The replay of a finished game: everyone's boards side by side, on one timeline. */

import { placeName } from "../board/cells.js";
import { BARE } from "../board/cover.js";
import { StillBoard } from "../board/still-board.js";
import { make } from "../dom.js";
import { Player, SPEEDS } from "../replay/player.js";
import { complaint, jsonOf } from "../refusal.js";
import { number, t, tn } from "../translation.js";
import { named } from "./nicknames.js";
import { colourClass, colourOf } from "./colours.js";
import { entriesOf, parseBoard, PlayedBoard } from "./recording.js";
import { boardName, duration, KINDS, percent, placeText } from "./wording.js";

/** The maximum number of boards shown side by side. */
const MOST = 12;
/** Playback continues for this long after the last action. */
const AFTER_MS = 1000;
const LARGEST = 30;

/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./types.js").FlagsDecision} FlagsDecision */

/**
 * @typedef {object} Shown
 * @property {StillBoard} board
 * @property {PlayedBoard} played
 * @property {HTMLElement} note
 * @property {number} done The number of actions on the drawn board; -1 for none.
 */

export class ReplayView {
  /** @type {Shown[]} */
  #boards = [];
  /** @type {Recorded | null} */
  #recorded = null;
  #end = 0;
  #player = new Player(() => this.#end, () => this.#draw());
  #slider = make("input");
  #time = make("output");
  #play = make("button");
  #stage = make("div");
  #moves = make("div");

  /**
   * @param {HTMLElement} part
   * @param {string} code The room's code.
   */
  constructor(part, code) {
    this.part = part;
    this.code = code;
  }

  /** @returns {boolean} */
  get shown() {
    return !this.part.hidden;
  }

  /** Load the last game, and show it from its start. */
  async show() {
    this.part.hidden = false;
    document.body.classList.add("replaying");
    let recorded;
    try {
      recorded = await jsonOf(await fetch(`/api/rooms/${this.code}/recording`));
    } catch (problem) {
      this.part.replaceChildren(this.#head(t("Replay"), complaint(problem)));
      return;
    }
    this.#begin(recorded);
  }

  hide() {
    this.#player.stop();
    this.part.hidden = true;
    document.body.classList.remove("replaying");
  }

  /** @param {Recorded} recorded */
  #begin(recorded) {
    this.#player.stop();
    recorded.members = named(recorded.members);
    if (recorded.recording.results) recorded.recording.results = named(recorded.recording.results);
    this.#recorded = recorded;
    const { recording } = recorded;
    const dealt = parseBoard(recording.board);
    const boards = entriesOf(recording, dealt.width);
    const order = recording.results?.map((one) => one.number) ?? [...boards.keys()];
    this.#stage.className = "boards";
    this.#stage.replaceChildren();
    this.#moves.replaceChildren();
    this.part.replaceChildren(
      this.#head(`${KINDS[recording.kind]} · ${boardName(recording.level)}`, order.length > MOST ? tn("The first {n} player is shown.", "The first {n} players are shown.", MOST) : ""),
      this.#controls(),
      this.#stage,
      this.#moves,
    );
    this.#boards = order.slice(0, MOST).map((key) => this.#board(key, new PlayedBoard(recording.boards?.[key] ? parseBoard(recording.boards[key]) : dealt, boards.get(key) ?? [], recording.kind !== "flags")));
    this.#end = Math.max(0, ...[...boards.values()].map((entries) => entries.at(-1)?.ms ?? 0)) + AFTER_MS;
    this.#slider.max = String(this.#end);
    this.#player.now = 0;
    this.#draw();
    this.#play.focus();
    if (recording.kind === "flags") void this.#review();
  }

  /**
   * @param {string} title
   * @param {string} text
   * @returns {HTMLElement}
   */
  #head(title, text) {
    const [head, back] = [make("div"), make("a", t("Back to the room"))];
    const name = make("h2", title);
    name.id = "replay-title";
    back.href = "#";
    back.className = "button";
    head.className = "replay-head";
    head.append(name, back);
    if (text) head.append(make("p", text));
    return head;
  }

  /** @returns {HTMLElement} */
  #controls() {
    const [bar, speed] = [make("div"), make("select")];
    bar.className = "replay-bar";
    this.#play.type = "button";
    this.#play.className = "primary";
    this.#play.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="go" d="m8 5 11 7-11 7Z" /><path class="hold" d="M8 5v14M16 5v14" /></svg>';
    this.#play.onclick = () => this.#toggle();
    this.#slider.type = "range";
    this.#slider.min = "0";
    this.#slider.step = "100";
    this.#slider.setAttribute("aria-label", t("Timeline"));
    this.#slider.oninput = () => {
      this.#player.now = Number(this.#slider.value);
      this.#draw();
    };
    speed.setAttribute("aria-label", t("Speed"));
    speed.append(...SPEEDS.map((each) => new Option(`${each}×`, String(each), each === 1, each === 1)));
    speed.value = String(this.#player.speed);
    speed.addEventListener("change", () => (this.#player.speed = Number(speed.value)));
    bar.append(this.#play, this.#slider, this.#time, speed);
    return bar;
  }

  #toggle() {
    if (this.#player.running) return this.#player.stop();
    if (this.#player.now >= this.#end) this.#player.now = 0;
    this.#player.start();
  }

  /**
   * @param {number} key The member, or -1 for everyone's board.
   * @param {PlayedBoard} played
   * @returns {Shown}
   */
  #board(key, played) {
    const recorded = /** @type {Recorded} */ (this.#recorded);
    const [box, head, stage, note] = [make("section"), make("p"), make("div"), make("span")];
    const result = recorded.recording.results?.find((one) => one.number === key);
    const member = recorded.members.find((one) => one.number === key);
    const name = result?.name ?? member?.name ?? t("Everyone");
    box.setAttribute("aria-label", name);
    box.style.setProperty("--owner", colourOf(member?.colour ?? 0));
    head.className = "who";
    const [dot, title] = [make("i"), make("b", name)];
    dot.className = "dot";
    title.translate = false;
    if (key >= 0) head.append(dot, ...(result ? [placeText(result.place), " "] : []), title);
    else head.append(...this.#legend());
    head.append(note);
    const review = this.#reviewLink(key);
    if (review) head.append(review);
    stage.className = "board-box";
    box.append(head, stage);
    this.#stage.append(box);
    const board = new StillBoard(stage, { label: t("Board of {name}", { name }), watched: true, room: "width", largest: LARGEST });
    return { board, played, note, done: -1 };
  }

  /** @returns {Node[]} The players of a shared board, with their colours. */
  #legend() {
    const { recording, members } = /** @type {Recorded} */ (this.#recorded);
    const shown = recording.sides ?? recording.shares?.map((one) => one.number) ?? [];
    return shown.map((key) => {
      const member = members.find((one) => one.number === key);
      const [whole, dot, name] = [make("span"), make("i"), make("b", member?.name ?? "")];
      whole.className = "member";
      dot.className = "dot";
      dot.style.setProperty("--owner", colourOf(member?.colour ?? 0));
      name.translate = false;
      whole.append(dot, name);
      return whole;
    });
  }

  /**
   * @param {number} key
   * @returns {HTMLElement | null}
   */
  #reviewLink(key) {
    const { recording, game } = /** @type {Recorded} */ (this.#recorded);
    if (recording.kind === "flags") return null;
    const link = make("a", t("Review"));
    link.href = `/replay?room=${this.code}&player=${key < 0 ? "all" : key}&round=${game}`;
    return link;
  }

  /** Draw the current moment. */
  #draw() {
    const { now, running } = this.#player;
    for (const one of this.#boards) {
      const cells = one.played.at(now);
      if (one.done === one.played.done) continue;
      one.done = one.played.done;
      const { width, height, topology } = one.played.dealt;
      one.board.show(Array.from({ length: height }, (_, row) => this.#shown(cells.slice(row * width, (row + 1) * width))), topology);
      this.#colour(one);
      one.note.textContent = this.#note(one);
    }
    this.#slider.value = String(now);
    this.#slider.setAttribute("aria-valuetext", duration(now));
    const end = this.#end - AFTER_MS;
    this.#time.textContent = t("{time} of {end}", { time: duration(Math.min(now, end), 0), end: duration(end, 0) });
    this.#play.dataset.running = String(running);
    this.#play.setAttribute("aria-label", running ? t("Pause") : t("Play the replay"));
  }

  /**
   * @param {string[]} cells
   * @returns {string} Mines found in Flags are shown as flags.
   */
  #shown(cells) {
    const text = cells.join("");
    return this.#recorded?.recording.kind === "flags" ? text.replaceAll("X", "F") : text;
  }

  /** @param {Shown} one */
  #colour({ board, played }) {
    const recorded = /** @type {Recorded} */ (this.#recorded);
    const { kind } = recorded.recording;
    if (kind === "race") return;
    board.cover((index, char) => {
      const owner = played.owners.get(index);
      if (owner === undefined || (kind === "flags" && char !== "F")) return BARE;
      const key = kind === "flags" ? recorded.recording.sides?.[owner] : owner;
      const member = recorded.members.find((each) => each.number === key);
      return member ? { look: `owned ${colourClass(member.colour)}`, text: "", spoken: t("by {name}", { name: member.name }) } : BARE;
    });
  }

  /** @param {Shown} one @returns {string} */
  #note({ played }) {
    if (this.#recorded?.recording.kind !== "flags") return percent(played.share);
    const found = [0, 0];
    for (const [index, side] of played.owners) if (played.dealt.cells[index] === "*") found[side] += 1;
    return found.join(" : ");
  }

  /** Show the value of each move in a game of Flags. */
  async #review() {
    const shown = this.#recorded;
    /** @type {{decisions: FlagsDecision[]}} */
    const { decisions } = await jsonOf(await fetch(`/api/rooms/${this.code}/review?game=${shown?.game}`));
    if (shown !== this.#recorded) return;
    this.#moves.className = "flags-review";
    const note = make("p", t("Chance of a mine; for a bomb, the mean number of mines. Loss: what the best move would have found in addition. Gift: proved mines left to the other side."));
    note.className = "fine";
    this.#moves.replaceChildren(make("h3", t("Moves")), note, reviewTable(decisions, shown, (ms) => {
      this.#player.stop();
      this.#player.now = ms;
      this.#draw();
    }, (cell) => {
      const { grid } = this.#boards[0].board;
      grid.mark("named", cell ? [grid.indexAt(cell)] : []);
    }));
  }
}

/**
 * @param {FlagsDecision[]} decisions
 * @param {Recorded | null} recorded
 * @param {(ms: number) => void} jump
 * @param {(cell: import("../protocol.js").Cell | null) => void} light
 * @returns {HTMLElement}
 */
function reviewTable(decisions, recorded, jump, light) {
  const [table, head, body] = [make("table"), make("thead"), make("tbody")];
  const titles = [t("Move"), t("Player"), t("Found"), t("Chance"), t("Best cell"), t("Loss"), t("Gift")];
  const line = make("tr");
  line.append(...titles.map((title) => Object.assign(make("th", title), { scope: "col" })));
  head.append(line);
  const figure = (/** @type {number} */ value, /** @type {boolean} */ bomb) => (bomb ? number(value, 1) : percentOf(value));
  decisions.forEach(({ move, expected, best, best_expected: bestExpected, lost, gift }, at) => {
    const [side, row, col, bomb, found, ms] = move;
    const [tr, jumpTo] = [make("tr"), make("button", `${at + 1}. ${placeName([row, col])}${bomb ? ` ${t("(bomb)")}` : ""}`)];
    jumpTo.type = "button";
    jumpTo.addEventListener("click", () => jump(ms - 1));
    const member = recorded?.members.find((one) => one.number === recorded.recording.sides?.[side]);
    const cells = [make("td"), make("td", member?.name ?? ""), make("td", String(found)), make("td", figure(expected, bomb)), make("td", figure(bestExpected, bomb)), make("td", lost > 0.0005 ? figure(lost, bomb) : ""), make("td", gift ? String(gift) : "")];
    cells[0].append(jumpTo);
    cells.forEach((cell, column) => (cell.dataset.label = titles[column]));
    tr.classList.toggle("costly", lost >= 0.2 || gift >= 3);
    tr.append(...cells);
    for (const kind of ["pointerenter", "focusin"]) tr.addEventListener(kind, () => light(best));
    for (const kind of ["pointerleave", "focusout"]) tr.addEventListener(kind, () => light(null));
    body.append(tr);
  });
  table.append(head, body);
  return table;
}

/** @param {number} share @returns {string} */
function percentOf(share) {
  return t("{share} %", { share: number(100 * share) });
}
