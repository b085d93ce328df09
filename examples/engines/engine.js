// An engine in JavaScript for Node: it opens what one number proves, or guesses.
import { createInterface } from "node:readline";

function choose(rows) {
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
    const cells = safe.size ? [...safe] : [clear[Math.floor(Math.random() * clear.length)]];
    const actions = cells.map((cell) => ["open", Math.floor(cell / width), cell % width]);
    return { actions, guess: !safe.size };
}

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const games = new Set();
const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit());
input.on("line", (line) => {
    let message = null;
    try {
        message = JSON.parse(line);
        if (message.type === "hello")
            send({ type: "hello", protocol: 1, name: "Node starter", games: 100 });
        else if (message.type === "game") games.add(message.game);
        else if (message.type === "choose") {
            if (!games.has(message.game)) throw new Error(`no game ${message.game}`);
            send({ type: "choice", id: message.id, ...choose(message.rows) });
        } else if (message.type === "quit") process.exit();
    } catch (problem) {
        send({ type: "error", id: message?.id, code: "bad_request", message: problem.message });
    }
});
