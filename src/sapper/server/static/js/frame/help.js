/** What the keys and buttons do, in the card. */

const KEYS = [
  ["Left click", "open; on a number, chord"],
  ["Right click", "flag"],
  ["Middle click", "chord"],
  ["Long press", "flag, on a touch screen"],
  ["Arrows", "move the cursor"],
  ["Space", "open"],
  ["F", "flag"],
  ["Enter", "open, or chord a number"],
  ["H", "hint"],
  ["A", "analyze, when assisted"],
  ["P", "let the bot play, or pause it"],
  ["S", "let the bot do one step"],
  ["U", "undo"],
  ["N", "new game"],
  ["+ − 0", "larger, smaller, fitting cells"],
  ["Esc", "put the card away"],
];

/** @param {import("./card.js").Card} card */
export function showHelp(card) {
  if (card.kind === "help") return card.hide();
  card.show(
    "help",
    "How to play",
    "Open every cell that holds no mine. A number says how many of the cells around it do. " +
      "To chord is to open all other cells around a number that has its flags.",
  );
  const list = document.createElement("dl");
  for (const [key, does] of KEYS) {
    const term = document.createElement("dt");
    const text = document.createElement("dd");
    term.textContent = key;
    text.textContent = does;
    list.append(term, text);
  }
  card.element.append(list);
  card.element.scrollIntoView({ block: "nearest" });
}
