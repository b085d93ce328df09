/** The pointer and its path, drawn on a canvas over the cells. */

/** The maximum number of events in the path drawn, to keep frames short. */
const LONGEST = 20_000;
/** How long the latest part of the path is highlighted, in milliseconds. */
const RECENT_MS = 1000;
const ARROW = [0, 0, 0, 17, 4, 13, 7, 19.5, 9.6, 18.3, 6.7, 12, 12, 12];

export class PointerLayer {
  /** @type {import("./recorded-game.js").RecordedGame | null} */
  #game = null;
  #place = 0;
  #path = true;

  /** @param {import("../board/still-board.js").StillBoard} board */
  constructor(board) {
    this.board = board;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "pointer-layer";
    this.canvas.setAttribute("aria-hidden", "true");
    board.grid.scroller.append(this.canvas);
    new ResizeObserver(() => this.draw()).observe(board.grid.element);
  }

  /**
   * @param {import("./recorded-game.js").RecordedGame} game
   * @param {number} place
   * @param {boolean} path Whether to draw the whole path up to now.
   */
  show(game, place, path) {
    [this.#game, this.#place, this.#path] = [game, place, path];
    this.draw();
  }

  draw() {
    const { canvas, board } = this;
    const { element } = board.grid;
    const ratio = devicePixelRatio;
    const [wide, high] = [element.offsetWidth, element.offsetHeight];
    const [x, y] = [Math.round(wide * ratio), Math.round(high * ratio)];
    if (canvas.width !== x || canvas.height !== y) [canvas.width, canvas.height] = [x, y];
    Object.assign(canvas.style, {
      left: `${element.offsetLeft}px`,
      top: `${element.offsetTop}px`,
      width: `${wide}px`,
      height: `${high}px`,
    });
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    if (!this.#game || !this.#place) return;
    this.#drawPath(pen);
    this.#drawPointer(pen);
  }

  /** @param {CanvasRenderingContext2D} pen */
  #drawPath(pen) {
    const game = this.#game;
    if (!game?.replay.has_pointer) return;
    const { ms, x, y } = game.replay.events;
    const scale = this.board.cell / game.replay.cell_px;
    const color = getComputedStyle(this.canvas).getPropertyValue("color");
    const recent = game.placeAt(ms[this.#place - 1] - RECENT_MS);
    const line = (/** @type {number} */ from) => {
      pen.beginPath();
      for (let at = Math.max(0, from); at < this.#place; at++) pen.lineTo(x[at] * scale, y[at] * scale);
      pen.stroke();
    };
    pen.lineJoin = "round";
    pen.lineCap = "round";
    pen.strokeStyle = color;
    if (this.#path) {
      pen.globalAlpha = 0.42;
      pen.lineWidth = 1.4;
      line(this.#place - LONGEST);
    }
    pen.globalAlpha = 0.95;
    pen.lineWidth = 2.6;
    line(Math.max(recent, this.#place - LONGEST));
    pen.globalAlpha = 1;
  }

  /**
   * @param {{row: number, col: number}} at
   * @returns {[number, number]} The centre of a cell, on a board of any shape.
   */
  #middle({ row, col }) {
    const { element } = this.board.grid;
    const { width, height } = this.board.shape;
    const [r, c] = [Math.floor(row), Math.floor(col)];
    if (r < 0 || c < 0 || r >= height || c >= width) return [-99, -99];
    const [all, cell] = [element, this.board.grid.cell(r * width + c)].map((each) => each.getBoundingClientRect());
    return [cell.x - all.x + cell.width / 2, cell.y - all.y + cell.height / 2];
  }

  /** @param {CanvasRenderingContext2D} pen */
  #drawPointer(pen) {
    const at = this.#game?.pointerAt(this.#place);
    if (!at) return;
    const { cell } = this.board;
    pen.save();
    const [x, y] = this.#game?.replay.has_pointer ? [at.col * cell, at.row * cell] : this.#middle(at);
    pen.translate(x, y);
    if (at.held) {
      pen.beginPath();
      pen.arc(0, 0, Math.max(9, cell * 0.42), 0, 2 * Math.PI);
      pen.lineWidth = 3;
      pen.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("color");
      pen.stroke();
    }
    pen.beginPath();
    for (let i = 0; i < ARROW.length; i += 2) pen.lineTo(ARROW[i], ARROW[i + 1]);
    pen.closePath();
    pen.lineWidth = 1.5;
    pen.strokeStyle = "#000";
    pen.fillStyle = "#fff";
    pen.fill();
    pen.stroke();
    pen.restore();
  }
}
