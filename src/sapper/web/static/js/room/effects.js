/** The smiley, sounds and the animation of a win in a room. */

import { isUnopened } from "../board/cells.js";
import { $ } from "../dom.js";
import { celebrate } from "../frame/celebration.js";
import { Sounds } from "../frame/sound.js";

export class Effects {
  #sounds = new Sounds();

  /**
   * @param {import("./room-state.js").RoomState} state
   * @param {import("../frame/smiley.js").SmileyFace} face
   * @param {import("../frame/preferences.js").StoredPreferences} preferences
   */
  constructor(state, face, preferences) {
    this.state = state;
    this.face = face;
    this.preferences = preferences;
    face.mood = "neutral";
  }

  /**
   * Play sounds, and celebrate.
   *
   * @param {import("./types.js").RoomEvent} event
   * @param {number[]} changed The indices of the cells that changed.
   */
  take(event, changed) {
    const { state, preferences } = this;
    const won = (event.type === "finished" && event.number === state.view?.you) || (event.type === "game_over" && state.won);
    if (won && preferences.moves) {
      document.body.classList.add("won-now");
      celebrate($("well"), undefined, false);
    }
    if (!preferences.sound) return;
    if (won) this.#sounds.play("won");
    else if (event.type === "mine" || event.type === "game_over") this.#sounds.play("lost");
    else if (event.type === "cells" || event.type === "move") {
      const opened = changed.filter((index) => !isUnopened(state.game?.cells[index] ?? ".")).length;
      this.#sounds.play(opened > 3 ? "flood" : opened ? "open" : "flag");
    }
  }

  /** @param {boolean} pressing Whether a cell is being pressed. */
  smile(pressing) {
    const { won, lost } = this.state;
    this.face.mood = won ? "won" : lost ? "lost" : pressing ? "pressing" : "neutral";
  }
}
