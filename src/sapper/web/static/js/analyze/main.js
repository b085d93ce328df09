/** Connects the parts of the Analyze page: drawing, chances, text, files and links. */

import { readPosition, writePosition } from "../address.js";
import { NextFrame } from "../board/next-frame.js";
import { tilings } from "../board/tiling.js";
import { $, button, input, make, select } from "../dom.js";
import { Card } from "../frame/card.js";
import { Sheet } from "../frame/sheet.js";
import { startFrame } from "../frame/frame.js";
import { startSettings } from "../frame/settings.js";
import { Tooltip } from "../frame/tooltip.js";
import { listenToImports } from "../frame/imports.js";
import { overlayChoice } from "../frame/overlay-choice.js";
import { pressedKey } from "../input/pressed-key.js";
import { byTouch } from "../input/touch-line.js";
import { addressOf } from "../pages.js";
import { write } from "../places.js";
import { Refusal } from "../refusal.js";
import { sentence, sentences } from "../sentence.js";
import { read, write as keep } from "../storage.js";
import { Arranging } from "./arranging.js";
import { Editor } from "./editor.js";
import { showHelp } from "./help.js";
import { isForeign, readFile, readText } from "./loading.js";
import { Looking } from "./looking.js";
import { toolOf } from "./palette.js";
import { reshaped, resized } from "./edits.js";
import { fromJson, toJson, unopened } from "./position.js";
import { parse, sizeProblem, toText } from "./position-text.js";
import { loadMenu } from "../menu.js";
import { number as format, t, tn } from "../translation.js";

const KEPT = "sapper.analysis";
/** Milliseconds to wait before updating the URL, because browsers limit the rate. */
const PAUSE = 300;

/** @returns {import("./position.js").Position | null} The position in the address. */
const shared = (hash = location.hash) => {
  const found = readPosition(hash);
  return found && !sizeProblem(found.width, found.height, found.mines, found.density) ? fromJson(found) : null;
};
const keptBefore = readPosition(read(KEPT) ?? "");

const tooltip = new Tooltip($("tip"));
const card = new Card($("card"));
const sheet = new Sheet($("sheet"), $("scrim"));
let own = location.hash.slice(1);
let addressTimer = 0;
/** Incremented on every change, so that late answers about older input are dropped. */
let typed = 0;
/** Runs work that changes only the panel after the board has been painted. */
const nextFrame = new NextFrame();
/** Whether the panel still shows the position before the last stroke. */
let late = false;

const editor = new Editor(shared() ?? (keptBefore ? fromJson(keptBefore) : unopened(9, 9, 10)), {
  changed: (kind) => changed(kind),
  pick: (index) => looking.pick(index),
  pointed: (index) => point(index),
  arranged,
});
const looking = new Looking(editor, card, format, nextFrame);
const arranging = new Arranging(
  () => toJson(editor.position),
  (mines, text) => {
    if (mines) editor.arrange(mines);
    looking.tell(text);
  },
  (problem) => looking.tell(problem instanceof Refusal ? sentence(problem.message) : t("The server is not responding.")),
);

/** @param {string} text */
function say(text) {
  write($("status"), text);
}

/** @param {string} kind The kind of move. */
function changed(kind) {
  arranging.stop();
  tooltip.hide();
  noteAddress();
  looking.refresh();
  if (kind !== "stroke") return showPosition(kind);
  // Strokes change cells only, so the board and its chances are painted before the panel.
  if (late) return;
  late = true;
  nextFrame.drawn();
  nextFrame.run(() => late && showPosition(kind));
}

/** @param {string} kind The kind of move after which the panel shows the position. */
function showPosition(kind) {
  const { position, history } = editor;
  late = false;
  select("topology").value = position.topology;
  input("width").value = String(position.width);
  input("height").value = String(position.height);
  input("mines").value = position.mines === null ? "" : String(position.mines);
  input("density").value = position.density === null ? "" : String(rounded(100 * position.density));
  const unknown = position.mines === null && position.density === null;
  $("unknown-total").hidden = !unknown;
  complain("size-error", "");
  // Leave the text as the user typed it.
  if (kind !== "typed") {
    typed++;
    /** @type {HTMLTextAreaElement} */ ($("text")).value = toText(position);
    complain("text-error", "");
  }
  button("undo-step").disabled = history.at === 0;
  button("redo-step").disabled = history.at === history.moves.length - 1;
  button("play").disabled = unknown || position.cells.includes("*");
  button("play").title = unknown ? t("Enter the mine total or density to play from here") : "";
  listMoves();
}

function listMoves() {
  const { moves, at } = editor.history;
  if (!(/** @type {HTMLDetailsElement} */ ($("moves-more")).open)) return;
  $("moves").replaceChildren(
    ...moves.map(({ name }, index) => {
      const item = make("li");
      const choose = make("button", name);
      choose.type = "button";
      choose.classList.toggle("undone", index > at);
      if (index === at) choose.setAttribute("aria-current", "step");
      choose.addEventListener("click", () => editor.go(index));
      item.append(choose);
      return item;
    }),
  );
  $("moves").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(() => {
    own = writePosition(editor.position);
    keep(KEPT, own);
    history.replaceState(null, "", `#${own}`);
  }, PAUSE);
}

/** Update the page after mines were shown or hidden. */
function arranged() {
  button("hide").disabled = editor.mines === null;
  tooltip.hide();
  looking.cover();
}

/** @param {number | null} index The cell under the mouse. */
function point(index) {
  if (index === null) tooltip.hide();
  else {
    const { grid } = editor.board;
    tooltip.show(grid.box(index), looking.words(index), grid.element.parentElement?.getBoundingClientRect());
  }
}

/**
 * @param {"size-error" | "text-error"} id
 * @param {string} text
 */
function complain(id, text) {
  $(id).textContent = text;
  $(id).hidden = !text;
}

/** Import a position. */
async function take(/** @type {Promise<import("./loading.js").Found>} */ reading) {
  try {
    const { position, from, board, notes } = await reading;
    const problem = sizeProblem(position.width, position.height, position.mines, position.density);
    if (problem) throw new Error(problem);
    editor.change(position, t("From {source}", { source: from }));
    if (board) editor.arrange(board);
    const told = board
      ? t("Read a board with its mines from {source}.", { source: from })
      : t("Read a position from {source}.", { source: from });
    looking.tell(sentences(told, ...notes.map(sentence)));
    sheet.toggle(false);
  } catch (problem) {
    const gone = problem instanceof TypeError;
    say(gone ? t("The server is not responding.") : sentence(/** @type {Error} */ (problem).message));
  }
}

// The fields for the size, and for the total or density.

/**
 * @param {number} value
 * @returns {number} The value without rounding errors of percent conversion.
 */
function rounded(value) {
  return Number(value.toPrecision(14));
}

/**
 * @param {"mines" | "density"} id
 * @returns {number | null} The value of a field; null if it is empty.
 */
function entered(id) {
  const field = input(id);
  return field.value === "" && !field.validity.badInput ? null : field.valueAsNumber;
}

const FIELDS = /** @type {const} */ (["width", "height", "mines", "density"]);
for (const id of FIELDS) {
  input(id).addEventListener("input", () => {
    const { position } = editor;
    // A board has a total or a density, so typing one replaces the other.
    if (id === "mines" && entered("mines") !== null) input("density").value = "";
    if (id === "density" && entered("density") !== null) input("mines").value = "";
    const [width, height] = [input("width").valueAsNumber, input("height").valueAsNumber];
    const [mines, percent] = [entered("mines"), entered("density")];
    const density = percent === null ? null : rounded(percent / 100);
    const problem = sizeProblem(width, height, mines, density);
    complain("size-error", problem);
    if (problem) return;
    const before = FIELDS.map((field) => input(field).value);
    const size = `${width}×${height}`;
    const name = density === null
      ? t("{size}, mines: {mines}", { size, mines: mines ?? "?" })
      : t("{size}, density: {density} %", { size, density: rounded(100 * density) });
    editor.change({ ...resized(position, width, height), mines, density }, name, "size");
    // Do not overwrite a field while it is being edited.
    FIELDS.forEach((field, at) => (input(field).value = before[at]));
  });
  input(id).addEventListener("change", () => editor.history.settle());
}

const shapes = select("topology");
shapes.replaceChildren(...tilings().map(({ name, label }) => new Option(label, name)));
shapes.value = editor.position.topology;
shapes.addEventListener("change", () => {
  const shape = shapes.selectedOptions[0].text;
  editor.change(reshaped(editor.position, shapes.value), t("Shape: {shape}", { shape }));
});

const text = /** @type {HTMLTextAreaElement} */ ($("text"));
text.addEventListener("input", async () => {
  // Do not replace the text later.
  if (late) showPosition("typed");
  const mine = ++typed;
  try {
    const foreign = isForeign(text.value) || text.value.includes("position=");
    const position = foreign ? (await readText(text.value)).position : parse(text.value);
    if (mine !== typed) return;
    complain("text-error", "");
    editor.change(position, t("Text"), "typed");
  } catch (problem) {
    if (mine === typed) complain("text-error", sentence(/** @type {Error} */ (problem).message));
  }
});
text.addEventListener("change", () => {
  editor.history.settle();
  if (!$("text-error").textContent) text.value = toText(editor.position);
});

/**
 * @param {string} what
 */
async function copy(what) {
  try {
    await navigator.clipboard.writeText(what);
    say(t("Copied."));
  } catch {
    // Permission was denied, or the page was not served locally or over HTTPS.
    text.value = what;
    text.select();
    say(t("Press Ctrl+C to copy."));
  }
}
$("copy-text").addEventListener("click", () => copy(toText(editor.position)));
$("copy-link").addEventListener("click", () =>
  copy(addressOf("analyze", writePosition(editor.position))),
);
listenToImports((given) => take(typeof given === "string" ? readText(given) : readFile(given)));

/** @type {Record<string, () => void>} */
const commands = {
  undo: () => editor.go(editor.history.at - 1),
  redo: () => editor.go(editor.history.at + 1),
  overlay() {
    const boxes = [...document.querySelectorAll('[name="overlay"]')].map((box) => /** @type {HTMLInputElement} */ (box));
    const next = boxes[(boxes.findIndex((box) => box.checked) + 1) % boxes.length];
    next.checked = true;
    next.dispatchEvent(new Event("change", { bubbles: true }));
  },
  deal: () => void arranging.deal(),
  play() {
    nextFrame.flush();
    if (button("play").disabled) return say(t("To play from here, enter the mine total or density and cover all open mines."));
    location.href = addressOf("index", `rules=${select("rules").value}&${writePosition(editor.position)}`);
  },
  hide: () => editor.arrange(null),
  help() {
    sheet.toggle(false);
    showHelp(card);
  },
  leave() {
    if (editor.mines) return editor.arrange(null);
    looking.leave();
    card.hide();
  },
};
const KEYS = /** @type {Record<string, string>} */ ({
  u: "undo",
  y: "redo",
  a: "overlay",
  d: "deal",
  p: "play",
  "?": "help",
  Escape: "leave",
});

for (const id of ["undo-step", "redo-step", "play", "hide", "help"]) {
  $(id).addEventListener("click", () => commands[id.replace("-step", "")]());
}
$("overlay").addEventListener("change", (event) => looking.show(/** @type {HTMLInputElement} */ (event.target).value));
$("moves-more").addEventListener("toggle", listMoves);
card.onClose = () => commands.leave();

document.addEventListener("keydown", (event) => {
  const focused = /** @type {Element} */ (document.activeElement);
  const typing = focused.matches('textarea, input:not([type="radio"])');
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = pressedKey(event);
  if (event.defaultPrevented || altKey || (typing && key !== "Escape")) return;
  let name = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (ctrlKey || metaKey) {
    name = key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : key.toLowerCase() === "y" ? "redo" : "";
  }
  if (name) commands[name]();
  else {
    // Outside the board, tool keys only select the tool.
    const tool = ctrlKey || metaKey || focused.matches("select") ? null : toolOf(key);
    if (!tool) return;
    editor.palette.tool = tool;
  }
  event.preventDefault();
});

addEventListener("hashchange", ({ newURL }) => {
  // The page may have updated its URL since then.
  const { hash } = new URL(newURL);
  const position = hash.slice(1) === own ? null : shared(hash);
  if (position) editor.change(position, t("From a link"));
});

/** @param {import("../protocol.js").Menu} menu */
function offer({ rules, levels, overlays }) {
  $("overlay").append(...overlays.map(overlayChoice));
  /** @type {HTMLInputElement} */ ($("overlay").querySelector(`[value="${looking.overlay}"]`)).checked = true;
  select("rules").replaceChildren(...rules.map(({ name, label }) => new Option(label, name)));
  $("presets").replaceChildren(
    ...levels.map(({ label, width, height, mines }) => {
      const preset = make("button", label);
      preset.type = "button";
      preset.title = tn("An empty board of {size} with {n} mine", "An empty board of {size} with {n} mines", mines, {
        size: `${width}×${height}`,
      });
      preset.addEventListener("click", () => editor.change(reshaped(unopened(width, height, mines), shapes.value), t("Empty board")));
      return preset;
    }),
  );
}

async function askMenu() {
  try {
    offer(await loadMenu());
  } catch {
    setTimeout(askMenu, 2000);
  }
}

startSettings();
startFrame();
$("keys").textContent = byTouch() ? "" : t("0–8 . F draw · L examine a cell · right-click flag · U undo · Y redo · ? all keys");
askMenu();
changed("");
