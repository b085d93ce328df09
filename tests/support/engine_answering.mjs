/**
 * Answers requests of Python tests with the JavaScript engine, in Node and in pages.
 *
 * A request is `{method, values}`, or `{game: [start, ...values], actions: [[kind, cell], ...]}`
 * for a whole game, or `{origin, actions}` for a game of a page without a server. Values are
 * written as plain JSON: NaN as null, and a bigint as text.
 */

/** Load the engine of a folder; return a function that answers one line. */
export async function answering(folder) {
  const { load } = await import(new URL("index.js", folder));
  const { LocalGame } = await import(new URL("../js/local/local-game.js", folder));
  const { EFFORTS } = await import(new URL("shared.js", folder));
  const engine = await load();
  const answered = (request) => {
    try {
      if (request.game) return { value: played(engine, request) };
      if (request.origin) return { value: views(new LocalGame(engine, request.origin), request.actions) };
      if (request.method === "efforts") return { value: EFFORTS };
      return { value: engine[request.method](...request.values) };
    } catch (problem) {
      const { code, message, why, cells } = problem;
      return { error: { code, message, why, cells } };
    }
  };
  return (line) => JSON.stringify(answered(JSON.parse(line)), plain);
}

function plain(_key, value) {
  if (typeof value === "bigint") return String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return value;
}

/** Play a game; the answer has the state before and after each action. */
function played(engine, { game: [start, ...values], actions }) {
  const game = engine[start](...values);
  const text = new TextDecoder();
  const state = (effect) => ({
    effect,
    cells: text.decode(game.cells),
    status: game.status,
    questions: game.questions,
    left: game.minesLeft,
    undo: game.canUndo,
    changed: game.changed,
  });
  const states = [state(null)];
  for (const [kind, cell] of actions) {
    try {
      states.push(state(kind === "undo" ? game.undo() : game[kind](cell)));
    } catch (problem) {
      states.push(state(`${problem.code}: ${problem.message}`));
    }
  }
  return { states, counts: game.counts, board: game.over ? game.board.mined : null };
}

/** Return the cells that the page shows before and after each action. */
function views(game, actions) {
  const shown = [game.view.join("")];
  for (const [kind, cell] of actions) {
    try {
      game.act(kind, cell);
    } catch (problem) {
      if (problem.code !== "illegal_action") throw problem;
    }
    shown.push(game.view.join(""));
  }
  return shown;
}
