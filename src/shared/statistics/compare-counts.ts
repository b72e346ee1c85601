/** How likely at least `count` of `of` things happen, where each happens by itself with this chance. */
export function binomialTail(count: number, of: number, chance: number): number {
  if (count <= 0) return 1;
  if (count > of || chance <= 0) return 0;
  if (chance >= 1) return 1;
  let sum = 0;
  // In logarithms: no factorial, so nothing overflows.
  let log = of * Math.log1p(-chance);
  for (let happened = 0; happened <= of; happened++) {
    if (happened >= count) sum += Math.exp(log);
    log += Math.log((of - happened) / (happened + 1)) + Math.log(chance) - Math.log1p(-chance);
  }
  return Math.min(1, sum);
}

/**
 * The exact two-sided McNemar test: how likely a split at least as uneven is where each of the discordant pairs
 * falls to either side by chance. 1 where there are none.
 */
export function mcnemar(gained: number, lost: number): number {
  const pairs = gained + lost;
  const fewer = Math.min(gained, lost);
  if (fewer === lost && fewer === gained) return 1;
  return Math.min(1, 2 * binomialChance(fewer, pairs) * tail(fewer, pairs));
}

/** C(n,k)/2ⁿ, halved whenever the product has grown: no factorial, so nothing overflows. */
function binomialChance(k: number, n: number): number {
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

/** How often two readers said what about the same things. */
export interface Readings {
  bothYes: number;
  bothNo: number;
  /** The first said yes, the second no. */
  onlyFirst: number;
  onlySecond: number;
}

/** How far two readers agree beyond chance, (pₒ − pₑ)/(1 − pₑ); null where chance alone explains everything, or nothing was read. */
export function cohensKappa({ bothYes, bothNo, onlyFirst, onlySecond }: Readings): number | null {
  const all = bothYes + bothNo + onlyFirst + onlySecond;
  // In whole numbers, times all²: fractions would make a chance of 1 a hair less.
  const observed = (bothYes + bothNo) * all;
  const expected =
    (bothYes + onlyFirst) * (bothYes + onlySecond) + (bothNo + onlySecond) * (bothNo + onlyFirst);
  const beyondChance = all ** 2 - expected;
  return beyondChance === 0 ? null : (observed - expected) / beyondChance;
}
