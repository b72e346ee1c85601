/** What makes these vectors useless, where something does: too few, too short, no numbers, no direction. */
export function vectorProblem(
  vectors: readonly Float32Array[],
  wanted: { count: number; dim: number },
): string | null {
  const { count, dim } = wanted;
  if (vectors.length !== count) return `expected ${count} vectors, got ${vectors.length}`;
  for (const vector of vectors) {
    if (vector.length !== dim)
      return `a vector has ${vector.length} dimensions, the configuration says ${dim}`;
    if (!vector.every(Number.isFinite)) return "a vector contains a value that is not a number";
    if (vector.every((part) => part === 0)) return "a vector is all zeros";
  }
  return null;
}
