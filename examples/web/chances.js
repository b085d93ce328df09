/**
 * Shows the exact chance of a mine on the cells of any Minesweeper whose cells are HTML elements.
 *
 *     import { showChances } from "./chances.js";
 *     showChances({ cells: "#board td", open: ".revealed", mines: () => 40 });
 */
const { load } = await import(globalThis.sapperEngine ?? "sapper-engine");
const engine = await load({ search: false });
const style = document.createElement("style");
style.textContent = `[data-chance] { position: relative } [data-chance]::after { content: attr(data-chance);
  position: absolute; inset: 0; display: grid; place-content: center; font: 11px sans-serif; color: #000;
  pointer-events: none; background: var(--chance) }`;
document.head.append(style);

/** @param {{cells: string, open: string, mines: () => number | null, columns?: number}} game Two selectors, and the mine total. */
export function showChances({ cells, open, mines, columns }) {
  const draw = () => {
    const all = [...document.querySelectorAll(cells)];
    const top = all[0]?.getBoundingClientRect().top;
    const width = columns ?? all.filter((cell) => Math.abs(cell.getBoundingClientRect().top - top) < 2).length;
    const chars = all.map((cell) => (cell.matches(open) ? cell.textContent.trim() || "0" : "."));
    const rows = Array.from({ length: all.length / width }, (_, row) => chars.slice(row * width, (row + 1) * width).join(""));
    let chances = [];
    try {
      chances = engine.analyze({ rows, mines: mines() }, { seconds: 1 }).pMine;
    } catch (problem) {
      console.info(`no chances: ${problem.message}`); // The game is over, or its numbers are wrong.
    }
    all.forEach((cell, index) => {
      const p = chances[index];
      if (!(p >= 0)) return cell.removeAttribute("data-chance");
      cell.style.setProperty("--chance", p ? `rgb(200 60 60 / ${0.1 + 0.7 * p})` : "rgb(60 180 90 / 0.6)");
      cell.dataset.chance = p > 0 && p < 1 ? Math.min(99, Math.max(1, Math.round(100 * p))) : p ? "✕" : "✓";
    });
  };
  new MutationObserver(draw).observe(document.body, { subtree: true, childList: true, attributeFilter: ["class"] });
  draw();
}
