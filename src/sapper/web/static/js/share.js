/** Keeps the address bar up to date, and opens shared URLs. */

import { readAddress, writeAddress } from "./address.js";
import { t } from "./translation.js";

/** Milliseconds to wait before an update, because browsers limit how often a page may change its URL. */
const PAUSE = 400;
const OWN = "sapper.address";
/** How many of its own URLs a window remembers. */
const REMEMBERED = 5;

export class Share {
  #timer = 0;
  #offered = false;
  /** The URLs written by this window, newest first, kept across reloads. */
  #own = kept();

  /**
   * @param {import("./game-state.js").GameState} state
   * @param {import("./frame/card.js").Card} card
   * @param {import("./types.js").Send} send
   */
  constructor(state, card, send) {
    this.state = state;
    this.card = card;
    this.send = send;
    addEventListener("hashchange", ({ newURL }) => {
      this.#offered = false;
      // The page may have updated its URL since then.
      this.#arrive(new URL(newURL).hash, this.#own.slice(0, 1));
    });
  }

  /** Handle the URL at which the page was opened. */
  open() {
    // The URL is written with a delay, so a page that is opened again may have an earlier one.
    this.#arrive(location.hash, wasOpenedAgain() ? this.#own : this.#own.slice(0, 1));
  }

  /**
   * @param {string} hash
   * @param {string[]} own URLs of the running game, known to the server.
   */
  #arrive(hash, own) {
    const { game } = this.state;
    const here = hash.slice(1);
    if (this.#offered || !game) return;
    this.#offered = true;
    if (!here || own.includes(here) || here === writeAddress(game)) return;
    const address = readAddress(here);
    if (!address) return;
    const play = () => {
      this.#leave();
      this.#remember(here);
      if (address.position) {
        const { rules, options } = address.settings;
        this.send({ type: "position", position: address.position, rules, options });
      } else this.send({ type: "new", settings: address.settings, ...seedOf(address.seed) });
    };
    if (game.status !== "playing") return play();
    const title = address.position
      ? t("This link contains a shared position")
      : address.seed === null
        ? t("This link starts a new game")
        : t("This link contains a shared game");
    this.card.show("shared", title, t("Playing it ends your current game."), [
      { label: t("Play it"), act: play },
      { label: t("Keep my game"), act: () => this.#leave() },
    ]);
  }

  #leave() {
    this.card.hide("shared");
  }

  /** @param {string} address A URL of the running game. */
  #remember(address) {
    this.#own = [address, ...this.#own.filter((each) => each !== address)].slice(0, REMEMBERED);
    keep(this.#own);
  }

  /** Write the current game to the address bar after a short delay. */
  note() {
    if (this.card.kind === "shared") return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (!this.state.game) return;
      const address = writeAddress(this.state.game);
      this.#remember(address);
      history.replaceState(null, "", `#${address}`);
    }, PAUSE);
  }
}

/** @returns {boolean} */
function wasOpenedAgain() {
  const [entry] = performance.getEntriesByType("navigation");
  const { type } = /** @type {Partial<PerformanceNavigationTiming>} */ (entry ?? {});
  return type === "reload" || type === "back_forward";
}

/** @returns {string[]} */
function kept() {
  try {
    // URLs contain no spaces.
    return sessionStorage.getItem(OWN)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** @param {string[]} addresses */
function keep(addresses) {
  try {
    sessionStorage.setItem(OWN, addresses.join(" "));
  } catch {
    // Without storage, the page asks again after every reload.
  }
}

/**
 * @param {number | null} seed
 * @returns {object}
 */
function seedOf(seed) {
  return seed === null ? {} : { seed };
}
