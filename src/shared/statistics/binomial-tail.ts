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
