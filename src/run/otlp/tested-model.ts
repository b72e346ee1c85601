import type { CaseReport } from "../../contract/agent-report.ts";
import type { CellResult } from "../../contract/result.ts";

/** The model that a case was tried with, which the engine knows as its skill; null where a cell is about a skill, or nobody was asked. */
export function testedModel({ scorerType, skillId, output }: CellResult): string | null {
  if (scorerType === "agent") {
    const { model = skillId } = (output ?? {}) as Partial<CaseReport>;
    return model === "none" ? null : model;
  }
  if (scorerType !== "planbench" || skillId === "fixed") return null;
  return skillId.endsWith(forced) ? skillId.slice(0, -forced.length) : skillId;
}

/** Whether a cell is one of a case, whose model stands where others have their skill. */
export function isOfCase({ scorerType }: CellResult): boolean {
  return scorerType === "agent" || scorerType === "planbench";
}

/** Strata are told apart by who is tested. */
const forced = " (forced)";
