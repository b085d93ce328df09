/** The lists of passkeys and of signed-in browsers. */

import { $, make } from "../dom.js";
import { date, t } from "../translation.js";

/** @typedef {import("./types.js").Passkey} Passkey */
/** @typedef {import("./types.js").Session} Session */

/** @param {number} ms */
const day = (ms) => date(new Date(ms), { dateStyle: "medium" });

/** @param {string} device */
const named = (device) => device || t("Unknown browser");

/**
 * @param {string} title
 * @param {string} detail
 * @param {HTMLButtonElement | null} act
 */
function row(title, detail, act) {
  const item = make("li");
  const text = make("span", title);
  text.append(make("small", detail));
  item.append(text);
  if (act) item.append(act);
  return item;
}

/**
 * @param {string} label
 * @param {string} of The target of the action, for screen readers.
 * @param {() => void} act
 */
function action(label, of, act) {
  const made = make("button", label);
  made.type = "button";
  made.setAttribute("aria-label", `${label}: ${of}`);
  made.addEventListener("click", act);
  return made;
}

/**
 * @param {Passkey[]} passkeys
 * @param {(passkey: Passkey) => void} remove
 */
export function showPasskeys(passkeys, remove) {
  const rows = passkeys.map((passkey) => {
    const title = t("{device}, created on {date}", { device: named(passkey.device), date: day(passkey.created_ms) });
    const used = passkey.used_ms ? t("Last used on {date}", { date: day(passkey.used_ms) }) : t("Not used yet");
    const detail = passkey.locked_ms ? t("Locked, because a copy of it may exist. Remove it.") : used;
    const item = row(title, detail, action(t("Remove"), title, () => remove(passkey)));
    item.querySelector("small")?.classList.toggle("locked", Boolean(passkey.locked_ms));
    return item;
  });
  $("passkeys").replaceChildren(...rows);
}

/**
 * @param {Session[]} sessions
 * @param {(session: Session) => void} end
 */
export function showSessions(sessions, end) {
  const rows = sessions.map((session) => {
    const title = named(session.device);
    const used = t("Last used on {date}", { date: day(session.seen_ms) });
    if (session.current) return row(title, t("This browser"), null);
    return row(title, used, action(t("Sign out"), `${title}, ${used}`, () => end(session)));
  });
  $("sessions").replaceChildren(...rows);
  $("end-others").hidden = sessions.length < 2;
}
