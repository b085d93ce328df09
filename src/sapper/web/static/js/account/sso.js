/** Signing in with the provider chosen by the site's operator. */

import { ask } from "./api.js";

const FIELDS = ["state", "code", "error", "iss"];

/** Go to the provider's page, which sends the browser back here. */
export async function goToProvider() {
  const { address } = await ask("/sso/start", {});
  location.assign(address);
}

/**
 * Return the provider's answer from this page's URL, and remove it there.
 *
 * @returns {Record<string, string> | null} Its fields, or null if the browser does not come from the provider.
 */
export function takeAnswer() {
  const query = new URLSearchParams(location.search);
  if (!query.has("state")) return null;
  history.replaceState(null, "", location.pathname);
  return Object.fromEntries([...query].filter(([name]) => FIELDS.includes(name)));
}

/**
 * Send the provider's answer to the server.
 *
 * @param {Record<string, string>} answer
 * @returns {Promise<import("./types.js").Returned>}
 */
export const finish = (answer) => ask("/sso/finish", answer);
