/** What makes these vectors useless, where something does: too few, too short, no numbers, no direction. */
export function vectorProblem(
  vectors: readonly Float32Array[],
  wanted: { count: number; dim: number },
): string | null {
  const { count, dim } = wanted;
  if (vectors.length !== count) return `${vectors.length} vectors came for ${count} texts`;
  for (const vector of vectors) {
    if (vector.length !== dim)
      return `a vector has ${vector.length} dimensions, the configuration says ${dim}`;
    if (!vector.every(Number.isFinite)) return "a vector holds what is no number";
    if (vector.every((part) => part === 0)) return "a vector has no direction: all of it is 0";
  }
  return null;
}
