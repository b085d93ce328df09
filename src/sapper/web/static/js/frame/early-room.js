// Runs before the first paint, and reserves the space of the last board while the game loads.
(() => {
  let kept;
  let map;
  try {
    kept = JSON.parse(localStorage.getItem("sapper.room") ?? "null");
    map = localStorage.getItem("sapper.map") === "true";
  } catch {
    return;
  }
  const { innerWidth, innerHeight } = window;
  if (!Array.isArray(kept) || kept[0] !== innerWidth || kept[1] !== innerHeight) return;
  const { dataset, style } = document.documentElement;
  dataset.room = map ? "map" : "";
  for (const [i, name] of ["--cell", "--bevel", "--columns", "--rows"].entries()) {
    style.setProperty(name, i < 2 ? `${Number(kept[i + 2])}px` : String(Number(kept[i + 2])));
  }
})();
