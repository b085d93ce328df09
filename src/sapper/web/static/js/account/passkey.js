/** The browser's passkey dialog, with WebAuthn requests and responses in JSON. */

import { ask } from "./api.js";

/** @returns {boolean} Whether the browser has passkeys. */
export const supported = () => typeof PublicKeyCredential !== "undefined";

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>} The bytes of a base64url string.
 */
export function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {string} Its bytes in base64url.
 */
export function base64url(buffer) {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Create a passkey and send it to the server.
 *
 * @param {string} path The URL that accepts it; its options are below it.
 * @param {object} fields Further fields to send.
 */
export async function createPasskey(path, fields) {
  const { options } = await ask(`${path}/options`, fields);
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((/** @type {{id: string}} */ known) => ({
      ...known,
      id: bytes(known.id),
    })),
  };
  const made = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return ask(path, {
    ...fields,
    credential: {
      ...common(made),
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        attestationObject: base64url(response.attestationObject),
        transports: response.getTransports?.() ?? [],
      },
    },
  });
}

/** Let the user choose a passkey, and sign in with it. */
export async function signIn() {
  const { options } = await ask("/sign-in/options", {});
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: [] };
  const chosen = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (chosen.response);
  return ask("/sign-in", {
    credential: {
      ...common(chosen),
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        authenticatorData: base64url(response.authenticatorData),
        signature: base64url(response.signature),
        userHandle: response.userHandle ? base64url(response.userHandle) : null,
      },
    },
  });
}

/** @param {PublicKeyCredential} credential */
function common(credential) {
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
  };
}
