/** The 0.975 quantile of the normal distribution. */
export const z95 = 1.959963984540054;

/** How likely a standard normal number is above `z`: ½·erfc(z/√2). */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const x = (z * z) / 2;
  return z < 2 ? 0.5 - (z / Math.sqrt(2 * Math.PI)) * Math.exp(-x) * nearZero(x) : farOut(z, x);
}

/** Σ (2x)ⁿ/(1·3·5…(2n+1)): quick where x is small. */
function nearZero(x: number): number {
  let sum = 1;
  let term = 1;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (2 * x) / odd;
    sum += term;
  }
  return sum;
}

/** Laplace's continued fraction, from its end: keeps all digits however small the tail is. */
function farOut(z: number, x: number): number {
  let fraction = z;
  for (let depth = 150; depth > 0; depth--) fraction = z + depth / fraction;
  return Math.exp(-x) / (Math.sqrt(2 * Math.PI) * fraction);
}

const known = new Map<number, number>();

/** The 0.975 quantile of Student's t with this many degrees of freedom, a whole number from 1 on. */
export function t95(freedom: number): number {
  if (freedom >= 1000) return t95OfMany(freedom);
  const found = known.get(freedom);
  if (found !== undefined) return found;
  let [low, high] = [z95, 12.71];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentWithin(middle, freedom) < 0.95) low = middle;
    else high = middle;
  }
  known.set(freedom, high);
  return high;
}

/** P(|T| ≤ t) as a finite sum, Abramowitz and Stegun 26.7.3 and 26.7.4. */
function studentWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const cosine = Math.cos(angle);
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= freedom - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  const within = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + within) : within;
}

/** The expansion of Cornish and Fisher: what it leaves out is below 1e-14 from 1000 degrees on. */
function t95OfMany(freedom: number): number {
  const z = z95;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const fourth = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3 + fourth / freedom ** 4;
}

/** The smallest count that a binomial number does not exceed with a chance of at least `share`. */
export function binomialQuantile(share: number, of: number, chance: number): number {
  let sum = 0;
  // In logarithms: no factorial, so nothing overflows.
  let log = of * Math.log1p(-chance);
  for (let happened = 0; happened < of; happened++) {
    sum += Math.exp(log);
    if (sum >= share) return happened;
    log += Math.log((of - happened) / (happened + 1)) + Math.log(chance) - Math.log1p(-chance);
  }
  return of;
}
