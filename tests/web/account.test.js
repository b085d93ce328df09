/** The Account page: the JSON form of passkeys. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { base64url, bytes } from "../../src/sapper/web/static/js/account/passkey.js";

test("bytes become base64url and back", () => {
  for (const data of [[], [0], [251, 255, 191], Array.from({ length: 256 }, (_, byte) => byte)]) {
    const text = base64url(new Uint8Array(data).buffer);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual([...bytes(text)], data);
  }
  assert.equal(base64url(new Uint8Array([251, 255, 191]).buffer), "-_-_");
  assert.deepEqual([...bytes("AAE")], [0, 1]);
});
