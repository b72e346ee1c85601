/** The population standard deviation; null where there are no values. */
export function spread(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
