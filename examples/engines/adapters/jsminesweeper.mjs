// The solver of JSMinesweeper as an engine: node jsminesweeper.mjs PATH, the path of a copy of
// https://github.com/DavidNHill/JSMinesweeper (tested with commit d8ff392). It plays at full
// strength, with the options of that program's own bulk runs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import vm from "node:vm";

const SCRIPTS = [
    "Utility/PrimeSieve", "Utility/Binomial", "client/Board", "client/Tile", "client/solver_main",
    "client/solver_probability_engine", "client/Brute_force", "client/BruteForceAnalysis",
    "client/SolutionCounter", "client/EfficiencyHelper", "client/FiftyFiftyHelper",
    "client/LongTermRiskHelper",
];
const folder = process.argv[2];
if (!folder) {
    console.error("usage: node jsminesweeper.mjs PATH");
    process.exit(2);
}
const log = (...words) => console.error(...words);
const page = vm.createContext({
    // Its scripts expect these as globals; only its pages need the compressor.
    console: { log, error: log, warn: log }, performance, setTimeout, Compressor: class {},
    showMessage() {}, async sleep() {}, analysisMode: false,
});
const read = (name) => readFileSync(join(folder, "Minesweeper", `${name}.js`), "utf8");
const constants = ["client/main", "client/MinesweeperGame"].flatMap(
    (name) => read(name).match(/^const [A-Z_]+ = \d+;/gm),
);
const CACHE = "const binomialCache = new BinomialCache(5000, 500, new Binomial(65000, 500));";
const OUT = "globalThis.out = { solver, Board, PLAY_STYLE_NOFLAGS, ACTION_CLEAR };";
vm.runInContext([...constants, ...SCRIPTS.map(read), CACHE, OUT].join("\n"), page);
const { solver, Board, PLAY_STYLE_NOFLAGS, ACTION_CLEAR } = page.out;

async function choose(board, rows) {
    page.board = board;
    for (const [row, text] of rows.entries())
        for (const [column, cell] of [...text].entries()) {
            const tile = board.getTileXY(column, row);
            if (tile.isCovered() && cell >= "0" && cell <= "8") tile.setValue(Number(cell));
        }
    const options = {
        playStyle: PLAY_STYLE_NOFLAGS, verbose: false, advancedGuessing: true,
        fullProbability: true, hardcore: false,
    };
    const { actions } = await solver(board, options);
    const found = actions.filter(({ action }) => action === ACTION_CLEAR);
    if (!found.length) throw new Error("the solver returned no cell to open");
    const guess = found[0].prob !== 1;
    const cells = guess ? found.slice(0, 1) : found.filter(({ prob }) => prob === 1);
    return { guess, risk: 1 - found[0].prob, actions: cells.map(({ x, y }) => ["open", y, x]) };
}

function commit() {
    const git = spawnSync("git", ["-C", folder, "rev-parse", "--short", "HEAD"]);
    return git.status === 0 ? String(git.stdout).trim() : "";
}
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const boards = new Map();
async function answer(message) {
    const { type, id, game } = message;
    if (type === "hello") {
        await solver(null);
        send({ type, protocol: 1, name: "JSMinesweeper", version: commit(), games: 100 });
    } else if (type === "game") {
        boards.set(game, new Board(0, message.width, message.height, message.mines, 0, "safe"));
    } else if (type === "choose") {
        if (!boards.has(game)) throw new Error(`game ${game} has not been started`);
        send({ type: "choice", id, ...(await choose(boards.get(game), message.rows)) });
    } else if (type === "end") boards.delete(game);
    else if (type === "quit") process.exit();
}
async function main() {
    for await (const line of createInterface({ input: process.stdin })) {
        let message = null;
        try {
            message = JSON.parse(line);
            await answer(message);
        } catch (problem) {
            send({ type: "error", id: message?.id, code: "failed", message: problem.message });
        }
    }
}
main();
