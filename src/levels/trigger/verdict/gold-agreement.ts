import type { Baselines, JudgeName, TriggerMetrics } from "../../../contract/trigger-report.ts";

/** How far a judge agrees with gold labels, and how far it must to gate. */
export interface GoldAgreement {
  /** Null where its answers to the labels left nothing to compare. */
  kappa: number | null;
  minKappa: number;
}

/** Whether a judge may let a query pass. An uncalibrated judge may; one whose agreement is undefined may not. */
export function isCalibratedEnough(agreement: GoldAgreement | null): boolean {
  return agreement === null || (agreement.kappa !== null && agreement.kappa >= agreement.minKappa);
}

interface Judged {
  judge: JudgeName;
  /** Its figures on the level of queries. */
  query: TriggerMetrics;
  baselines: Baselines;
  agreement: GoldAgreement | null;
}

/** What a reader of a skill's figures must know about the judge. */
export function notesOn({ judge, query, baselines: { lexical }, agreement }: Judged): string[] {
  const { mcc, tp, fp, tn, fn } = query;
  const notes: string[] = [];
  if (agreement !== null && !isCalibratedEnough(agreement)) notes.push(`cannot gate: ${describe(agreement)}`);
  if (judge.kind === "router") return notes;
  if (agreement === null) notes.push("not calibrated");
  // Without a single verdict there is nothing to compare.
  if (judge.kind === "agent" || lexical === null || tp + fp + tn + fn === 0) return notes;
  // An undefined MCC exceeds nothing, but if that of the router is undefined, there is nothing to compare.
  if (lexical.mcc === null) notes.push("not compared with lexical: its MCC is undefined");
  else if (mcc === null || mcc <= lexical.mcc) notes.push("not better than lexical");
  return notes;
}

function describe({ kappa, minKappa }: GoldAgreement): string {
  return kappa === null
    ? "its agreement with gold labels is undefined"
    : `kappa ${kappa.toFixed(3)} is below ${minKappa}`;
}
