/** Board shapes as the server describes them to a page; import this before modules that use them. */

const AROUND = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => [r, c])).filter(([r, c]) => r || c);
const SQUARE = { steps: AROUND, outline: [[0, 0], [1, 0], [1, 1], [0, 1]], middle: [0.5, 0.5], radius: 0.5 };
const squares = { summary: "", checkered: true, pitch: [1, 1], tiles: [[SQUARE]] };

const SIDE = 1 / Math.sqrt(3);
const HEXAGON = [[0.5, 0], [1, SIDE / 2], [1, 1.5 * SIDE], [0.5, 2 * SIDE], [0, 1.5 * SIDE], [0, SIDE / 2]];
const hexagon = (/** @type {number} */ shift) => ({
  steps: [[-1, shift - 1], [-1, shift], [0, -1], [0, 1], [1, shift - 1], [1, shift]],
  outline: HEXAGON.map(([x, y]) => [x + shift / 2, y]),
  middle: [0.5 + shift / 2, SIDE],
  radius: 0.5,
});

Object.assign(globalThis, {
  sapperTopologies: [
    { name: "rectangle", label: "Rectangle", wraps: [false, false], ...squares },
    { name: "torus", label: "Torus", wraps: [true, true], ...squares },
    {
      name: "hexagon",
      label: "Hexagons",
      summary: "",
      checkered: false,
      wraps: [false, false],
      pitch: [1, 1.5 * SIDE],
      tiles: [[hexagon(0)], [hexagon(1)]],
    },
    {
      name: "dozen",
      label: "Cells with twelve neighbours",
      ...squares,
      wraps: [true, true],
      tiles: [[{ ...SQUARE, steps: [...AROUND, [0, 2], [0, -2], [2, 0], [-2, 0]] }]],
    },
  ],
});
