/** The operator's announcements at the top of the page. */

import { make } from "../dom.js";
import { locale, t } from "../translation.js";

/** @typedef {import("../protocol.js").AnnouncementsMessage} AnnouncementsMessage */
/** @typedef {import("../protocol.js").AnnouncementEntry} AnnouncementEntry */
/** @typedef {import("../protocol.js").BanEntry} BanEntry */

/** In the last minute before an event, seconds are counted down, and a dismissed announcement is shown again. */
const MINUTE_MS = 60_000;

/**
 * @param {number} ms
 * @returns {string} A phrase such as "in 10 minutes".
 */
export function until(ms) {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  if (ms <= MINUTE_MS) return words.format(Math.max(1, Math.ceil(ms / 1000)), "second");
  if (ms <= 90 * MINUTE_MS) return words.format(Math.ceil(ms / MINUTE_MS), "minute");
  return words.format(Math.ceil(ms / (60 * MINUTE_MS)), "hour");
}

/**
 * @param {Pick<AnnouncementEntry, "text" | "restart">} entry
 * @param {number | null} ms The time until its event.
 * @returns {string} The text of an announcement.
 */
export function wording({ text, restart }, ms) {
  if (restart) {
    const own = ms !== null && ms > 0
      ? t("The server restarts {when}. Your game is saved; this page reconnects automatically.", { when: until(ms) })
      : t("The server is restarting. Your game is saved; this page reconnects automatically.");
    return [own, text].filter(Boolean).join(" ");
  }
  return ms !== null && ms > 0 ? `${text} (${until(ms)})` : text;
}

/**
 * @param {Pick<BanEntry, "name" | "reason" | "until_ms">} ban
 * @returns {string}
 */
export function banWording({ name, reason, until_ms: end }) {
  if (end === null) return t("The account {name} is banned. Reason: {reason}", { name, reason });
  const day = new Date(end).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return t("The account {name} is banned until {date}. Reason: {reason}", { name, reason, date: day });
}

/**
 * @typedef {object} Shown
 * @property {HTMLElement} box
 * @property {HTMLElement} words
 * @property {AnnouncementEntry} entry
 * @property {boolean} dismissed
 * @property {boolean} last Whether it was announced for the last minute.
 */

export class Announcements {
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  /** The time of the last message. */
  #at = 0;
  #timer = 0;
  #list = make("section");
  /** The text for screen readers, which should not announce every second of a countdown. */
  #spoken = make("p");

  constructor() {
    this.#list.className = "announcements";
    this.#list.setAttribute("aria-label", t("Announcements"));
    this.#spoken.className = "spoken";
    this.#spoken.setAttribute("role", "status");
    document.body.append(this.#list, this.#spoken);
  }

  /** @param {AnnouncementsMessage} message */
  take({ announcements, ban }) {
    this.#at = performance.now();
    const entries = new Map(announcements.map((entry) => [entry.id, entry]));
    for (const [id, { box }] of this.#shown) {
      if (id !== "ban" && !entries.has(id)) {
        box.remove();
        this.#shown.delete(id);
      }
    }
    for (const [id, entry] of entries) {
      const known = this.#shown.get(id);
      if (known) known.entry = entry;
      else this.#add(id, entry);
    }
    if (ban && !this.#shown.has("ban")) this.#add("ban", { id: "ban", text: banWording(ban), restart: false, in_ms: null, ends_in_ms: Infinity });
    this.#tick();
  }

  /** @param {string} id @param {AnnouncementEntry} entry */
  #add(id, entry) {
    const box = make("div");
    const words = make("p");
    const close = make("button", "×");
    close.type = "button";
    close.setAttribute("aria-label", t("Dismiss"));
    box.append(words, close);
    box.classList.toggle("urgent", entry.restart || id === "ban");
    const one = { box, words, entry, dismissed: false, last: (entry.in_ms ?? Infinity) <= MINUTE_MS };
    close.addEventListener("click", () => {
      one.dismissed = true;
      this.#tick();
    });
    this.#shown.set(id, one);
    this.#list.append(box);
    this.#say(one);
  }

  /** @param {Shown} one */
  #say({ entry }) {
    this.#spoken.textContent = wording(entry, this.#left(entry.in_ms));
  }

  /** @param {number | null} ms The time left when the message arrived. */
  #left(ms) {
    return ms === null ? null : ms - (performance.now() - this.#at);
  }

  /** Update the text, and remove announcements that have ended. */
  #tick() {
    clearTimeout(this.#timer);
    let counting = false;
    for (const [id, one] of this.#shown) {
      const left = this.#left(one.entry.in_ms);
      const ends = this.#left(one.entry.ends_in_ms) ?? 0;
      if (ends <= 0) {
        one.box.remove();
        this.#shown.delete(id);
        continue;
      }
      if (left !== null && left <= MINUTE_MS && !one.last) {
        one.last = true;
        one.dismissed = false;
        this.#say(one);
      }
      const text = wording(one.entry, left);
      if (one.words.textContent !== text) one.words.textContent = text;
      one.box.hidden = one.dismissed;
      counting ||= ends < Infinity;
    }
    if (counting) this.#timer = window.setTimeout(() => this.#tick(), 1000);
  }
}
