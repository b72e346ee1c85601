/** How far a judge agrees with gold labels, and how far it must to gate. */
export interface GoldAgreement {
  /** Null where its answers to the labels left nothing to compare. */
  kappa: number | null;
  minKappa: number;
}

/** Whether a judge may let a query pass. Without gold labels nobody knows better; a calibration that says nothing is no trust. */
export function isCalibratedEnough(agreement: GoldAgreement | null): boolean {
  return agreement === null || (agreement.kappa !== null && agreement.kappa >= agreement.minKappa);
}
