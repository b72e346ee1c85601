/** Six decimals, before anything is compared: the last bits of a sum are not the same on every machine. */
export function roundScore(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
