/** The ticks of axes: round values with exact labels. */

/**
 * @param {number} least
 * @param {number} most
 * @param {number} [count] The approximate number.
 * @param {number} [finest] The smallest step: 1 for counts.
 * @returns {number[]} Round values from `least` to `most`.
 */
export function ticks(least, most, count = 5, finest = 0) {
  if (!(most > least)) return [least];
  const raw = Math.max((most - least) / count, finest);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((n) => n * power >= raw * 0.9999) ?? 10);
  const values = [];
  const end = most + 1e-9 * step;
  for (let n = Math.ceil(least / step - 1e-9); n * step <= end; n++) values.push(Number((n * step).toPrecision(12)) + 0);
  return values;
}

/**
 * @param {number[]} values
 * @returns {number} The number of decimals that print every value exactly.
 */
export function decimals(values) {
  return Math.max(0, ...values.map((value) => (String(value).split(".")[1] ?? "").length));
}
