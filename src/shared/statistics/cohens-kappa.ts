/** How often two readers said what about the same things. */
export interface Readings {
  bothYes: number;
  bothNo: number;
  /** The first said yes, the second no. */
  onlyFirst: number;
  onlySecond: number;
}

/** How far two readers agree beyond chance, (pₒ − pₑ)/(1 − pₑ); null where chance alone explains everything, or nothing was read. */
export function cohensKappa({ bothYes, bothNo, onlyFirst, onlySecond }: Readings): number | null {
  const all = bothYes + bothNo + onlyFirst + onlySecond;
  // In whole numbers, times all²: fractions would make a chance of 1 a hair less.
  const observed = (bothYes + bothNo) * all;
  const expected =
    (bothYes + onlyFirst) * (bothYes + onlySecond) + (bothNo + onlySecond) * (bothNo + onlyFirst);
  const room = all ** 2 - expected;
  return room === 0 ? null : (observed - expected) / room;
}
