/** The methods that the engine has in a worker. */
export const METHODS = /** @type {const} */ ([
  "analyze",
  "winChance",
  "optimal",
  "bestMove",
  "dealNoGuess",
  "sample",
  "metrics",
  "neighbours",
]);
