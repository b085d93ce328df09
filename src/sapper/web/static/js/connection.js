/** The WebSocket connection, which reports when it is lost and reconnects automatically. */

/** The actions that this connection does not have. @type {ReadonlySet<import("./input/key-map.js").KeyAction>} */
export const MISSING = new Set();

/** The longest wait between two attempts, in milliseconds. */
const PATIENCE = 4000;

/**
 * Return how long to wait before reconnecting: briefly at first, then longer each time.
 *
 * @param {number} attempt Counted from 0.
 * @returns {number} Milliseconds.
 */
export function backoff(attempt) {
  return Math.min(PATIENCE, Math.round(200 * 1.7 ** attempt));
}

/**
 * @template Received
 * @typedef {object} Handlers
 * @property {(message: Received) => void} onMessage
 * @property {() => void} onOpen
 * @property {() => void} onLost
 */

/**
 * @template {object} [Sent=import("./protocol.js").SentMessage]
 * @template [Received=import("./protocol.js").Message]
 */
export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempt = 0;
  #timer = 0;
  #sent = 0;
  /** Tells this window's messages apart from those of other windows. */
  #name = Math.random().toString(36).slice(2, 8);

  /**
   * @param {string} url
   * @param {Handlers<Received>} handlers
   */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    this.#connect();
    // Try immediately when the network is back or a phone wakes up.
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** @returns {boolean} Whether messages can be sent now. */
  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {Sent} message
   * @returns {string | null} The id of its answer; null if it was not sent.
   */
  send(message) {
    if (!this.open) return null;
    const id = `${this.#name}-${++this.#sent}`;
    this.#socket?.send(JSON.stringify({ ...message, id }));
    return id;
  }

  /** Close the connection for good. */
  stop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect() {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.handlers.onOpen();
    };
    socket.onmessage = ({ data }) => this.handlers.onMessage(JSON.parse(data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.handlers.onLost();
      this.#timer = window.setTimeout(() => this.#connect(), backoff(this.#attempt++));
    };
  }

  #hurry() {
    if (this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#connect();
  }
}
