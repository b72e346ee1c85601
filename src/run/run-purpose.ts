import { applyGate } from "../aggregate/gate.ts";
import { selectSkills } from "../aggregate/select-skills.ts";
import { atLeast } from "../aggregate/strategy-reasons.ts";
import type { SkillReport } from "../contract/report.ts";
import type { Selection } from "../contract/selection.ts";
import type { Strategy } from "../contract/strategy.ts";
import { candidateOf } from "./choose-skills.ts";
import type { Purpose } from "./purpose.ts";
import type { OutputOptions } from "./request.ts";

/** A purpose that leaves more behind than a report. */
export interface RunPurpose extends Purpose {
  /** What was chosen; there when the run is done. */
  selection(): Selection;
}

/** `run` chooses among the skills it evaluated, and its gate asks whether there was one to choose. */
export function runPurpose(
  strategy: Strategy,
  { gateOn: on, exitOnFail: enforced }: OutputOptions,
  cwd: string,
): RunPurpose {
  const minCompletion = strategy.filters.minCompletionRate ?? 0;
  let selection: Selection | null = null;
  return {
    command: "run",
    conclude(reports, skills) {
      const gate = applyGate(reports, { minCompletion, on, enforced });
      const candidates = skills.map((skill) => candidateOf(skill, cwd));
      // The line is drawn by the gate: only it knows about lower bounds.
      const above = candidates.filter(({ skillId }) => !gate.below.includes(skillId));
      const chosen = selectSkills(on === "lower" ? above : candidates, reports, strategy);
      selection = on === "lower" ? withRejected(chosen, reports, gate.below, minCompletion) : chosen;
      return {
        reports: reports.map((report) => marked(report, chosen)),
        gate: { ...gate, passed: chosen.selected.length > 0 },
      };
    },
    selection: () => {
      if (selection === null) throw new Error("the run has not been concluded yet");
      return selection;
    },
  };
}

/** With those that the gate kept from being candidates at all. */
function withRejected(
  selection: Selection,
  reports: readonly SkillReport[],
  below: readonly string[],
  line: number,
): Selection {
  const lower = new Map(
    reports.map(({ skillId, summary }) => [skillId, summary.intervals.completionRate?.lower ?? null]),
  );
  const rejected = below.map((skillId) => {
    const reason = atLeast("completionRate lower bound", lower.get(skillId) ?? null, line);
    return { skillId, reasons: reason === null ? [] : [reason] };
  });
  return { ...selection, rejected: [...selection.rejected, ...rejected] };
}

function marked(report: SkillReport, { selected }: Selection): SkillReport {
  const place = selected.find(({ skillId }) => skillId === report.skillId);
  return { ...report, selected: place !== undefined, rank: place?.rank ?? null };
}
