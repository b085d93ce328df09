/** The line to the server: reconnects by itself, and says when it is gone. */

/** The longest wait between two attempts, in milliseconds. */
const PATIENCE = 4000;

/**
 * How long to wait before an attempt to reconnect: soon at first, then ever slower.
 *
 * @param {number} attempt Counted from 0.
 * @returns {number} Milliseconds.
 */
export function backoff(attempt) {
  return Math.min(PATIENCE, Math.round(200 * 1.7 ** attempt));
}

/**
 * @typedef {object} Handlers
 * @property {(message: import("./protocol.js").Message) => void} onMessage
 * @property {() => void} onOpen
 * @property {() => void} onLost
 */

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempt = 0;
  #timer = 0;
  #sent = 0;
  /** Tells this window's messages from those of another one in the same browser. */
  #name = Math.random().toString(36).slice(2, 8);

  /**
   * @param {string} url
   * @param {Handlers} handlers
   */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    this.#connect();
    // A sleeping phone or a lost network need not wait for the next attempt.
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** @returns {boolean} Whether messages go through now. */
  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {object} message
   * @returns {string | null} The id under which it will be answered; null if it was not sent.
   */
  send(message) {
    if (!this.open) return null;
    const id = `${this.#name}-${++this.#sent}`;
    this.#socket?.send(JSON.stringify({ ...message, id }));
    return id;
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
