/** Files dropped on a page together with folders. */

/**
 * @param {DataTransfer} data The dropped data, readable only during the event.
 * @returns {Promise<File[]>} All files, including those in nested folders.
 */
export async function filesOf(data) {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const loose = [...data.files];
  if (!entries.some((entry) => entry.isDirectory)) return loose;
  /** @type {File[]} */
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

/**
 * @param {FileSystemEntry} entry
 * @param {File[]} found
 */
async function collect(entry, found) {
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    found.push(await new Promise((resolve, reject) => file.file(resolve, reject)));
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    // The browser returns the entries of a folder a hundred at a time.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const inner of some) await collect(inner, found);
  }
}
