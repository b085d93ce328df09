/** The list of players, with the progress or the score of each. */

import { $, make } from "../dom.js";
import { number, t, tn } from "../translation.js";
import { drawMap } from "./block-map.js";
import { colourOf } from "./colours.js";
import { percent, placeText, racerNote } from "./wording.js";

/** How long a phrase is shown beside its player, in milliseconds. */
const SAID_MS = 4000;
/** How long the page asks whether to remove a person, in milliseconds. */
const ASKING_MS = 5000;

/**
 * @typedef {object} Row
 * @property {HTMLElement} item
 * @property {HTMLElement} rank
 * @property {HTMLElement} name
 * @property {HTMLElement} tags
 * @property {HTMLElement} value
 * @property {HTMLElement} fill The filled part of the bar.
 * @property {HTMLCanvasElement} map
 * @property {HTMLElement} note
 * @property {HTMLElement} said
 * @property {HTMLButtonElement} remove
 * @property {number} timer
 * @property {number} asking The timer of the question whether to remove the player; 0 for none.
 */

/** @typedef {{number: number, name: string, place: number | null, value: string, share: number | null, note: string}} Standing */

export class People {
  /** @type {Map<number, Row>} */
  #rows = new Map();

  /**
   * @param {HTMLElement} list
   * @param {import("./room-state.js").RoomState} state
   * @param {(number: number) => void} remove Called to remove a player, or to vote for it.
   */
  constructor(list, state, remove) {
    this.list = list;
    this.state = state;
    this.remove = remove;
  }

  /** Show the current state of everyone. */
  refresh() {
    const { state } = this;
    const all = standings(state);
    const here = new Set(all.map((one) => one.number));
    for (const [key, { item }] of this.#rows) {
      if (here.has(key)) continue;
      item.remove();
      this.#rows.delete(key);
    }
    all.forEach((one, at) => {
      const row = this.#rows.get(one.number) ?? this.#add(one.number);
      if (this.list.children[at] !== row.item) this.list.insertBefore(row.item, this.list.children[at] ?? null);
      this.#show(row, one);
    });
  }

  /**
   * Show a phrase beside its player for a while.
   *
   * @param {number} key
   * @param {string} text
   */
  say(key, text) {
    const row = this.#rows.get(key);
    if (!row) return;
    row.said.textContent = text;
    row.said.hidden = false;
    clearTimeout(row.timer);
    row.timer = window.setTimeout(() => (row.said.hidden = true), SAID_MS);
  }

  /**
   * @param {number} key
   * @returns {Row}
   */
  #add(key) {
    const [item, dot, head, rank, name, tags, value] = [make("li"), make("i"), make("p"), make("span"), make("b"), make("small"), make("span")];
    const [bar, fill, map, note, said, remove] = [make("div"), make("i"), make("canvas"), make("span"), make("span"), make("button", "×")];
    head.className = "who";
    dot.className = "dot";
    rank.className = "rank";
    name.translate = false;
    value.className = "value";
    bar.className = "meter";
    note.className = "note";
    said.className = "said";
    said.hidden = true;
    for (const picture of [dot, bar, map]) picture.setAttribute("aria-hidden", "true");
    // The live region of the page announces phrases.
    said.setAttribute("aria-hidden", "true");
    remove.type = "button";
    remove.addEventListener("click", () => this.#ask(key));
    head.append(dot, rank, name, tags);
    bar.append(fill);
    item.append(head, value, remove, bar, map, note, said);
    const row = { item, rank, name, tags, value, fill, map, note, said, remove, timer: 0, asking: 0 };
    this.#rows.set(key, row);
    return row;
  }

  /**
   * Remove a bot, or ask first whether to remove a person.
   *
   * @param {number} key
   */
  #ask(key) {
    const row = this.#rows.get(key);
    const member = this.state.view?.members.find((one) => one.number === key);
    if (!row || !member) return;
    if (!member.bot && !row.asking) {
      row.asking = window.setTimeout(() => this.#answered(row), ASKING_MS);
      row.remove.dataset.asks = "";
      row.remove.textContent = this.state.isHost ? t("Remove?") : t("Vote out?");
      return;
    }
    this.#answered(row);
    this.remove(key);
  }

  /** @param {Row} row */
  #answered(row) {
    clearTimeout(row.asking);
    row.asking = 0;
    row.remove.textContent = "×";
    delete row.remove.dataset.asks;
  }

  /**
   * @param {Row} row
   * @param {Standing} one
   */
  #show(row, one) {
    const { state } = this;
    const member = state.view?.members.find(({ number: each }) => each === one.number);
    const racer = state.progress.get(one.number);
    row.item.style.setProperty("--owner", colourOf(state.colours.get(one.number) ?? 0));
    row.item.classList.toggle("own", one.number === state.view?.you);
    row.item.classList.toggle("absent", !member?.connected);
    row.item.classList.toggle("turn", turnOf(state) === one.number);
    write(row.name, one.name);
    write(row.tags, tagsOf(state, one.number).join(" · "));
    write(row.rank, one.place === null ? "" : placeText(one.place));
    write(row.value, one.value);
    write(row.note, one.note);
    row.fill.parentElement?.toggleAttribute("hidden", one.share === null);
    row.fill.style.width = `${Math.round(100 * (one.share ?? 0))}%`;
    row.map.hidden = !racer;
    if (racer) drawMap(row.map, racer.map);
    row.remove.hidden = !canRemove(state, member);
    row.remove.setAttribute("aria-label", state.isHost ? t("Remove {name}", { name: one.name }) : t("Vote to remove {name}", { name: one.name }));
  }
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {import("./types.js").Member} [member]
 * @returns {boolean} Whether this window's player can remove a member, or vote for it.
 */
function canRemove({ you, isHost, running, canRemove: can, players }, member) {
  if (!member || !you?.plays || member.number === you.number) return false;
  if (member.bot) return isHost && !running;
  return can && (isHost || players.filter((one) => !one.bot).length > 2);
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @returns {number | null} The member whose turn it is in Flags.
 */
function turnOf({ view, running }) {
  return running && view?.sides && view.turn !== undefined ? view.sides[view.turn] : null;
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {number} key
 * @returns {string[]}
 */
function tagsOf(state, key) {
  const { view } = state;
  const member = view?.members.find((one) => one.number === key);
  const wins = view?.wins?.find(([one]) => one === key)?.[1] ?? 0;
  return [
    key === view?.you ? t("you") : "",
    key === view?.host ? t("host") : "",
    member?.bot ? t("bot") : "",
    member?.rematch && state.ended ? t("wants a rematch") : "",
    member?.votes ? t("votes to remove: {n}", { n: number(member.votes) }) : "",
    wins && (view?.settings?.best_of ?? 1) > 1 ? tn("{n} win", "{n} wins", wins) : "",
  ].filter(Boolean);
}

/**
 * Return one entry for each player, in the order of the list: this window's player first, and after
 * the end of a race by places.
 *
 * @param {import("./room-state.js").RoomState} state
 * @returns {Standing[]}
 */
export function standings(state) {
  const { view, players, progress, now } = state;
  if (view?.kind === "race" && state.ended && view.results) {
    const raced = view.results.map((one) => {
      const racer = progress.get(one.number);
      const note = one.hits ? tn("{n} mine hit", "{n} mines hit", one.hits) : "";
      const value = racer ? racerNote({ ...racer, status: one.status, time_ms: one.time_ms, frozen_until_ms: 0 }, now, true) : "";
      const share = racer?.opened ?? null;
      return { number: one.number, name: one.name, place: one.place, value: value || (share === null ? "" : percent(share)), share, note };
    });
    const there = new Set(raced.map((one) => one.number));
    return [...raced, ...players.filter((one) => !there.has(one.number)).map((one) => plain(one, "", t("Waiting")))];
  }
  const own = (/** @type {import("./types.js").Member} */ one) => Number(one.number === view?.you);
  return players.toSorted((a, b) => own(b) - own(a)).map((member) => {
    if (view?.kind === "race") return racing(state, member);
    if (view?.kind === "flags") return plain(member, scoreOf(state, member.number), absence(member));
    return sharing(state, member);
  });
}

/**
 * @param {import("./types.js").Member} member
 * @param {string} [value]
 * @param {string} [note]
 * @returns {Standing}
 */
function plain(member, value = "", note = "") {
  return { number: member.number, name: member.name, place: null, value, share: null, note };
}

/** @param {import("./types.js").Member} member @returns {string} */
function absence({ connected, bot }) {
  return connected || bot ? "" : t("Disconnected");
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {import("./types.js").Member} member
 * @returns {Standing}
 */
function racing({ view, progress, now }, member) {
  const racer = progress.get(member.number);
  const connected = member.connected || Boolean(member.bot);
  if (!racer) {
    // Visitors who have not joined receive no progress.
    const waits = view?.phase === "racing" && progress.size > 0;
    return plain(member, "", !connected ? t("Disconnected") : waits ? t("Next round") : "");
  }
  const note = racerNote(racer, now, connected);
  return { number: member.number, name: member.name, place: null, value: percent(racer.status === "finished" ? 1 : racer.opened), share: racer.opened, note };
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {number} key
 * @returns {string} The mines that a player has found in Flags.
 */
function scoreOf({ view }, key) {
  const side = view?.sides?.indexOf(key) ?? -1;
  return side >= 0 && view?.scores ? number(view.scores[side]) : "";
}

/**
 * @param {import("./room-state.js").RoomState} state
 * @param {import("./types.js").Member} member
 * @returns {Standing}
 */
function sharing({ view }, member) {
  const share = view?.shares?.find((one) => one.number === member.number);
  if (!view?.rows) return plain(member, "", absence(member));
  const hits = share?.hits ? tn("{n} mine hit", "{n} mines hit", share.hits) : "";
  return plain(member, tn("{n} cell", "{n} cells", share?.opened ?? 0), absence(member) || hits);
}

/**
 * Show who watches, and who asks to play.
 *
 * @param {import("./room-state.js").RoomState} state
 * @param {(number: number) => void} admit Called to let someone play.
 */
export function showWatchers({ view, isHost }, admit) {
  const asking = (view?.members ?? []).filter((one) => isHost && one.waits);
  const key = JSON.stringify(asking.map((one) => one.number));
  $("asking").hidden = !asking.length;
  if ($("asking").dataset.key !== key) {
    $("asking").dataset.key = key;
    $("asking").replaceChildren(...asking.map((one) => request(one, admit)));
  }
  const count = (view?.members ?? []).filter((one) => !one.plays && !one.waits).length;
  write($("watchers"), count ? tn("{n} watching", "{n} watching", count) : "");
}

/**
 * @param {import("./types.js").Member} member
 * @param {(number: number) => void} admit
 * @returns {HTMLElement} A line about a member who asks to play.
 */
function request({ number: key, name }, admit) {
  const [item, label, button] = [make("li"), make("span", t("{name} wants to play", { name })), make("button", t("Let in"))];
  button.type = "button";
  button.setAttribute("aria-label", t("Let {name} in", { name }));
  button.addEventListener("click", () => admit(key));
  item.append(label, button);
  return item;
}
