/**
 * Minesweeper's exact engine for JavaScript; see index.d.ts and README.md.
 */

export { load, loadWorker, SapperError } from "./shared.js";
