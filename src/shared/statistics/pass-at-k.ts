/** The unbiased chance that at least one of `k` trials passes, `1 − C(n−c,k)/C(n,k)`, after `passed` of `trials` did. */
export function passAtK(trials: number, passed: number, k: number): number {
  return 1 - shareOfDraws(trials - passed, trials, k);
}

/** The unbiased chance that all of `k` trials pass (pass^k), `C(c,k)/C(n,k)`, after `passed` of `trials` did. */
export function passHatK(trials: number, passed: number, k: number): number {
  return shareOfDraws(passed, trials, k);
}

/** One task's chances for every k from 1 to its trials: `atK[k - 1]` and `hatK[k - 1]`. */
export interface PassCurves {
  atK: Float64Array;
  hatK: Float64Array;
}

/** `passAtK` and `passHatK` for all k at once, each from the one before, so that many trials stay cheap. */
export function passCurves(trials: number, passed: number): PassCurves {
  const curves = { atK: new Float64Array(trials), hatK: new Float64Array(trials) };
  let allMissed = 1;
  let allPassed = 1;
  for (let drawn = 0; drawn < trials; drawn++) {
    allMissed *= Math.max(trials - passed - drawn, 0) / (trials - drawn);
    allPassed *= Math.max(passed - drawn, 0) / (trials - drawn);
    curves.atK[drawn] = 1 - allMissed;
    curves.hatK[drawn] = allPassed;
  }
  return curves;
}

/** C(marked,k)/C(all,k) as a product of fractions below 1: no factorial, so nothing overflows. */
function shareOfDraws(marked: number, all: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(marked - drawn, 0) / (all - drawn);
  return share;
}
