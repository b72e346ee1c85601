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
