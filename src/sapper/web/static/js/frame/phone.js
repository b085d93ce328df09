/** Whether the page has its phone layout: buttons under the thumb, settings in a sheet. */
export const phone = matchMedia("(max-width: 759px), (max-height: 499px)");
