/** Checked by `npm run types`: the types that the package declares are those of its modules. */
import type * as declared from "../../packages/sapper-engine/src/index";
import { load } from "../../packages/sapper-engine/src/load.js";

const loadAsDeclared: typeof declared.load = load;

export async function use(): Promise<declared.Analysis> {
  const engine = await loadAsDeclared({ search: false });
  const game: declared.Game = engine.game("expert", { seed: 7n });
  const move: declared.Move = engine.bestMove(game.position, { bot: "exact" });
  const chance: declared.WinChance = engine.winChance({ rows: ["."] }, { seconds: 1 });
  const board: declared.NoGuessBoard = engine.dealNoGuess("beginner", { start: [0, 0] });
  engine.metrics(board);
  engine.optimal("mines: 1\n..", { states: move.cells.length + chance.cells.length });
  return engine.analyze({ width: 1, height: 1, cells: game.cells });
}
