/** Pseudo-random numbers that a seed decides: the same on every machine, on any day. */
export interface SeededRandom {
  /** A whole number from 0 to `bound` − 1, each equally likely; `bound` is at most 2³². */
  below(bound: number): number;
  /** Fills `target` with such numbers; quicker than one at a time. */
  fillBelow(target: Uint32Array, bound: number): void;
}

/** A stream for this seed, any whole number. */
export function seededRandom(seed: number): SeededRandom {
  return xoshiro128(spreadSeed(seed));
}

/** Xoshiro128** 1.1 of Blackman and Vigna, started from four words that are not all zero. */
export function xoshiro128(words: readonly [number, number, number, number]): SeededRandom {
  const state = Int32Array.from(words);
  const single = new Uint32Array(1);

  /** Lemire's method: the high word of `word · bound`, drawn again where the low word would favour some numbers. */
  function fillBelow(target: Uint32Array, bound: number): void {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    const unfair = (2 ** 32 - bound) % bound;
    for (let filled = 0; filled < target.length; ) {
      const word = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = rotate(d, 11);
      const low = Math.imul(word, bound) >>> 0;
      if (low < unfair) continue;
      target[filled++] = (word * bound - low) / 2 ** 32 + 0.5; // the half heals products beyond 2⁵³
    }
    state.set([a, b, c, d]);
  }

  function below(bound: number): number {
    fillBelow(single, bound);
    return single[0] as number;
  }
  return { below, fillBelow };
}

/** Four words from one number by splitmix32, so that neighbouring seeds give unlike streams. */
function spreadSeed(seed: number): [number, number, number, number] {
  let counter = (seed ^ mix(Math.floor(seed / 2 ** 32))) >>> 0;
  const word = () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    return mix(counter);
  };
  return [word(), word(), word(), word()];
}

/** The 32-bit finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
