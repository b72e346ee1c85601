import type { GateReport, SubjectReport } from "../../contract/document.ts";
import type { Strategy } from "../../contract/strategy.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import type { Concluded } from "../../engine/run-levels.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import type { OutputOptions } from "../eval/request.ts";
import { candidateOf } from "./choose-skills.ts";
import { measuredSkill } from "./merge-reports.ts";
import { selectSkills } from "./select-skills.ts";
import type { Selection } from "./selection.ts";
import { atLeast } from "./strategy.ts";

/** `run` chooses among the skills it evaluated, and its gate asks whether there was one to choose. */
export interface RunSelection {
  conclude(figures: Concluded): Concluded;
  /** What was chosen; there when the run is done. */
  selection(): Selection;
}

export function runSelection(
  strategy: Strategy,
  { gateOn: on, exitOnFail: enforced }: Pick<OutputOptions, "gateOn" | "exitOnFail">,
  skills: () => readonly UnitSkill[],
  cwd: string,
): RunSelection {
  const minCompletion = strategy.filters.minCompletionRate ?? 0;
  let selection: Selection | null = null;
  return {
    conclude({ subjects, gates }) {
      const below = belowLine(gates);
      const candidates = skills().map((skill) => candidateOf(skill, cwd));
      // The line is drawn by the gate: only it knows about lower bounds.
      const above = candidates.filter(({ skillId }) => !below.includes(skillId));
      const measured = subjects
        .filter(({ level }) => level === unitLevel.name)
        .map((subject) => measuredSkill(subject, ""));
      const chosen = selectSkills(on === "lower" ? above : candidates, measured, strategy);
      selection = on === "lower" ? withRejected(chosen, subjects, below, minCompletion) : chosen;
      const count = chosen.selected.length;
      const gate: GateReport = {
        subject: null,
        level: unitLevel.name,
        metric: "selectedSkills",
        on: "point",
        op: ">=",
        threshold: 1,
        value: count,
        passed: count > 0,
        enforced,
      };
      return {
        subjects: subjects.map((subject) => marked(subject, chosen)),
        gates: [
          ...gates.map((one) => ({ ...one, enforced: one.level !== unitLevel.name && one.enforced })),
          gate,
        ],
      };
    },
    selection: () => {
      if (selection === null) throw new Error("the run has not been concluded yet");
      return selection;
    },
  };
}

/** Ids of the skills whose completion rate does not meet the line; what is not known does not meet it. */
function belowLine(gates: readonly GateReport[]): string[] {
  return gates
    .filter(
      ({ level, metric, passed }) =>
        level === unitLevel.name && metric === "completionRate" && passed !== true,
    )
    .flatMap(({ subject }) => subject?.skillId ?? []);
}

/** With those that the gate kept from being candidates at all. */
function withRejected(
  selection: Selection,
  subjects: readonly SubjectReport[],
  below: readonly string[],
  line: number,
): Selection {
  const lower = new Map(
    subjects
      .filter(({ level }) => level === unitLevel.name)
      .map(({ skillId, metrics }) => [skillId, metrics.completionRate?.interval?.lower ?? null]),
  );
  const rejected = below.map((skillId) => {
    const reason = atLeast("completionRate lower bound", lower.get(skillId) ?? null, line);
    return { skillId, reasons: reason === null ? [] : [reason] };
  });
  return { ...selection, rejected: [...selection.rejected, ...rejected] };
}

function marked(subject: SubjectReport, { selected }: Selection): SubjectReport {
  if (subject.level !== unitLevel.name) return subject;
  const place = selected.find(({ skillId }) => skillId === subject.skillId);
  const mark = { selected: place !== undefined, rank: place?.rank ?? null };
  return { ...subject, details: { ...subject.details, ...mark } };
}
