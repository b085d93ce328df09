/** The layout in which the panel is a sheet over the page, with buttons under the thumb; see `panel.css`. */

// The board of a game needs the width; the analysis board shows its figures beside it.
const width = document.getElementById("thumbs") ? 1039 : 759;

/** Whether the page uses that layout. */
export const phone = matchMedia(`(max-width: ${width}px), (max-height: 499px)`);
