/** Saves files through the browser. */

/**
 * Have the browser save a file.
 *
 * @param {Blob} content
 * @param {string} name
 */
export function saveFile(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
