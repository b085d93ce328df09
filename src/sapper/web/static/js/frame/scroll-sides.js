/** Finds the sides on which a scrolling element has more content, so that they can be faded. */

/**
 * @param {Pick<Element, "scrollLeft" | "scrollTop" | "scrollWidth" | "scrollHeight" | "clientWidth" | "clientHeight">} element
 * @returns {string} The sides, separated by spaces: the value of `data-more`.
 */
export function scrollSides({ scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight }) {
  // Scroll positions may be fractions of a pixel.
  const sides = {
    left: scrollLeft > 1,
    right: scrollWidth - clientWidth - scrollLeft > 1,
    top: scrollTop > 1,
    bottom: scrollHeight - clientHeight - scrollTop > 1,
  };
  return Object.entries(sides)
    .filter(([, more]) => more)
    .map(([side]) => side)
    .join(" ");
}

/** Keep the `data-more` of an element up to date. @param {HTMLElement} element */
export function trackScrollSides(element) {
  const refresh = () => {
    element.dataset.more = scrollSides(element);
  };
  element.addEventListener("scroll", refresh, { passive: true });
  new ResizeObserver(refresh).observe(element);
}
