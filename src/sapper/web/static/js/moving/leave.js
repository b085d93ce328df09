/** Runs under 127.0.0.1 or [::1]: continue at localhost with this browser's data. */

import { packed } from "./parcel.js";

async function leave() {
  const link = document.querySelector("a");
  if (!link) return;
  const target = new URL(link.href);
  const { pathname, search, hash } = location;
  let token = "";
  try {
    const answer = await fetch("/api/move", { method: "POST" });
    if (answer.ok) ({ token } = await answer.json());
  } catch {
    // The next visit under this name tries again.
  }
  location.replace(`${target.origin}/moved#${packed(token, pathname + search + hash)}`);
}

void leave();
