/** The last replay files opened, kept in this browser so that pages can be reloaded. */

const STORE = "replays";
/** The number of files to keep. */
const MOST = 10;

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("sapper", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

/**
 * Keep a file.
 *
 * @param {Blob} file
 * @returns {Promise<string>} Its name in URLs, as in `/replay?file=NAME`.
 */
export async function keepFile(file) {
  const random = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0"));
  // Names start with the time, so that the oldest come first.
  const name = `${Date.now().toString(36)}-${random.join("")}`;
  const opened = await database();
  try {
    await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      store.put(file, name);
      const names = store.getAllKeys();
      names.onsuccess = () => names.result.slice(0, -MOST).forEach((old) => store.delete(old));
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
  return name;
}

/**
 * @param {string} name
 * @returns {Promise<Blob | null>} The file; null if this browser does not have it.
 */
export async function keptFile(name) {
  try {
    const opened = await database();
    try {
      return await new Promise((resolve, reject) => {
        const found = opened.transaction(STORE).objectStore(STORE).get(name);
        found.onsuccess = () => resolve(found.result ?? null);
        found.onerror = () => reject(found.error);
      });
    } finally {
      opened.close();
    }
  } catch {
    // If storage is blocked, nothing was kept.
    return null;
  }
}

/**
 * Open a file on a page, at a URL that survives a reload.
 *
 * @param {"/replay" | "/review"} page
 * @param {Blob} file
 */
export async function openOn(page, file) {
  location.href = `${page}?file=${await keepFile(file)}`;
}
