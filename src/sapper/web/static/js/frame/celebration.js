/** The animation of a win: a wave of light over the board, and sparks for a personal best. */

/** The duration of the animation, in milliseconds. */
const LENGTH = 800;
const SPARKS = 18;
/** The angle between consecutive sparks, in radians; the golden angle spreads them evenly. */
const TURN = 2.399963;

/**
 * @param {HTMLElement} well The frame of the board.
 * @param {DOMRect | undefined} cell The start of the wave (default: the centre).
 * @param {boolean} best Whether the win is a personal best.
 */
export function celebrate(well, cell, best) {
  const frame = well.getBoundingClientRect();
  const x = cell ? cell.x + cell.width / 2 - frame.x : frame.width / 2;
  const y = cell ? cell.y + cell.height / 2 - frame.y : frame.height / 2;
  const layer = document.createElement("div");
  layer.className = best ? "celebration best" : "celebration";
  layer.setAttribute("aria-hidden", "true");
  Object.assign(layer.style, {
    left: `${well.offsetLeft}px`,
    top: `${well.offsetTop}px`,
    width: `${well.offsetWidth}px`,
    height: `${well.offsetHeight}px`,
  });
  const reach = Math.hypot(Math.max(x, frame.width - x), Math.max(y, frame.height - y));
  wave(layer, x, y, 1.3 * reach, 0);
  if (best) {
    wave(layer, x, y, 1.3 * reach, 160);
    for (let number = 0; number < SPARKS; number++) spark(layer, x, y, number, Math.min(reach, 320));
  }
  well.parentElement?.append(layer);
  setTimeout(() => layer.remove(), LENGTH + 200);
}

/**
 * @param {HTMLElement} layer
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} delay
 */
function wave(layer, x, y, radius, delay) {
  const ring = document.createElement("i");
  ring.className = "ring";
  Object.assign(ring.style, {
    left: `${x - radius}px`,
    top: `${y - radius}px`,
    width: `${2 * radius}px`,
    height: `${2 * radius}px`,
  });
  layer.append(ring);
  ring.animate(
    [
      { transform: "scale(0)", opacity: 0.9 },
      { opacity: 0.75, offset: 0.5 },
      { transform: "scale(1)", opacity: 0 },
    ],
    { duration: LENGTH - delay, delay, easing: "cubic-bezier(0.2, 0.6, 0.4, 1)", fill: "both" },
  );
}

/**
 * @param {HTMLElement} layer
 * @param {number} x
 * @param {number} y
 * @param {number} number
 * @param {number} reach
 */
function spark(layer, x, y, number, reach) {
  const piece = document.createElement("i");
  piece.className = "spark";
  Object.assign(piece.style, { left: `${x}px`, top: `${y}px`, background: `var(--n${1 + (number % 6)})` });
  layer.append(piece);
  const far = reach * (0.35 + (0.65 * ((number * 7) % SPARKS)) / SPARKS);
  const [dx, dy] = [Math.cos(number * TURN) * far, Math.sin(number * TURN) * far];
  const at = (/** @type {number} */ share, /** @type {number} */ fall) =>
    `translate(${dx * share}px, ${dy * share + fall}px) rotate(${(number % 2 ? 1 : -1) * 200 * share}deg)`;
  piece.animate(
    [
      { transform: at(0, 0), opacity: 1 },
      { transform: at(0.85, 0), opacity: 1, offset: 0.55 },
      { transform: at(1, 30), opacity: 0 },
    ],
    { duration: LENGTH, easing: "cubic-bezier(0.15, 0.7, 0.4, 1)", fill: "both" },
  );
}
