/** A vector with its length, so that many can be held against it. */
export interface Measured {
  vector: Float32Array;
  length: number;
}

export function measured(vector: Float32Array): Measured {
  return { vector, length: Math.sqrt(product(vector, vector)) };
}

/** How alike two directions are, −1 to 1; no number where one of them has no direction. */
export function cosine(a: Measured, b: Measured): number {
  return product(a.vector, b.vector) / (a.length * b.length);
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
