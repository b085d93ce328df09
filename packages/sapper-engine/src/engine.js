/**
 * The engine in this thread: `load` creates it.
 */

import {
  indexOf,
  indicesOf,
  oneOf,
  optionsOf,
  secondsOf,
  seedOf,
  statesOf,
  switchOf,
  whole,
  written,
} from "./arguments.js";
import { EFFORTS } from "./efforts.js";
import { SapperError } from "./errors.js";
import { Game } from "./game.js";
import { checkShape, readBoard, readPosition } from "./grid.js";
import { currentBuild, currentGeneration, glue, run } from "./instance.js";
import { gameSettings, levelText, logicIndex, LOGICS, readLevel } from "./level.js";
import { winChanceOf } from "./win-chance.js";

/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./grid.js").TopologyName} TopologyName */
/** @typedef {{topology: TopologyName, width: number, height: number}} Size */
/** @typedef {import("./sapper_search.js").Shape} Shape */
/** @typedef {import("./sapper_search.js").SearchPlayer} SearchPlayer */

/** Chances closer than this differ only by rounding. */
const EQUAL = 1e-9;
const [FLAGGED, UNOPENED] = ["F", "."].map((char) => char.charCodeAt(0));
/** The number of boards whose neighbour lists are kept. */
const SHAPES = 4;
/** Limits of perfect play for every cell; see `sapper.solver.search.chances`. */
const [SOLUTIONS, SIZE, STATES] = [5_000, 3_400_000, 500_000];
/** Default limits of `optimal`. */
const [MOST_SOLUTIONS, MOST_STATES] = [1_000_000, 50_000_000];
const MOST_SAMPLES = 1_000_000;
const TRIES = 20_000;
const MOST_32 = 2 ** 32 - 1;
const DEAL_OPTIONS = ["start", "seed", "firstClick", "logic", "method", "tries"];
const SAMPLE_OPTIONS = ["n", "seed", "safe", "mined", "seconds", "states"];
const GAME_OPTIONS = ["rules", "seed", "firstClick", "win", "chord", "undo", "logic", "method"];

/** The objects of one instance. */
class Live {
  generation = currentGeneration();
  analyser = new (glue().Analyser)();
  /** @type {Map<string, Shape>} */
  shapes = new Map();
  /** The last object used. @type {(Size & {shape: Shape}) | null} */
  last = null;
  /** @type {Map<string, SearchPlayer>} */
  searchers = new Map();
}

export class Engine {
  #fetchSearch;
  /** @type {Uint8Array | null} */
  #network = null;
  /** @type {Live | null} */
  #current = null;

  /** @param {() => Promise<Uint8Array>} fetchSearch Starts the search and returns its network. */
  constructor(fetchSearch) {
    this.#fetchSearch = fetchSearch;
  }

  /** Load the search: perfect play, win chances, `swift` and `champion`. */
  async loadSearch() {
    this.#network ??= await this.#fetchSearch();
  }

  /**
   * Return the chance of a mine in every cell, the proved cells and the number of solutions.
   *
   * @param {unknown} position
   * @param {unknown} [options]
   */
  analyze(position, options) {
    const grid = readPosition(position);
    const { seconds, states, solutions } = optionsOf(options, ["seconds", "states", "solutions"]);
    return this.#analyzed(grid, {
      seconds: secondsOf(seconds),
      states: statesOf(states),
      solutions: switchOf(solutions, "solutions", true),
    });
  }

  /**
   * Return the chance of winning a position and of each candidate cell.
   *
   * @param {unknown} position
   * @param {unknown} [options]
   */
  winChance(position, options) {
    const grid = readPosition(position);
    const { seconds, samples, seed } = optionsOf(options, ["seconds", "samples", "seed"]);
    const left = timer(secondsOf(seconds));
    this.#searchNetwork();
    const games = samples === undefined ? 0 : whole(samples, "samples", { most: MOST_SAMPLES });
    const first = BigInt.asUintN(64, seedOf(seed) << 32n);
    const found = this.#analyzed(grid, { seconds: left(), solutions: false });
    const unopened = count(grid.cells, UNOPENED) + count(grid.cells, FLAGGED);
    if (found.mined.length === unopened) {
      return { winChance: 1, kind: /** @type {const} */ ("exact"), error: 0, cells: [] };
    }
    return winChanceOf(this.#methods(grid, found.pMine, unopened, first), games, left);
  }

  /**
   * Play a position perfectly.
   *
   * @param {unknown} position
   * @param {unknown} [options]
   */
  optimal(position, options) {
    const grid = readPosition(position);
    const { seconds, states, solutions } = optionsOf(options, ["seconds", "states", "solutions"]);
    const limit = solutions === undefined ? MOST_SOLUTIONS : whole(solutions, "solutions");
    if (grid.mines === undefined && grid.density === undefined) {
      throw new SapperError(
        "bad_setting",
        "perfect play needs a mine total or a density, and this position has neither",
      );
    }
    const most = statesOf(states) ?? MOST_STATES;
    const solved = this.#perfect(grid, limit, most, secondsOf(seconds), false);
    if (!solved) {
      throw new SapperError(
        "limit_reached",
        `perfect play is past the limit: over ${limit} solutions, or too many states`,
      );
    }
    const { wins, solutions: all, winChance, best, states: searched } = solved;
    return { wins: wins ?? null, solutions: all, winChance, best, states: searched };
  }

  /**
   * Return a bot's choice in a position.
   *
   * @param {unknown} position
   * @param {unknown} [options]
   */
  bestMove(position, options) {
    const grid = readPosition(position);
    const { bot, seconds } = optionsOf(options, ["bot", "seconds"]);
    const name = oneOf(bot, /** @type {const} */ (["exact", "swift", "champion"]), "bot");
    const left = timer(secondsOf(seconds));
    const found = this.#analyzed(grid, { seconds: left(), solutions: false });
    if (found.safe.length > 0) return move("open", found.safe, "proved", 0);
    const least = found.pMine.reduce((low, p) => (p < low ? p : low), Infinity);
    if (!(least < 1)) {
      const unflagged = found.mined.filter((cell) => grid.cells[cell] !== FLAGGED);
      return move("flag", unflagged, "nothing left", 0);
    }
    const picks = name === "exact" ? null : this.#guess(name, grid, left());
    const best = picks && picks.length > 0 ? picks[0].cell : undefined;
    const near = name === "exact" ? EQUAL : 0;
    const cell = best ?? found.pMine.findIndex((p) => p <= least + near);
    const by = name === "exact" ? "least risk" : "search";
    return move("open", Uint32Array.of(cell), by, found.pMine[cell], true);
  }

  /**
   * Return a board that logic alone can open from its start: the same as Python's `generate`.
   *
   * @param {unknown} input
   * @param {unknown} [options]
   */
  dealNoGuess(input, options) {
    const level = readLevel(input);
    const given = optionsOf(options, DEAL_OPTIONS);
    const logic = logicIndex(given.logic, "no_guess");
    const methods =
      given.method === undefined
        ? /** @type {const} */ (["uniform", "fast"])
        : [oneOf(given.method, /** @type {const} */ (["uniform", "fast"]), "method")];
    const firstClick = oneOf(
      given.firstClick,
      /** @type {const} */ (["opening", "safe"]),
      "first_click",
    );
    const seed = seedOf(given.seed);
    const tries = given.tries === undefined ? TRIES : whole(given.tries, "tries", { least: 1 });
    const { mines } = level;
    if (mines === undefined) {
      throw new SapperError(
        "bad_setting",
        `no-guess boards need a mine total, got level ${levelText(level)}`,
      );
    }
    return run(() => {
      const shape = this.#shape(level);
      const kept = (/** @type {number} */ cell) =>
        firstClick === "safe" ? Uint32Array.of(cell) : Uint32Array.of(cell, ...shape.neighbours(cell));
      const start =
        given.start === undefined
          ? firstCell(level, mines, shape, firstClick, seed)
          : indexOf(given.start, level);
      const clear = kept(start);
      const room = level.width * level.height - clear.length;
      const at = written(start, level.width);
      if (mines > room) {
        throw new SapperError(
          "bad_setting",
          `first click ${firstClick} at ${at} keeps ${clear.length} cells clear: ` +
            `mines must be at most ${room}, got ${mines}`,
        );
      }
      for (const method of methods) {
        const fast = method === "fast";
        const deal = glue().dealNoGuess(shape, mines, start, clear, logic, fast, tries, seed);
        if (!deal) continue;
        const [mined, tried] = [deal.mined, deal.tries];
        deal.free();
        const { topology, width, height } = level;
        const board = { topology, width, height, mines, mined };
        return { ...board, start, seed, logic: LOGICS[logic], method, tries: tried };
      }
      const hint = methods.some((method) => method === "fast")
        ? ""
        : "; the method 'fast' finds much denser boards";
      throw new SapperError(
        "limit_reached",
        `no ${levelText(level)} board that ${LOGICS[logic]} logic solves from ${at} was found in ` +
          `${tries} tries${hint}`,
      );
    }, level.width);
  }

  /**
   * Draw boards from all that fit a position, according to their chances.
   *
   * @param {unknown} position
   * @param {unknown} [options]
   */
  sample(position, options) {
    const grid = readPosition(position);
    const { n = 1, seed, safe, mined, seconds, states } = optionsOf(options, SAMPLE_OPTIONS);
    const boards = this.#sampled(grid, {
      n: whole(n, "the number of boards", { most: MOST_32 }),
      seed: seedOf(seed),
      safe: indicesOf(safe, grid),
      mined: indicesOf(mined, grid),
      states: statesOf(states),
      seconds: secondsOf(seconds),
    });
    const { topology, width, height } = grid;
    return boards.map((board) => ({
      topology,
      width,
      height,
      mines: count(board, 1),
      mined: board,
    }));
  }

  /** Measure a complete board. */
  metrics(/** @type {unknown} */ board) {
    const read = this.#board(board);
    return run(() => {
      const found = this.#shape(read).metrics(read.mined);
      const { openings, bbbv } = found;
      found.free();
      return { openings, bbbv };
    });
  }

  /**
   * Return the neighbours of a cell, in row order.
   *
   * @param {unknown} board `{width, height, topology}`, or a position.
   * @param {unknown} cell
   */
  neighbours(board, cell) {
    const isSize = typeof board === "object" && board !== null && !("rows" in board);
    const { topology = "rectangle", width, height } = isSize
      ? /** @type {Record<string, unknown>} */ (board)
      : readPosition(board);
    const size = checkShape(topology, width, height, "bad_setting");
    const index = indexOf(cell, size);
    return run(() => this.#shape(size).neighbours(index));
  }

  /**
   * Start a game: the same as Python's `Game` with the same seed.
   *
   * @param {unknown} input
   * @param {unknown} [options]
   */
  game(input, options) {
    const level = readLevel(input);
    const cells = new Uint8Array(level.width * level.height).fill(UNOPENED);
    return this.#game({ ...level, cells }, optionsOf(options, GAME_OPTIONS), null);
  }

  /**
   * Start a game on a board, without a first-click promise.
   *
   * @param {unknown} input
   * @param {unknown} [options]
   */
  gameFromBoard(input, options) {
    const { topology, width, height, mines, mined } = this.#board(input);
    const given = optionsOf(options, GAME_OPTIONS);
    if (given.firstClick !== undefined) {
      throw new SapperError(
        "bad_setting",
        "a given board keeps no first-click promise: omit first_click",
      );
    }
    const cells = new Uint8Array(width * height).fill(UNOPENED);
    const grid = { topology, width, height, mines, density: undefined, cells };
    const noGuess = given.rules === "no-guess";
    return this.#game(grid, noGuess ? given : { ...given, firstClick: "any" }, mined);
  }

  /**
   * Continue from a position, on a board drawn from all that fit it.
   *
   * @param {unknown} input
   * @param {unknown} [options]
   */
  gameFromPosition(input, options) {
    const grid = readPosition(input);
    const exploded = grid.cells.indexOf("*".charCodeAt(0));
    if (exploded >= 0) {
      throw new SapperError(
        "bad_position",
        `cannot continue from a position with an opened mine, at ${written(exploded, grid.width)}`,
      );
    }
    const begun = grid.cells.some((cell) => cell !== UNOPENED && cell !== FLAGGED);
    const unknown = grid.mines === undefined && grid.density === undefined;
    // A density of 1/2 makes all arrangements equally likely, whatever their total.
    const known = unknown ? { ...grid, density: 0.5 } : grid;
    const given = optionsOf(options, GAME_OPTIONS);
    if (begun && given.rules === "no-guess") {
      throw new SapperError(
        "bad_setting",
        "rules no-guess deal their own boards and cannot continue from a position",
      );
    }
    const seed = seedOf(given.seed);
    const mined = begun ? this.#sampled(grid, { n: 1, seed })[0] : null;
    return this.#game(known, { ...given, seed }, mined, { begun, shown: grid });
  }

  /**
   * @param {Grid} grid
   * @param {Record<string, unknown>} options
   * @param {Uint8Array | null} mined
   * @param {{begun?: boolean, shown?: Grid}} [state] `shown` is the view of the player.
   */
  #game(grid, options, mined, { begun = false, shown = grid } = {}) {
    const mostNeighbours = () => run(() => this.#shape(grid).mostNeighbours);
    const settings = gameSettings(grid, options, { begun, mostNeighbours });
    const make = () => {
      const terms = new (glue().GameTerms)(
        grid.mines,
        grid.density,
        settings.firstClick,
        settings.win,
        settings.chord,
        settings.undo,
        settings.seed,
        settings.logic,
        settings.fast,
      );
      const round = new (glue().Round)(this.#shape(grid), terms, grid.cells, mined ?? new Uint8Array(0));
      terms.free();
      return round;
    };
    return new Game(make, shown, settings);
  }

  /** @param {unknown} input */
  #board(input) {
    return readBoard(input, (grid, mined) => run(() => this.#shape(grid).numbers(mined)));
  }

  /**
   * @param {Grid} grid
   * @param {{seconds?: number, states?: number, solutions: boolean}} limit
   */
  #analyzed(grid, { seconds, states, solutions }) {
    const { cells, mines, density, running = true, width } = grid;
    return run(() => {
      const shape = this.#shape(grid);
      const { analyser } = this.#live;
      const found = analyser.analyze(
        shape,
        cells,
        mines,
        density,
        running,
        states,
        seconds,
        solutions,
      );
      // Each access calls the instance, which takes much of the time on small boards.
      const exact = found.exact;
      const counted = exact && solutions ? found.solutions : undefined;
      const result = {
        pMine: found.takePMine(),
        safe: found.safe,
        mined: found.mined,
        solutions: counted === undefined ? null : BigInt(`0x${counted}`),
        exact,
        pMineError: exact ? null : (found.takePMineError() ?? null),
      };
      found.free();
      return result;
    }, width);
  }

  /**
   * @param {Grid} grid
   * @param {{n: number, seed: bigint, safe?: Uint32Array, mined?: Uint32Array, states?: number,
   *   seconds?: number}} draw
   */
  #sampled(grid, { n, seed, safe, mined, states, seconds }) {
    const { cells, mines, density, running = true, width } = grid;
    const none = new Uint32Array(0);
    return run(() => {
      const shape = this.#shape(grid);
      const { analyser } = this.#live;
      const boards = analyser.sample(
        shape,
        cells,
        mines,
        density,
        running,
        safe ?? none,
        mined ?? none,
        n,
        seed,
        states,
        seconds,
      );
      const drawn = Array.from({ length: boards.length }, (_, at) => boards.board(at));
      boards.free();
      return drawn;
    }, width);
  }

  /**
   * @param {Grid} grid
   * @param {number} solutions
   * @param {number} states
   * @param {number | undefined} seconds
   * @param {boolean} every Whether every cell gets its win chance.
   */
  #perfect(grid, solutions, states, seconds, every) {
    const { cells, mines, density, running = true, width } = grid;
    const most = Math.min(solutions, MOST_32);
    this.#searchNetwork();
    return run(() => {
      const shape = this.#shape(grid);
      const found = glue().playPerfectly(
        shape,
        cells,
        mines,
        density,
        running,
        most,
        states,
        seconds,
        every,
      );
      if (!found) return null;
      const { wins, solutions: all, winChance, best, states: searched } = found;
      const [at, chances] = [found.cells, found.chances];
      found.free();
      return { wins, solutions: all, winChance, best, states: searched, cells: at, chances };
    }, width);
  }

  /**
   * @param {keyof typeof EFFORTS} name
   * @param {Grid} grid
   * @param {number | undefined} seconds
   */
  #guess(name, grid, seconds) {
    const { cells, mines, density, running = true, width } = grid;
    return run(() => {
      const searcher = this.#searcher(name);
      const guess = searcher.guess(this.#shape(grid), cells, mines, density, running, seconds);
      const [at, winChances] = [guess.cells, guess.winChances];
      guess.free();
      return Array.from(at, (cell, number) => ({ cell, winChance: winChances[number] }));
    }, width);
  }

  /**
   * @param {Grid} grid
   * @param {Float64Array} pMine
   * @param {number} unopened
   * @param {bigint} first The first seed of the samples.
   * @returns {import("./win-chance.js").Methods}
   */
  #methods(grid, pMine, unopened, first) {
    const { cells, mines, density, running = true, width } = grid;
    const isKnown = mines !== undefined || density !== undefined;
    const most = Math.min(SOLUTIONS, Math.floor(SIZE / Math.max(1, unopened) ** 2));
    return {
      exact: (seconds) => {
        const solved = isKnown ? this.#perfect(grid, most, STATES, seconds, true) : null;
        if (!solved) return null;
        return Array.from(solved.cells, (cell, at) => ({
          cell,
          pMine: pMine[cell],
          winChance: solved.chances[at],
          error: 0,
        }));
      },
      learned: () => run(() => glue().SearchPlayer.knows(cells.length, mines, density)),
      estimated: (seconds) =>
        this.#guess("grandmaster", grid, seconds).map(({ cell, winChance }) => ({
          cell,
          pMine: pMine[cell],
          winChance,
          error: null,
        })),
      sampled: (cell, n, seconds) =>
        run(() => {
          const shape = this.#shape(grid);
          const player = this.#searcher("swift");
          return player.survivals(shape, cells, mines, density, running, cell, first, n, seconds);
        }, width),
    };
  }

  /** The objects of the current instance. */
  get #live() {
    if (this.#current?.generation !== currentGeneration()) this.#current = new Live();
    return /** @type {Live} */ (this.#current);
  }

  /** @param {Size} size */
  #shape({ topology, width, height }) {
    const { shapes, last } = this.#live;
    if (last?.topology === topology && last.width === width && last.height === height) {
      return last.shape;
    }
    const key = `${topology} ${width} ${height}`;
    let shape = shapes.get(key);
    if (!shape) {
      if (shapes.size >= SHAPES) {
        const [oldest] = shapes.keys();
        shapes.get(oldest)?.free();
        shapes.delete(oldest);
      }
      shape = new (glue().Shape)(topology, width, height);
      shapes.set(key, shape);
    }
    this.#live.last = { topology, width, height, shape };
    return shape;
  }

  /** @param {keyof typeof EFFORTS} name */
  #searcher(name) {
    const { searchers } = this.#live;
    let searcher = searchers.get(name);
    if (searcher) return searcher;
    const effort = EFFORTS[name];
    const values = Float64Array.from(Object.values(effort));
    searcher = new (glue().SearchPlayer)(this.#searchNetwork(), Object.keys(effort), values);
    searchers.set(name, searcher);
    return searcher;
  }

  /** The network of the search; an error if the search is not loaded. */
  #searchNetwork() {
    if (this.#network && currentBuild() === "search") return this.#network;
    throw new SapperError("missing_extra", "the search is not loaded: call loadSearch() first");
  }
}

/**
 * @param {"open" | "flag"} action
 * @param {Uint32Array} cells
 * @param {string} by
 * @param {number} risk
 */
function move(action, cells, by, risk, guess = false) {
  return { action, cells, by, risk, guess };
}

function count(/** @type {Uint8Array} */ cells, /** @type {number} */ value) {
  let found = 0;
  for (const cell of cells) found += Number(cell === value);
  return found;
}

/** Return a function that returns the seconds left; undefined for no limit. */
function timer(/** @type {number | undefined} */ seconds) {
  if (seconds === undefined) return () => undefined;
  const end = performance.now() + 1000 * seconds;
  return () => Math.max(0, (end - performance.now()) / 1000);
}

/**
 * Return the start of a no-guess board, drawn from the cells that can keep the promise.
 *
 * @param {import("./level.js").Level} level
 * @param {number} mines
 * @param {Shape} shape
 * @param {string} firstClick
 * @param {bigint} seed
 */
function firstCell(level, mines, shape, firstClick, seed) {
  const size = level.width * level.height;
  const free = size - mines;
  const drawn = (/** @type {number} */ cells) =>
    cells > 1 ? Number(glue().substream(seed, "first", 0) % BigInt(cells)) : 0;
  if (firstClick === "opening" && free < shape.mostNeighbours + 1) {
    const cells = [];
    for (let cell = 0; cell < size; cell += 1) {
      if (shape.neighbours(cell).length < free) cells.push(cell);
    }
    if (cells.length > 0) return cells[drawn(cells.length)];
  } else if (free > 0) {
    return drawn(size);
  }
  throw new SapperError(
    "bad_setting",
    `no cell of ${levelText(level)} can keep the promise of first click ${firstClick}`,
  );
}
