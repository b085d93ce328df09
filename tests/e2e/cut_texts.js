/**
 * Find text that is cut off, extends beyond the page, or overlaps. An element is too narrow for
 * its text if its scroll width is larger than its width. The text of a select cannot be measured
 * this way, so it is measured on a canvas. Content may extend beyond the edges of scrollable elements.
 */
() => {
  const NAMED = "button, label, .name, .actions, summary, h1, h2, h3, h4, th, dt, dd, legend, nav a, a.button, p";
  const scrolls = (element) => {
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowX + overflowY) && at.scrollWidth > at.clientWidth + 1) return true;
    }
    return false;
  };
  // Where a phone shows a table as a list, its headings are only for screen readers.
  const clipped = (element) => {
    const clip = (at) => at && (getComputedStyle(at).clipPath === "inset(50%)" || clip(at.parentElement));
    return clip(element);
  };
  const seen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const hidden = element.closest(".spoken, .skip, .cell, [hidden], svg, [role=grid]");
    return !hidden && !clipped(element) && width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const said = (element) => (element.textContent || element.id).trim().replace(/\s+/g, " ").slice(0, 60);
  const found = [];
  const all = [...document.querySelectorAll(NAMED)].filter(seen);
  for (const element of all) {
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element;
    if (clientWidth && scrollWidth > clientWidth + 1) found.push(`too narrow: ${said(element)}`);
    const hides = getComputedStyle(element).overflowY !== "visible";
    if (hides && clientHeight && scrollHeight > clientHeight + 2) found.push(`too low: ${said(element)}`);
    const { left, right } = element.getBoundingClientRect();
    if ((left < -1 || right > innerWidth + 1) && !scrolls(element)) found.push(`off the page: ${said(element)}`);
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const list of [...document.querySelectorAll("select")].filter(seen)) {
    const style = getComputedStyle(list);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    // The arrow is about as wide as one and a half letters.
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    for (const option of list.options) {
      const wide = pen.measureText(option.text).width;
      if (wide > room + 1) found.push(`too long for its list: ${option.text} (${Math.round(wide)} > ${Math.round(room)})`);
    }
  }
  const boxes = all.filter((each) => each.matches("button, a, label, summary"));
  for (const one of boxes) {
    for (const other of boxes) {
      if (one.parentElement !== other.parentElement || one === other) continue;
      if (!(one.compareDocumentPosition(other) & 4)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1.5 && high > 1.5) found.push(`covers: ${said(one)} / ${said(other)}`);
    }
  }
  return [...new Set(found)];
}
