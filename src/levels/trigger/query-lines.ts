import { Judgment } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import type { TriggerSubject } from "./subject.ts";
import { type QueryFacts, queryLine, queryName } from "./verdict/query-line.ts";

export interface LineFacts {
  seed: number;
  catalogSha256: string;
  /** Results are already redacted; queries in a plan are not. */
  redact: <Value>(value: Value) => Value;
}

/** Combines the trials of queries. */
export interface QueryLines {
  /** The line of a query when this is the last of its trials; null while others are missing. Trials come in any order. */
  add(result: CellResult): QueryLine | null;
}

/** Collects the judgments of these skills until their queries are complete. */
export function queryLines(subjects: readonly TriggerSubject[], facts: LineFacts): QueryLines {
  const planned = new Map(
    subjects.flatMap((subject) =>
      subject.queries.map((query) => {
        const name = queryName({ skillId: subject.skill.id, queryId: query.id });
        return [name, { subject, query }] as const;
      }),
    ),
  );
  const pending = new Map<string, EndedTrial[]>();
  return {
    add(result) {
      const { skillId, caseId, trial, output, finishedAt } = result;
      const name = queryName({ skillId: skillId ?? "", queryId: caseId });
      const found = planned.get(name);
      if (found === undefined) throw new Error(`no query is planned for the result of ${caseId}`);
      const { subject, query } = found;
      const trials = pending.get(name) ?? [];
      pending.set(name, trials);
      trials.push({ skillId, caseId, trial, output, finishedAt });
      if (trials.length < subject.repeats) return null;
      pending.delete(name);
      const line: QueryFacts = {
        skillId: subject.skill.id,
        skillDigest: subject.digest,
        query: { ...query, text: facts.redact(query.text), tags: facts.redact(query.tags) },
        judge: subject.judgeName,
        repeats: subject.repeats,
        threshold: subject.threshold,
        agreement: subject.agreement,
        seed: facts.seed,
        cardSha256: subject.cardSha256,
        catalogSha256: facts.catalogSha256,
      };
      return queryLine(line, judgmentsIn(trials), lastEnd(trials));
    },
  };
}

/** What a line needs of the result of a trial. */
export type EndedTrial = Pick<CellResult, "skillId" | "caseId" | "trial" | "output" | "finishedAt">;

/** The judgments that these trials of one query stored, in order. A trial without an answer has none. */
export function judgmentsIn(trials: readonly EndedTrial[]): Judgment[] {
  return trials
    .toSorted((a, b) => a.trial - b.trial)
    .flatMap(({ output, caseId, skillId, trial }) => {
      if (output === null) return [];
      const read = Judgment.safeParse(output);
      if (read.success) return [read.data];
      throw new Error(`judgment ${trial} on query ${caseId} of ${skillId} cannot be read`);
    });
}

/** When the last of these trials ended. */
function lastEnd(trials: readonly EndedTrial[]): string {
  return (
    trials
      .map(({ finishedAt }) => finishedAt)
      .sort()
      .at(-1) ?? ""
  );
}
