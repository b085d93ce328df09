/** Reads the lines of a review as the server sends them. */

import { Refusal } from "../refusal.js";

/** @typedef {import("./types.js").Line} Line */

/**
 * @param {string} path
 * @param {"GET" | "POST"} method
 * @param {(line: Line) => void} take Called with each line.
 * @param {{body?: Blob | FormData, headers?: HeadersInit, signal?: AbortSignal}} [more]
 */
export async function readLines(path, method, take, more = {}) {
  const answer = await fetch(path, { method, ...more });
  if (!answer.ok || !answer.body) throw new Refusal((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  }
}
