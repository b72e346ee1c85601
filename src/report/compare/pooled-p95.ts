/** The P95 of the trials of several cases, and of the same with whole cases drawn anew. */
export interface PooledP95 {
  trials: number;
  value: number | null;
  /** Some cases occur several times among the drawn, some not at all. */
  ofDrawn(drawn: Uint32Array): number;
}

const share = 0.05;

/** Sorted once: a draw then only counts from the slow end how often each trial occurs. */
export function pooledP95(cases: readonly (readonly number[])[]): PooledP95 {
  const trials = cases.flatMap((latencies, owner) => latencies.map((ms) => ({ ms, owner })));
  trials.sort((x, y) => y.ms - x.ms);
  const slowest = Float64Array.from(trials, ({ ms }) => ms);
  const owners = Uint32Array.from(trials, ({ owner }) => owner);
  const sizes = Uint32Array.from(cases, ({ length }) => length);
  const times = new Uint32Array(cases.length);

  function ofDrawn(drawn: Uint32Array): number {
    times.fill(0);
    let count = 0;
    for (const owner of drawn) {
      times[owner] = (times[owner] as number) + 1;
      count += sizes[owner] as number;
    }
    // The nearest rank from below, ⌈0.95·n⌉, counted from above.
    const rank = count - Math.ceil((1 - share) * count - 1e-9) + 1;
    let passed = 0;
    for (let at = 0; at < slowest.length; at++) {
      passed += times[owners[at] as number] as number;
      if (passed >= rank) return slowest[at] as number;
    }
    return Number.NaN;
  }

  return {
    trials: trials.length,
    value: trials.length === 0 ? null : ofDrawn(Uint32Array.from(cases.keys())),
    ofDrawn,
  };
}
