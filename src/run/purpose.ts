import { applyGate } from "../aggregate/gate.ts";
import type { GateResult, Report, SkillReport } from "../contract/report.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";
import type { OutputOptions } from "./request.ts";

/** What a command makes of the figures of a run before they are written: marks on the skills, and the gate. */
export interface Conclusion {
  reports: readonly SkillReport[];
  gate: GateResult;
}

/** The command that is reported, and how it judges. */
export interface Purpose {
  command: Report["command"];
  conclude(reports: readonly SkillReport[], skills: readonly UnitSkill[]): Conclusion;
}

/** `eval` reports the skills as they are, and every one of them has to reach the line. */
export function evalPurpose(output: OutputOptions): Purpose {
  const rule = { minCompletion: output.minCompletion, on: output.gateOn, enforced: output.exitOnFail };
  return { command: "eval", conclude: (reports) => ({ reports, gate: applyGate(reports, rule) }) };
}
