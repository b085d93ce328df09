/**
 * Code shared by `index.js`, the worker and the compiled modules: one file in the package.
 */

export { EFFORTS } from "./efforts.js";
export { Engine } from "./engine.js";
export { asError, asFields, SapperError } from "./errors.js";
export { fetchSearch, filesAt } from "./files.js";
export { positionJson, readPosition } from "./grid.js";
export { cancelled, exhausted, now, watch } from "./host.js";
export { currentGeneration, memoryBytes, start } from "./instance.js";
export { load, loadWorker } from "./load.js";
export { METHODS } from "./methods.js";
