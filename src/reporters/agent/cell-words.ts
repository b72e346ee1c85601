import type { AgentReport, AgentResult, CaseReport } from "../../contract/agent-report.ts";

/** What tells the cells of a report apart besides their cases. */
export interface CellKinds {
  /** Cases that were tried more than once. */
  repeated: ReadonlySet<string>;
  hasModels: boolean;
}

export function cellKinds({ cases, run }: Pick<AgentReport, "cases" | "run">): CellKinds {
  return {
    repeated: new Set(cases.filter(({ trials }) => trials > 1).map(caseName)),
    hasModels: run.models.length > 1,
  };
}

type Named = Pick<AgentResult, "suite" | "case_id" | "trial" | "model" | "condition">;

/** A cell as people name it: `smoke/basic_select_skill, trial 2, openai/gpt-5-mini`. */
export function cellName(result: Named, kinds: CellKinds): string {
  return [caseName(result), ...cellRest(result, kinds)].join(", ");
}

export function caseName({ suite, case_id }: Pick<Named, "suite" | "case_id">): string {
  return `${suite}/${case_id}`;
}

/** The same without the case. */
export function cellRest(result: Named, kinds: CellKinds): string[] {
  const { trial, model, condition } = result;
  return [
    ...(kinds.repeated.has(caseName(result)) ? [`trial ${trial}`] : []),
    ...(kinds.hasModels && isReal(model) ? [model] : []),
    ...(condition === "no-skills" ? ["without skills"] : []),
  ];
}

/** Whether a model decided: neither a script nor nobody. */
function isReal(model: string): boolean {
  return model !== "mock" && model !== "none";
}

/** Whether a cell speaks against what is tested. Its twin without skills may fail: that is what it is for. */
export function isFailed({ status, condition }: Pick<AgentResult, "status" | "condition">): boolean {
  return status === "fail" && condition === "with-skills";
}

/** Why a cell has no verdict. */
export function noVerdictWords({ no_verdict }: Pick<CaseReport, "no_verdict">): string {
  return no_verdict === null ? "no verdict" : `${no_verdict.code}: ${no_verdict.message}`;
}

/** How cells ended, in words; what there is none of is left out, but for what passed. */
export function countWords({ pass, fail, invalid }: CellCounts): string {
  return [`${pass} passed`, ...notPassedWords({ fail, invalid })].join(", ");
}

export function notPassedWords({ fail, invalid }: Omit<CellCounts, "pass">): string[] {
  return [...(fail > 0 ? [`${fail} failed`] : []), ...(invalid > 0 ? [`${invalid} without a verdict`] : [])];
}

export interface CellCounts {
  pass: number;
  fail: number;
  invalid: number;
}
