/** The nearest-rank percentile, `sorted[⌈share·n⌉ − 1]`: always a value that was measured. Null where there is none. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  // 0.07 · 100 is 7.000000000000001 in floating point; the hair must not push the rank up.
  const rank = Math.ceil(share * sorted.length - 1e-9);
  return sorted[Math.max(rank, 1) - 1] ?? null;
}
