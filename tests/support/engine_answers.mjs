/** Answers requests in Node, one JSON line each. */
import { createInterface } from "node:readline";

import { answering } from "./engine_answering.mjs";

const answer = await answering(new URL("../../src/sapper/web/static/engine/", import.meta.url));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${answer(line)}\n`);
}
