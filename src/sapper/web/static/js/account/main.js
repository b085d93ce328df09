/** The Account page: claim a name, sign in, and manage or delete the account. */

import { $, input } from "../dom.js";
import { banWording } from "../frame/announcements.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { Refusal } from "../refusal.js";
import { date, number, t, tn } from "../translation.js";
import { ask } from "./api.js";
import { hideCodes, showCodes, startCodes } from "./codes.js";
import { showPasskeys, showSessions } from "./lists.js";
import { createPasskey, signIn, supported } from "./passkey.js";
import { finish, goToProvider, takeAnswer } from "./sso.js";

/** @typedef {import("./types.js").Account} Account */
/** @typedef {import("./types.js").Changed} Changed */

/** Whether a request or the browser's dialog is open. */
let busy = false;
/** Name of the provider that people sign in with, or empty where they use passkeys. */
let provider = "";
/** The ticket that lets a person who has just signed in for the first time choose a name. */
let ticket = "";

/** @param {string} text */
function say(text) {
  $("said").textContent = text;
}

/**
 * Run one action at a time and show its result.
 *
 * @param {() => Promise<string>} work Returns a message about the result.
 */
async function run(work) {
  if (busy) return;
  busy = true;
  say("");
  try {
    say(await work());
  } catch (problem) {
    say(complaint(problem));
    if (problem instanceof Refusal && problem.code === "signed_out") await load();
  }
  busy = false;
}

/**
 * @param {unknown} problem
 * @returns {string}
 */
function complaint(problem) {
  if (problem instanceof DOMException && problem.name === "InvalidStateError") {
    return t("This device already has a passkey for this account.");
  }
  if (problem instanceof DOMException) return t("Cancelled. Nothing was changed.");
  const said = problem instanceof Refusal ? problem.message : t("the server is not responding");
  return t("Nothing was changed: {problem}.", { problem: said });
}

/** @param {Account} account */
function show(account) {
  for (const id of ["banned", "guest", "sso", "choose"]) $(id).hidden = true;
  $("member").hidden = false;
  $("connect").hidden = !provider || account.identities.length > 0;
  $("own-name").textContent = account.name;
  const from = account.rename_from_ms ?? 0;
  const waits = from > Date.now();
  $("rename-rules").textContent = waits
    ? t("You can change your name again on {date}.", { date: date(new Date(from), { dateStyle: "medium" }) })
    : t("You can change your name once every 30 days. The old one stays reserved during that time.");
  for (const part of /** @type {NodeListOf<HTMLInputElement>} */ ($("rename").querySelectorAll("input, button"))) {
    part.disabled = waits;
  }
  $("codes-left").textContent = tn("You have {n} recovery code left.", "You have {n} recovery codes left.", account.codes, {
    n: number(account.codes),
  });
  input("private").checked = account.private;
  $("own-profile").setAttribute("href", `/@${encodeURIComponent(account.name)}`);
  showPasskeys(account.passkeys, ({ id }) => change("/passkeys/remove", { id }, t("Passkey removed."), "add-passkey"));
  showSessions(account.sessions, ({ id }) => change("/sessions/end", { id }, t("Signed out there."), "sessions-title"));
}

/** Show the choices of a guest. */
function showGuest() {
  hideCodes();
  $("member").hidden = true;
  $("confirm").hidden = true;
  $("choose").hidden = true;
  $(provider ? "sso" : "guest").hidden = false;
}

/** @returns {HTMLElement} The element that a guest signs in with. */
const signInButton = () => $(provider ? "sso-sign-in" : "sign-in");

/** Show the parts of the page for the provider, or for passkeys. */
function showWays() {
  for (const id of ["own-passkeys", "recovery", "help-passkeys"]) $(id).hidden = Boolean(provider);
  $("help-sso").hidden = !provider;
  $("sso-sign-in").textContent = t("Sign in with {provider}", { provider });
  $("connect-account").textContent = t("Connect with {provider}", { provider });
  $("help-sso").textContent = t("You sign in with {provider}. This site stores the id that {provider} has for you, but neither an e-mail address nor a password.", { provider });
}

/**
 * Sign in with the provider's answer, or let the person choose a name.
 *
 * @param {Record<string, string>} answer
 */
async function enter(answer) {
  say(t("Signing in…"));
  const connects = !$("member").hidden;
  const returned = await finish(answer);
  if (returned.account) {
    const text = connects ? t("You can now sign in with {provider}.", { provider }) : t("You are signed in.");
    return welcome(returned, text);
  }
  ticket = returned.ticket;
  $("sso").hidden = true;
  $("choose").hidden = false;
  input("chosen").value = returned.name;
  input("chosen").focus();
  return "";
}

/**
 * @param {string} path
 * @param {object} fields
 * @param {string} done The message if it succeeds.
 * @param {string} [focus] The element to focus, because the button disappears.
 */
function change(path, fields, done, focus) {
  return run(async () => {
    /** @type {Changed} */
    const changed = await ask(path, fields);
    show(changed.account);
    if (changed.codes) showCodes(changed.codes);
    if (focus) {
      $(focus).tabIndex = $(focus).matches("button") ? 0 : -1;
      $(focus).focus();
    }
    return done;
  });
}

/**
 * @param {Changed} changed The answer to a claim or sign-in.
 * @param {string} text
 */
function welcome({ account, codes }, text) {
  show(account);
  if (codes) showCodes(codes);
  else $("sign-out").focus();
  return text;
}

/** @param {string} id @param {() => void} act */
function onSubmit(id, act) {
  $(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

/** Show whether the browser is signed in. */
async function load() {
  /** @type {import("./types.js").State} */
  let state;
  try {
    state = await ask("");
  } catch (problem) {
    $("banner").textContent = problem instanceof Refusal ? problem.message : t("the server is not responding");
    $("banner").hidden = false;
    return;
  }
  const { account, problem, ban } = state;
  $("banned").hidden = !ban;
  $("claim-section").hidden = Boolean(ban);
  if (ban) $("banned-text").textContent = banWording(ban);
  provider = state.provider ?? "";
  showWays();
  const unsupported = provider || supported() ? "" : t("This browser does not support passkeys.");
  const blocked = problem?.message ?? unsupported;
  $("blocked-text").textContent = blocked;
  $("blocked").hidden = !blocked;
  const link = $("blocked-link");
  link.hidden = !problem?.address;
  if (problem?.address) {
    link.setAttribute("href", problem.address);
    link.textContent = problem.address;
  }
  if (account) show(account);
  else if (!blocked) showGuest();
  if (state.signed_out) say(t("This browser was signed out."));
  const answer = takeAnswer();
  if (answer && provider) await run(() => enter(answer));
}

startSettings();
startFrame();
startCodes(say);

onSubmit("claim", () =>
  run(async () => {
    const name = input("name").value;
    return welcome(await createPasskey("/claim", { name }), t("The name is yours, and your games belong to it."));
  }),
);
$("sign-in").addEventListener("click", () => run(async () => welcome(await signIn(), t("You are signed in."))));
onSubmit("recover", () =>
  run(async () => {
    const changed = await ask("/recover", { code: input("code").value });
    input("code").value = "";
    return welcome(changed, t("You are signed in. Add a passkey on this device, and remove those you have lost."));
  }),
);
for (const id of ["sso-sign-in", "connect-account"]) {
  $(id).addEventListener("click", () =>
    run(async () => {
      await goToProvider();
      return "";
    }),
  );
}
onSubmit("choose-name", () =>
  run(async () => {
    const changed = await ask("/sso/claim", { ticket, name: input("chosen").value });
    return welcome(changed, t("The name is yours, and your games belong to it."));
  }),
);
$("stay-guest").addEventListener("click", () => {
  ticket = "";
  showGuest();
  signInButton().focus();
});
$("sign-out").addEventListener("click", () =>
  run(async () => {
    await ask("/sign-out", {});
    showGuest();
    signInButton().focus();
    return t("You are signed out and playing as a guest.");
  }),
);
onSubmit("rename", async () => {
  await change("/rename", { name: input("new-name").value }, t("Name changed."));
  input("new-name").value = "";
});
$("add-passkey").addEventListener("click", () =>
  run(async () => {
    show((await createPasskey("/passkeys", {})).account);
    return t("Passkey added.");
  }),
);
$("new-codes").addEventListener("click", () => change("/codes", {}, ""));
$("end-others").addEventListener("click", () =>
  change("/sessions/end-others", {}, t("All other browsers are signed out."), "sessions-title"),
);
$("private").addEventListener("change", async () => {
  const wanted = input("private").checked;
  await change("/private", { private: wanted }, wanted ? t("Your profile is private.") : t("Everyone can see your profile."));
});
$("delete").addEventListener("click", () => {
  $("confirm").hidden = false;
  input("confirm-name").focus();
});
$("keep").addEventListener("click", () => {
  $("confirm").hidden = true;
  $("delete").focus();
});
onSubmit("confirm", () =>
  run(async () => {
    await ask("/delete", { name: input("confirm-name").value });
    input("confirm-name").value = "";
    showGuest();
    (provider ? $("sso-sign-in") : input("name")).focus();
    return t("The account and everything stored about it are deleted.");
  }),
);
void load();
