import { type SkillSummary, skillSummary } from "../../aggregate/summarize-skill.ts";
import { neverAborted } from "../../base/never-aborted.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Router } from "../../contract/routing.ts";
import type { StoredReport } from "../../contract/store.ts";
import {
  type Baselines,
  type QueryLine,
  type TriggerResult,
  triggerCauses,
  triggeringSuite,
} from "../../contract/trigger-report.ts";
import type { TriggerGate } from "../../contract/triggering.ts";
import { baselines } from "../../trigger/verdict/baselines.ts";
import { queryFold, skippedResult } from "../../trigger/verdict/fold-queries.ts";
import { mergeGates } from "../../trigger/verdict/trigger-gate.ts";
import { storedReport } from "../reports-to-keep.ts";
import type { ReadyTriggers, TriggerSubject } from "./prepare-triggers.ts";
import type { CauseCounts } from "./trigger-exit-code.ts";
import { type PassOptions, usualJudgeMs } from "./trigger-request.ts";

export interface TriggerFigures {
  add(line: QueryLine, result: CellResult): void;
  /** One result per skill, in the order of their ids. */
  results(gate: TriggerGate, on: "point" | "lower"): Promise<TriggerResult[]>;
  /** How many queries have no verdict, by cause. */
  causes: CauseCounts;
  /** What `history` will know of this run. */
  reportsToKeep(pass: Pick<PassOptions, "cases">, timestamp: string): StoredReport[];
}

/** Folds queries into one result per skill, whether they come from the store or from the run itself. */
export function triggerFigures(
  { subjects, judges }: Pick<ReadyTriggers, "subjects" | "judges">,
  seed: number,
): TriggerFigures {
  const folds = new Map(subjects.map((subject) => [subject.skill.id, queryFold(foldSubject(subject))]));
  const summaries = new Map(subjects.map((subject) => [subject.skill.id, summaryOf(subject, seed)]));
  const causes = Object.fromEntries(triggerCauses.map((cause) => [cause, 0])) as Record<
    keyof CauseCounts,
    number
  >;
  return {
    add(line, result) {
      folds.get(line.skillId)?.add(line);
      summaries.get(line.skillId)?.add(result);
      if (line.cause !== null) causes[line.cause]++;
    },
    async results(gate, on) {
      const results: TriggerResult[] = [];
      for (const subject of subjects) {
        const { skill, skipped, agreement } = subject;
        const fold = folds.get(skill.id);
        if (skipped !== null || fold === undefined) {
          results.push(skippedResult(foldSubject(subject), skipped ?? "empty-lists"));
          continue;
        }
        const lines = mergeGates(subject.gate, gate);
        const measures = { baselines: await baselinesOf(subject, judges.lexical), agreement };
        results.push(fold.result({ ...measures, gate: { lines, on } }));
      }
      return results;
    },
    causes,
    // A run over some of the queries says nothing about all of them.
    reportsToKeep: ({ cases }, timestamp) =>
      cases.length > 0
        ? []
        : subjects
            .filter(({ skipped }) => skipped === null)
            .map(({ skill }) => storedReport((summaries.get(skill.id) as SkillSummary).report(timestamp))),
  };
}

function foldSubject({ skill, digest, judgeName, repeats, threshold }: TriggerSubject) {
  return { skillId: skill.id, skillDigest: digest, judge: judgeName, repeats, threshold };
}

/** The same figures that a benchmark gives, over queries. */
function summaryOf({ skill, digest, queries }: TriggerSubject, seed: number): SkillSummary {
  return skillSummary({
    skill: { id: skill.id, version: skill.version ?? "", digest },
    benchmark: { id: triggeringSuite, version: "", scoringMethod: "mean", k: 1, maxLatencyMs: usualJudgeMs },
    runs: 1,
    seed,
    taskIds: queries.map(({ id }) => id),
  });
}

/** What simpler judges make of the same queries. */
async function baselinesOf({ skill, queries, judge }: TriggerSubject, lexical: Router): Promise<Baselines> {
  const sides = queries.map(({ side }) => side);
  const isItself = judge?.kind === "router" && judge.model === null;
  if (isItself) return baselines(sides, null);
  const answers = [];
  for (const { text, side } of queries) {
    const { skills } = await lexical.route({ query: text }, neverAborted);
    answers.push({ side, isYes: skills.some(({ id, selected }) => selected && id === skill.id) });
  }
  return baselines(sides, answers);
}
