/**
 * Width and depth of the searches: those of `sapper.solver.search.guesses` in the Python package.
 */

const PLAIN = { deep: 0, near: 0, second: 0, likely: 0, again: 0.8, blend: 0, every: 0 };

/** @type {Readonly<Record<"swift" | "champion" | "grandmaster", Readonly<Record<string, number>>>>} */
export const EFFORTS = {
  swift: { ...PLAIN, margin: 0.1, cells: 5, solutions: 2_000, states: 20_000, leaf_solutions: 30 },
  champion: {
    ...PLAIN,
    margin: 0.2,
    cells: 24,
    solutions: 20_000,
    states: 200_000,
    leaf_solutions: 200,
  },
  grandmaster: {
    ...PLAIN,
    margin: 0.25,
    cells: 60,
    deep: 8,
    near: 0.03,
    second: 10,
    likely: 0.005,
    solutions: 50_000,
    states: 2_000_000,
    leaf_solutions: 200,
    every: 1,
  },
};
