/** The nearest-rank percentile, `sorted[⌈share·n⌉ − 1]`: always a value that was measured. Null where there is none. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  // 0.07 · 100 is 7.000000000000001 in floating point; the hair must not push the rank up.
  const rank = Math.ceil(share * sorted.length - 1e-9);
  return sorted[Math.max(rank, 1) - 1] ?? null;
}

/** The population standard deviation; null where there are no values. */
export function spread(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Rates and scores: four decimals. */
export function roundShare<Value extends number | null>(value: Value): Value {
  return roundTo(value, 4);
}

/** Microseconds are as fine as a latency is worth keeping. */
export function roundMs<Value extends number | null>(value: Value): Value {
  return roundTo(value, 3);
}

/** A single call costs fractions of a cent. */
export function roundUsd<Value extends number | null>(value: Value): Value {
  return roundTo(value, 6);
}

function roundTo<Value extends number | null>(value: Value, decimals: number): Value {
  return (value === null ? null : Number(value.toFixed(decimals))) as Value;
}
