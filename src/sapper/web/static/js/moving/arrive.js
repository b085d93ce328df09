/** Runs at localhost: take over the browser's data from 127.0.0.1, and open the page. */

import { unpacked } from "./parcel.js";

async function arrive() {
  const parcel = unpacked(location.hash.slice(1));
  // From here on, the address bar and the history of the browser do not contain the token.
  history.replaceState(null, "", location.pathname);
  if (parcel?.token) {
    try {
      const body = JSON.stringify({ token: parcel.token });
      const answer = await fetch("/api/move/arrive", { method: "POST", body });
      if (answer.ok) parcel.keep();
    } catch {
      // The next visit under the other name tries again.
    }
  }
  location.replace(parcel?.path ?? "/");
}

void arrive();
