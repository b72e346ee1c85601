import type { GateReport, SubjectReport } from "../../contract/document.ts";
import { isMet } from "../../contract/gate-met.ts";
import type { Strategy } from "../../contract/strategy.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import type { Concluded } from "../../engine/run-levels.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import type { OutputOptions } from "../eval/request.ts";
import { makeCandidate } from "./choose-skills.ts";
import { measuredSkill } from "./merge-reports.ts";
import { selectSkills } from "./select-skills.ts";
import type { Selection } from "./selection.ts";
import { atLeast } from "./strategy.ts";

/** `run` selects among the skills it evaluated, and its gate requires at least one. */
export interface RunSelection {
  conclude(figures: Concluded): Concluded;
  /** Available when the run is done. */
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
      const candidates = skills().map((skill) => makeCandidate(skill, cwd));
      // The gate decides, since only it knows lower bounds.
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
        passed: enforced ? count > 0 : null,
        enforced,
      };
      return {
        subjects: subjects.map((subject) => withSelection(subject, chosen)),
        gates: [
          // Here the threshold chooses among skills, and judges none.
          ...gates.map((one) =>
            one.level === unitLevel.name && one.metric === "completionRate"
              ? { ...one, enforced: false, passed: null }
              : one,
          ),
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

/** Ids of the skills whose completion rate is below the threshold or unknown. */
function belowLine(gates: readonly GateReport[]): string[] {
  return gates
    .filter(
      (gate) => gate.level === unitLevel.name && gate.metric === "completionRate" && isMet(gate) !== true,
    )
    .flatMap(({ subject }) => subject?.skillId ?? []);
}

/** Adds the skills that the gate excluded from the candidates. */
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

function withSelection(subject: SubjectReport, { selected }: Selection): SubjectReport {
  if (subject.level !== unitLevel.name) return subject;
  const entry = selected.find(({ skillId }) => skillId === subject.skillId);
  const selection = { selected: entry !== undefined, rank: entry?.rank ?? null };
  return { ...subject, details: { ...subject.details, ...selection } };
}
