/** The nicknames of guests, from the texts in `sapper.community.nicknames`. */

import { t } from "../translation.js";

/** The number of colours, and of animals. */
const EACH = 24;

/**
 * @param {string} name The name of an account or a bot, or a guest's number, such as “#137”.
 * @returns {string} The name as people read it.
 */
export function nickname(name) {
  const number = Number(/^#([0-9]{1,3})$/.exec(name)?.[1] ?? EACH * EACH);
  if (number >= EACH * EACH) return name;
  const colours = t("Amber, Azure, Beige, Black, Blue, Bronze, Brown, Coral, Cream, Emerald, Golden, Grey, Green, Indigo, Ivory, Lilac, Lime, Orange, Pink, Purple, Red, Silver, Teal, White").split(/, |，/);
  const animals = t("badger, bear, beaver, cat, crane, deer, dolphin, eagle, falcon, fox, frog, hare, hedgehog, heron, lynx, marten, otter, owl, panda, penguin, raven, seal, squirrel, wolf").split(/, |，/);
  return t("{colour} {animal}", { colour: colours[number % EACH], animal: animals[Math.floor(number / EACH)] });
}

/**
 * @template {{name: string}} Named
 * @param {Named[]} people
 * @returns {Named[]} The same people, with their names as people read them.
 */
export function named(people) {
  return people.map((one) => ({ ...one, name: nickname(one.name) }));
}
