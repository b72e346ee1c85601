/**
 * The exact two-sided McNemar test: how likely a split at least as uneven is where each of the discordant pairs
 * falls to either side by chance. 1 where there are none.
 */
export function mcnemar(gained: number, lost: number): number {
  const pairs = gained + lost;
  const fewer = Math.min(gained, lost);
  if (fewer === lost && fewer === gained) return 1;
  return Math.min(1, 2 * chanceOf(fewer, pairs) * tail(fewer, pairs));
}

/** C(n,k)/2ⁿ, halved whenever the product has grown: no factorial, so nothing overflows. */
function chanceOf(k: number, n: number): number {
  let chance = 1;
  let halves = n;
  for (let factor = 1; factor <= k; factor++) {
    chance *= (n - k + factor) / factor;
    while (chance > 1 && halves > 0) {
      chance /= 2;
      halves--;
    }
  }
  return chance * 2 ** -halves;
}

/** The chances of 0 to `k`, added up, in units of the chance of `k`: each is a fraction of the one above it. */
function tail(k: number, n: number): number {
  let sum = 1;
  let share = 1;
  for (let below = k; below > 0 && share > 1e-17; below--) {
    share *= below / (n - below + 1);
    sum += share;
  }
  return sum;
}
