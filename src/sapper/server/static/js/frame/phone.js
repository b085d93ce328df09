/** Whether the page has the layout of a phone: bars under the thumb, settings in a sheet. */
export const phone = matchMedia("(max-width: 759px), (max-height: 499px)");
