/** Shares with their errors, as the interval where the error leaves the range from 0 to 100. */

/**
 * @param {number} share From 0 to 1.
 * @param {number} error The half-width of its interval.
 * @param {(percent: number) => string} format
 * @returns {string | null} The ends of the interval, if the share with its error would pass 0 or 100.
 */
export function rangeText(share, error, format) {
  const low = share - error;
  const high = share + error;
  if (low >= 0 && high <= 1) return null;
  return `${format(100 * Math.max(0, low))}–${format(100 * Math.min(1, high))}`;
}
