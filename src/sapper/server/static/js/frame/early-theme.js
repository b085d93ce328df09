// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const { dataset } = document.documentElement;
  dataset.theme = localStorage.getItem("sapper.theme") ?? "";
  dataset.look = localStorage.getItem("sapper.look") ?? "classic";
  dataset.palette = localStorage.getItem("sapper.palette") ?? "usual";
})();
