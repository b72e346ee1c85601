import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import { Places } from "../../base/places.ts";
import { redactor } from "../../base/redact.ts";
import type { Cell, ResolvedTask } from "../../contract/cell.ts";
import type { Json } from "../../contract/json.ts";
import type { Judge, Judgment } from "../../contract/judge.ts";
import type { Usage } from "../../contract/outcome.ts";
import type { CellResult } from "../../contract/result.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import { triggeringSuite } from "../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../contract/triggering.ts";
import { scorerDigest } from "../../plan/plan-cells.ts";
import { judgeQuery } from "../../trigger/verdict/judge-query.ts";
import { logLine, type QueryFacts, queryLine, skipLine } from "../../trigger/verdict/query-line.ts";
import { triggerScorer } from "../../trigger/verdict/trigger-scorer.ts";
import type { Execute } from "../execution.ts";
import type { Part } from "../part.ts";
import type { ReadyTriggers, TriggerSubject } from "./prepare-triggers.ts";

export interface TriggerPartOptions {
  seed: number;
  /** How many judgments may be under way at once. */
  concurrency: number;
  timeoutMs: number;
  /** Where the positions of its cells begin, after those of other parts. */
  firstPosition: number;
  /** When the run began: what was skipped was skipped then. */
  startedAt: string;
  /** Hears what came of each query. */
  add(line: QueryLine, result: CellResult): void;
}

/** A part of a run over queries, and how their stored results read. */
export interface TriggerPart extends Part {
  queryLineOf(result: CellResult): QueryLine;
}

interface Job {
  cell: Cell;
  subject: TriggerSubject & { judge: Judge };
  query: TriggerQuery;
}

/** The queries of a pass as cells of the engine: each is put to its judge, as often as was decided before. */
export function triggerPart(ready: ReadyTriggers, options: TriggerPartOptions): TriggerPart {
  const { seed, startedAt, add } = options;
  const { catalogSha256 } = ready.judges.lexical;
  const jobs = jobsOf(ready.subjects, options);
  const byKey = new Map(jobs.map((job) => [job.cell.key, job]));
  const redact = redactor(ready.judges.secrets());
  const factsOf = ({ subject, query }: Job): QueryFacts => ({
    skillId: subject.skill.id,
    skillDigest: subject.digest,
    // Results were redacted before they were stored; what a plan says about a query was not.
    query: { ...query, text: redact(query.text), tags: redact(query.tags) },
    judge: subject.judgeName,
    repeats: subject.repeats,
    seed,
    cardSha256: subject.cardSha256,
    catalogSha256,
  });
  const queryLineOf = (result: CellResult) => {
    const job = byKey.get(result.cellKey);
    if (job === undefined) throw new Error(`no query is planned for the result of ${result.taskId}`);
    return queryLine(factsOf(job), result);
  };
  const cells = jobs.map(({ cell }) => cell);
  return {
    suiteId: triggeringSuite,
    skillIds: ready.subjects.map(({ skill }) => skill.id),
    plan: Object.assign(cells, { size: cells.length }),
    execute: executeByJudging(byKey, options),
    checkOutput: () => [],
    stampOf: () => null,
    keepsWholeOutput: true,
    retries: 0,
    add: (result) => add(queryLineOf(result), result),
    lineOf: (result) => logLine(queryLineOf(result)),
    queryLineOf,
    extraLines: ready.subjects.flatMap(({ skill, digest, skipped, judgeName }) =>
      skipped === null
        ? []
        : [
            skipLine({
              skillId: skill.id,
              reason: skipped,
              judge: judgeName,
              seed,
              skillDigest: digest,
              ts: startedAt,
            }),
          ],
    ),
  };
}

function jobsOf(
  subjects: readonly TriggerSubject[],
  { seed, timeoutMs, firstPosition }: TriggerPartOptions,
): Job[] {
  const jobs: Job[] = [];
  for (const subject of subjects) {
    const { judge, digest, repeats, threshold, agreement, skill } = subject;
    if (judge === null) continue;
    for (const query of subject.queries) {
      const { side } = query;
      const scorer = triggerScorer({ side, repeats, threshold, agreement });
      const task = resolvedQuery(query, scorer);
      const key = sha256(
        canonicalJson({
          suite: triggeringSuite,
          skill: { id: skill.id, digest },
          query: { id: query.id, digest: task.digest },
          judge: judge.identity,
          scorer: task.scorerDigest,
          seed,
        }),
      );
      const position = firstPosition + jobs.length;
      const cell = {
        key,
        position,
        suiteId: triggeringSuite,
        skill: { id: skill.id, digest },
        task,
        trial: 1,
        deadlineMs: timeoutMs,
      };
      jobs.push({ cell, subject: { ...subject, judge }, query });
    }
  }
  return jobs;
}

function resolvedQuery({ id, text, side, tags }: TriggerQuery, scorer: ResolvedTask["scorer"]): ResolvedTask {
  const expectedOutput = { type: "trigger", value: side };
  return {
    task: { id, inputData: text, expectedOutput, tags, weight: 1 },
    digest: sha256(canonicalJson({ text, side })),
    scorer,
    scorerDigest: scorerDigest(scorer),
  };
}

/** Asks the judge of a query; its answers are the output, which the scorer makes a verdict of. */
function executeByJudging(byKey: ReadonlyMap<string, Job>, { concurrency }: TriggerPartOptions): Execute {
  const lanes = new Places(concurrency);
  return async ({ key }, signal) => {
    const { subject, query } = byKey.get(key) as Job;
    const { judge, judged, digest, repeats } = subject;
    const question = { skill: { ...judged, digest }, query: { id: query.id, text: query.text } };
    const began = performance.now();
    const judgments = await judgeQuery(question, { judge, repeats, lanes, signal });
    const latencyMs = performance.now() - began;
    const usage = usageOf(judgments);
    return {
      status: "answered",
      output: judgments as unknown as Json,
      latencyMs,
      ...(usage !== null && { usage }),
    };
  };
}

/** What the judgments used together; a sum with an unknown part is unknown. */
function usageOf(judgments: readonly Judgment[]): Usage | null {
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.includes(null) ? null : numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  const promptTokens = sum(judgments.map(({ tokensIn }) => tokensIn));
  const completionTokens = sum(judgments.map(({ tokensOut }) => tokensOut));
  const costUsd = sum(judgments.map(({ usd, cached }) => (cached ? 0 : usd)));
  if (promptTokens === null && completionTokens === null) return null;
  const isKnown = promptTokens !== null && completionTokens !== null;
  return {
    promptTokens,
    completionTokens,
    totalTokens: isKnown ? promptTokens + completionTokens : null,
    costUsd,
  };
}
