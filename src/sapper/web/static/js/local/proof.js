/**
 * A proof that a cell is safe, in steps that use one number or two, in the server's words.
 *
 * The engine proves more cells than these steps do; see `sapper.solver.conclusions`.
 */

import { isNumber, isUnopened, numberOf, placeName } from "../board/cells.js";
import { neighbours } from "../board/neighbours.js";
import { capitalized, listed, sentences } from "../sentence.js";
import { t, tn } from "../translation.js";
import { inWords } from "../wording.js";

/** @typedef {import("../protocol.js").Cell} Cell */
/** @typedef {import("../protocol.js").ProofStep} ProofStep */
/** @typedef {import("../thinking/chances.js").PositionJson} PositionJson */

/** Above this number of cells or numbers, texts give only the count. */
const [MOST_CELLS, MOST_NUMBERS] = [6, 4];

/**
 * @typedef {object} Rule A number.
 * @property {number} index
 * @property {number} number
 * @property {string} name
 * @property {number[]} cells The unopened cells around it.
 */

/**
 * @typedef {object} Fact
 * @property {Rule[]} rules
 * @property {number[]} cells The cells that it settles.
 * @property {boolean} mined Whether they are mines.
 * @property {number[]} used The settled cells that it depends on.
 * @property {string} reason
 */

/** The number of safe cells among which the shortest proof is chosen. */
const MOST_TRIED = 6;

/**
 * @param {PositionJson} position Without flags.
 * @returns {{cell: Cell, because: Cell[], sentence: string, steps: ProofStep[]} | null} A safe cell with a short proof, if one was found.
 */
export function proofOf(position) {
  const place = (/** @type {number} */ index) => /** @type {Cell} */ ([Math.floor(index / position.width), index % position.width]);
  const facts = new Conclusions(rulesIn(position, place)).facts;
  const goals = facts.flatMap((fact) => (fact.mined ? [] : fact.cells)).sort((a, b) => a - b);
  if (!goals.length) return null;
  const size = (/** @type {Proof} */ proof) => 100 * rulesOf(proof.facts).length + proof.facts.length;
  const easier = (/** @type {Proof} */ a, /** @type {Proof} */ b) => size(a) - size(b);
  const found = goals.map((goal) => ({ goal, facts: needed(facts, goal) })).sort(easier);
  const [best] = found.slice(0, MOST_TRIED).map(shortened).sort(easier);
  const places = (/** @type {number[]} */ indices) => indices.toSorted((a, b) => a - b).map(place);
  return {
    cell: place(best.goal),
    because: places(rulesOf(best.facts).map(({ index }) => index)),
    sentence: sentenceOf(best.facts),
    steps: best.facts.map((fact) => ({
      numbers: places(fact.rules.map(({ index }) => index)),
      total: false,
      safe: fact.mined ? [] : places(fact.cells),
      mined: fact.mined ? places(fact.cells) : [],
      assumed: false,
      contradiction: false,
      text: textOf(fact, place),
    })),
  };
}

/** @typedef {{goal: number, facts: Fact[]}} Proof */

/**
 * @param {Proof} proof
 * @returns {Proof} The same with as few numbers as possible.
 */
function shortened({ goal, facts }) {
  let rules = rulesOf(facts);
  for (const rule of rules) {
    const fewer = rules.filter((other) => other !== rule);
    if (new Conclusions(fewer, goal).facts.some(({ cells }) => cells.includes(goal))) rules = fewer;
  }
  return { goal, facts: needed(new Conclusions(rules, goal).facts, goal) };
}

/**
 * @param {PositionJson} position
 * @param {(index: number) => Cell} place
 * @returns {Rule[]} The numbers with unopened cells around them.
 */
function rulesIn(position, place) {
  const shown = position.rows.join("");
  const shape = { ...position, topology: position.topology ?? "rectangle" };
  return [...shown].flatMap((char, index) => {
    if (!isNumber(char)) return [];
    const cells = neighbours(shape, index).filter((near) => isUnopened(shown[near]));
    const number = numberOf(char);
    return cells.length ? [{ index, number, cells, name: t("the {number} at {place}", { number, place: placeName(place(index)) }) }] : [];
  });
}

class Conclusions {
  /** @type {Fact[]} In order, up to the first ones about a safe cell. */
  facts = [];
  /** Whether each settled cell is a mine. @type {Map<number, boolean>} */
  #known = new Map();
  /** The same for cells settled since then. @type {Map<number, boolean>} */
  #fresh = new Map();
  /** The numbers around each unopened cell. @type {Map<number, Rule[]>} */
  #around = new Map();

  /**
   * @param {Rule[]} rules
   * @param {number} [goal] The cell to settle (default: any safe cell).
   */
  constructor(rules, goal) {
    this.rules = rules;
    for (const rule of rules) {
      for (const cell of rule.cells) this.#around.set(cell, [...(this.#around.get(cell) ?? []), rule]);
    }
    const done = () => (goal === undefined ? this.facts.some(({ mined }) => !mined) : this.#known.has(goal));
    while (!done() && (this.#singles() || this.#pairs()));
  }

  /** @returns {boolean} Whether single numbers settled more cells. */
  #singles() {
    for (const rule of this.rules) {
      const { cells, left, used } = this.#open(rule);
      if (!cells.length) continue;
      if (left === 0) this.#add([rule], cells, false, used, hasItsMines(rule));
      else if (left === cells.length) this.#add([rule], cells, true, used, needsAll(rule, left, used.length > 0));
    }
    return this.#commit();
  }

  /** @returns {boolean} Whether pairs of numbers settled more cells. */
  #pairs() {
    for (const first of this.rules) {
      const others = new Set(first.cells.flatMap((cell) => this.#around.get(cell) ?? []));
      for (const second of others) {
        if (second !== first) this.#pair(first, second);
      }
    }
    return this.#commit();
  }

  /**
   * Settle the cells of the second number from those it shares with the first.
   *
   * @param {Rule} first
   * @param {Rule} second
   */
  #pair(first, second) {
    const [a, b] = [this.#open(first), this.#open(second)];
    const rest = b.cells.filter((cell) => !a.cells.includes(cell));
    const shared = b.cells.length - rest.length;
    if (!rest.length || !shared) return;
    const used = [...a.used, ...b.used];
    const alone = a.cells.length - shared;
    if (a.left - alone >= b.left) {
      this.#add([first, second], rest, false, used, around(first, second, b.left, alone === 0));
      return;
    }
    const most = Math.min(a.left, shared);
    if (b.left - most >= rest.length) this.#add([first, second], rest, true, used, sharesAtMost(first, second, most));
  }

  /**
   * @param {Rule} rule
   * @returns {{cells: number[], left: number, used: number[]}} The unsettled cells of a number, its missing mines, and its settled cells.
   */
  #open({ cells, number }) {
    const used = cells.filter((cell) => this.#known.has(cell));
    return {
      cells: cells.filter((cell) => !this.#known.has(cell)),
      left: number - used.filter((cell) => this.#known.get(cell)).length,
      used,
    };
  }

  /**
   * @param {Rule[]} rules
   * @param {number[]} cells
   * @param {boolean} mined
   * @param {number[]} used
   * @param {string} reason
   */
  #add(rules, cells, mined, used, reason) {
    // The first proof of a cell is as good as the others.
    if (cells.some((cell) => !this.#fresh.has(cell))) this.facts.push({ rules, cells, mined, used, reason });
    for (const cell of cells) this.#fresh.set(cell, mined);
  }

  /** @returns {boolean} Whether there are more settled cells, which later conclusions can use. */
  #commit() {
    const { size } = this.#fresh;
    for (const [cell, mined] of this.#fresh) this.#known.set(cell, mined);
    this.#fresh.clear();
    return size > 0;
  }
}

/**
 * @param {Fact[]} facts
 * @param {number} goal
 * @returns {Fact[]} Those on which a cell depends.
 */
function needed(facts, goal) {
  const wanted = new Set([goal]);
  return facts.toReversed().filter(({ cells, used }) => {
    if (!cells.some((cell) => wanted.has(cell))) return false;
    for (const cell of cells) wanted.delete(cell);
    for (const cell of used) wanted.add(cell);
    return true;
  }).toReversed();
}

/**
 * @param {Fact[]} facts
 * @returns {Rule[]} Their numbers, each once.
 */
function rulesOf(facts) {
  return [...new Set(facts.flatMap(({ rules }) => rules))];
}

// Words.

/** @param {Rule} rule */
function hasItsMines({ name, number }) {
  if (!number) return t("{number} leaves no mine", { number: name });
  return tn("{number} already has its mine", "{number} already has its mines", number, { number: name });
}

/**
 * @param {Rule} rule
 * @param {number} mines
 * @param {boolean} more Whether it already has some mines, or cells without one.
 */
function needsAll({ name }, mines, more) {
  const words = { n: inWords(mines), number: name };
  return more
    ? tn(
        "{number} needs {n} more mine and has only {n} cell left",
        "{number} needs {n} more mines and has only {n} cells left",
        mines,
        words,
      )
    : tn("{number} needs {n} mine and has only {n} cell left", "{number} needs {n} mines and has only {n} cells left", mines, words);
}

/**
 * @param {Rule} first
 * @param {Rule} second
 * @param {number} mines
 * @param {boolean} whole Whether these are all mines of the first number.
 */
function around(first, second, mines, whole) {
  const words = { n: inWords(mines), first: first.name, second: second.name };
  return whole
    ? tn("the mine around {first} is also around {second}", "the {n} mines around {first} are also around {second}", mines, words)
    : tn(
        "at least {n} mine around {first} is also around {second}",
        "at least {n} mines around {first} are also around {second}",
        mines,
        words,
      );
}

/**
 * @param {Rule} first
 * @param {Rule} second
 * @param {number} mines
 */
function sharesAtMost(first, second, mines) {
  const words = { n: inWords(mines), first: first.name, second: second.name };
  return tn("{second} shares at most {n} mine with {first}", "{second} shares at most {n} mines with {first}", mines, words);
}

/**
 * @param {Fact} fact
 * @param {(index: number) => Cell} place
 * @returns {string}
 */
function textOf({ cells, mined, reason }, place) {
  const count = cells.length;
  const names = cells.toSorted((a, b) => a - b).map((index) => placeName(place(index)));
  const words = { reason, cells: count > MOST_CELLS ? tn("{n} cell", "{n} cells", count) : together(names) };
  return capitalized(
    mined
      ? tn("{reason}, so {cells} is a mine.", "{reason}, so {cells} are mines.", count, words)
      : tn("{reason}, so {cells} is clear.", "{reason}, so {cells} are clear.", count, words),
  );
}

/** @param {string[]} names */
function together(names) {
  if (names.length === 1) return names[0];
  return t("{names} and {last}", { names: listed(names.slice(0, -1)), last: names[names.length - 1] });
}

/**
 * @param {Fact[]} facts
 * @returns {string} The proof in one or two sentences.
 */
function sentenceOf(facts) {
  const rules = rulesOf(facts);
  const [first, second] = rules;
  if (rules.length === 1) return capitalized(t("{number} has no mine around it.", { number: first.name }));
  const mines = facts[0].cells.length;
  if (rules.length === 2 && facts.length === 2 && facts[0].rules.length === 1 && facts[1].rules.length === 1) {
    const full = tn(
      "{first} has only {n} unopened cell around it, which must be a mine.",
      "{first} has only {n} unopened cells around it, which must be mines.",
      mines,
      { n: inWords(mines), first: first.name },
    );
    const met = tn("So {second} already has its mine.", "So {second} already has its mines.", second.number, { second: second.name });
    return sentences(capitalized(full), met);
  }
  if (facts.length === 1) {
    const words = { n: inWords(second.number), first: first.name, second: second.name };
    const lying = first.cells.every((cell) => second.cells.includes(cell))
      ? tn(
          "The mine around {first} lies in cells that {second} also touches.",
          "The {n} mines around {first} lie in cells that {second} also touches.",
          second.number,
          words,
        )
      : tn(
          "At least {n} mine around {first} lies in cells that {second} also touches.",
          "At least {n} mines around {first} lie in cells that {second} also touches.",
          second.number,
          words,
        );
    return sentences(lying, t("So {second} has no mine left for its other cells.", { second: second.name }));
  }
  const count = rules.length;
  const numbers =
    count > MOST_NUMBERS
      ? tn("{n} number", "{n} numbers", count, { n: inWords(count) })
      : together(rules.toSorted((a, b) => a.index - b.index).map(({ name }) => name));
  return capitalized(t("{numbers} together leave no room for a mine here.", { numbers }));
}
