import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const sheet = readFileSync(new URL("../../src/sapper/web/static/css/tokens.css", import.meta.url), "utf8");
const blocks = [...sheet.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)];

/** Return the colours of a look after the cascade, as in a browser. */
function colours(look, dark, safe) {
  const found = {};
  for (const [, selector, body] of blocks) {
    const asks = (text) => selector.includes(text);
    if (!selector.trim().startsWith(":root") || asks(":not([data-dark]")) continue;
    if (asks("data-look=") && !asks(`data-look="${look}"`)) continue;
    if (asks('data-dark="true"') && !dark) continue;
    if (asks('data-palette="safe"') && !safe) continue;
    for (const [, name, value] of body.matchAll(/--([\w-]+):\s*(#\w+)/g)) found[name] = value;
  }
  return found;
}

/** Return the contrast of two colours, from 1 to 21, as defined by WCAG 2. */
function contrast(one, other) {
  const light = (hex) => {
    const full = hex.length === 4 ? [...hex.slice(1)].map((c) => c + c).join("") : hex.slice(1);
    const [r, g, b] = [0, 2, 4]
      .map((at) => parseInt(full.slice(at, at + 2), 16) / 255)
      .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// The default classic colours are exactly those of 1992.
for (const [look, safe] of [["modern", false], ["contrast", false], ["classic", true], ["modern", true], ["contrast", true]]) {
  for (const dark of [false, true]) {
    test(`${look}, ${dark ? "dark" : "light"}, ${safe ? "safe" : "usual"} colours: all can be read`, () => {
      const ink = colours(look, dark, safe);
      for (const name of ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "mine"]) {
        assert.ok(contrast(ink[name], ink.open) >= 4.5, `${name} ${contrast(ink[name], ink.open)}`);
      }
      const pairs = [["flag", "face"], ["pole", "face"], ["question", "face"], ["cross", "open"]];
      for (const state of ["safe", "danger", "unknown"]) pairs.push([state, `${state}-tint`]);
      for (const [over, under] of pairs) {
        const found = contrast(ink[over], ink[under]);
        assert.ok(found >= 2.95, `${over} on ${under}: ${found}`);
      }
    });
  }
}
