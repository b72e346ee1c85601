const blocks = "▁▂▃▄▅▆▇█";
const letters = "_.:-=+*#";
/** A change of a few points is drawn as one, and not as a fall from the top to the bottom. */
const leastSpan = 0.25;

/** Rates as a row of bars, one each; a rate that is not known leaves a gap. */
export function sparkline(rates: readonly (number | null)[], isUnicode: boolean): string {
  const known = rates.filter((rate) => rate !== null);
  const top = Math.max(...known);
  const bottom = Math.min(Math.min(...known), Math.max(0, top - leastSpan));
  const bars = isUnicode ? blocks : letters;
  return rates
    .map((rate) => (rate === null ? " " : bars[levelOf(rate, bottom, top, bars.length - 1)]))
    .join("");
}

function levelOf(rate: number, bottom: number, top: number, highest: number): number {
  return top === bottom ? 0 : Math.round(((rate - bottom) / (top - bottom)) * highest);
}
