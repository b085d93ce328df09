/** Whether the page uses its phone layout, with buttons under the thumb and settings in a sheet. */
export const phone = matchMedia("(max-width: 759px), (max-height: 499px)");
