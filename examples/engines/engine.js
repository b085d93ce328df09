// An engine in JavaScript for Node: it opens cells that one number proves safe, or guesses.
import { createInterface } from "node:readline";

function choose(rows, random) {
    const height = rows.length, width = rows[0].length;
    const unopened = (r, c) => rows[r]?.[c] === "." || rows[r]?.[c] === "F";
    const near = (row, col) => {
        const found = [];
        for (let r = row - 1; r <= row + 1; r++)
            for (let c = col - 1; c <= col + 1; c++) if (unopened(r, c)) found.push(r * width + c);
        return found;
    };
    const mines = new Set(), safe = new Set(), numbers = [], rest = [];
    for (let r = 0; r < height; r++)
        for (let c = 0; c < width; c++)
            if (unopened(r, c)) rest.push(r * width + c);
            else numbers.push([Number(rows[r][c]), near(r, c)]);
    for (const [count, cells] of numbers)
        if (cells.length === count) for (const cell of cells) mines.add(cell);
    for (const [count, cells] of numbers)
        if (cells.filter((cell) => mines.has(cell)).length === count)
            for (const cell of cells) if (!mines.has(cell)) safe.add(cell);
    const clear = rest.filter((cell) => !mines.has(cell));
    const cells = safe.size ? [...safe] : [clear[Math.floor(random * clear.length)]];
    const actions = cells.map((cell) => ["open", Math.floor(cell / width), cell % width]);
    return { actions, guess: !safe.size };
}

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const games = new Map(); // the state of each game's random numbers
const next = (state) => (Math.imul(state, 1664525) + 1013904223) >>> 0;
const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit());
input.on("line", (line) => {
    let message = null;
    try {
        message = JSON.parse(line);
        if (message.type === "hello")
            send({ type: "hello", protocol: 1, name: "Node starter", games: 100 });
        else if (message.type === "game") games.set(message.game, message.seed % 2 ** 32);
        else if (message.type === "choose") {
            if (!games.has(message.game)) throw new Error(`no game ${message.game}`);
            games.set(message.game, next(games.get(message.game)));
            const random = games.get(message.game) / 2 ** 32;
            send({ type: "choice", id: message.id, ...choose(message.rows, random) });
        } else if (message.type === "quit") process.exit();
    } catch (problem) {
        send({ type: "error", id: message?.id, code: "bad_request", message: problem.message });
    }
});
