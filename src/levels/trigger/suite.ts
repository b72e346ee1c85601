import { resolve } from "node:path";
import type { Cell, PlannedCase, Subject } from "../../contract/cell.ts";
import { type Judge, Judgment } from "../../contract/judge.ts";
import type { RunInput, SuiteRun } from "../../contract/level.ts";
import type { Answered, Outcome } from "../../contract/outcome.ts";
import type { CellResult, JudgeRecord } from "../../contract/result.ts";
import type { Score } from "../../contract/scorer.ts";
import { triggeringSuite } from "../../contract/trigger-report.ts";
import type { TriggerQuery } from "../../contract/triggering.ts";
import { planCells } from "../../engine/plan-cells.ts";
import type { SuiteContext } from "../../engine/prepared-run.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import type { TriggerDetails } from "./details.ts";
import { type TriggerFold, triggerFold } from "./fold.ts";
import { judgeTitle } from "./judges/check-judge.ts";
import { scoringRules, triggerLevel } from "./level.ts";
import { defaultJudgeMs } from "./options.ts";
import type { ReadyTriggers } from "./prepare.ts";
import { queryLines } from "./query-lines.ts";
import type { TriggerSubject } from "./subject.ts";
import { askOnce, judgmentUsage } from "./verdict/judge-query.ts";
import { logLine, queryPayload, skipLine } from "./verdict/query-line.ts";

/** A skill as the subject of its queries. */
interface QueriedSkill extends Subject {
  skillId: string;
  tested: TriggerSubject & { judge: Judge };
}

export interface QueryCase extends PlannedCase {
  query: TriggerQuery;
}

export type TriggerSuite = SuiteRun<QueryCase, QueriedSkill>;

type JudgeNames = Parameters<typeof judgeTitle>[0];

export interface TriggerSuiteFacts
  extends Pick<ReadyTriggers, "subjects" | "seed" | "redact" | "allowsInconclusive"> {
  judges: Pick<ReadyTriggers["judges"], "lexical">;
  /** Skill id → what its judgments rest on. */
  inputs: ReadonlyMap<string, readonly RunInput[]>;
  timeoutMs: number;
  /** Whether only some of the queries are asked. */
  isPartial: boolean;
  /** Whether models that judge are replayed. */
  replaysModels?: boolean;
}

/** The queries of skills as a suite of the engine. A trial is one judgment; a query gets its verdict when all of them are folded. */
export function triggerSuite(
  facts: TriggerSuiteFacts,
  { run, telemetry }: Pick<SuiteContext, "run" | "telemetry">,
): TriggerSuite {
  const { seed, redact, timeoutMs } = facts;
  const { lexical } = facts.judges;
  const subjects = facts.subjects.flatMap((tested) => queriedSkill(tested));
  const cases = new Map(subjects.map((subject) => [subject, subject.tested.queries.map(queryCase)]));
  const casesOf = (subject: QueriedSkill) => cases.get(subject) ?? [];
  const lineFacts = { seed, redact, catalogSha256: lexical.catalogSha256 };
  const judged = subjects.map(({ tested }) => tested);
  const judgedById = new Map(judged.map((tested) => [tested.skill.id, tested]));
  const lines = queryLines(judged, lineFacts);
  const { allowsInconclusive } = facts;
  const fold = triggerFold(judged, { ...lineFacts, lexical, allowsInconclusive });
  const judges = new Map(subjects.map(({ skillId, tested }) => [skillId, identityHash(tested.judge)]));
  const cells = planCells({
    level: triggerLevel,
    id: triggeringSuite,
    subjects,
    casesOf,
    trialsOf: ({ tested }) => tested.repeats,
    deadlineOf: () => timeoutMs,
    // Repeats, threshold and agreement only matter when trials are folded, so they are not part of the key:
    // more repeats reuse the earlier answers.
    keyOf: ({ skillId, skillDigest }, { id, digest }, trial) =>
      sha256(
        canonicalJson({
          suite: triggeringSuite,
          skill: { id: skillId, digest: skillDigest },
          query: { id, digest },
          judge: judges.get(skillId) ?? null,
          rules: scoringRules,
          seed,
          trial,
        }),
      ),
  });
  const files = new Map(subjects.map(({ skillId, tested }) => [skillId, evalFile(tested)]));
  return {
    level: triggerLevel,
    id: triggeringSuite,
    version: "",
    digest: sha256(
      canonicalJson(subjects.map((subject) => [subject.skillId, caseDigests(casesOf(subject))])),
    ),
    subjects,
    casesOf,
    trials: cells.trials,
    cells,
    retries: 0,
    replaysModels: facts.replaysModels === true,
    scoring: { scoringMethod: "mean", k: 1, maxLatencyMs: defaultJudgeMs },
    execute: askJudge,
    score: scoreJudgment,
    inputsOf: ({ subject: { skillId } }) => facts.inputs.get(skillId) ?? [],
    detailsOf: ({ case: { query } }) => ({ side: query.side }),
    stampOf: () => null,
    keepsWholeOutput: true,
    fold,
    ended: (result) => emitQuery(result, fold, { run, telemetry, judged: judgedById }),
    lineOf(result) {
      const line = lines.add(result);
      return line && logLine(line);
    },
    extraLines: facts.subjects.flatMap(({ skill, digest, skipped, judgeName }) =>
      skipped === null
        ? []
        : [
            skipLine({
              skillId: skill.id,
              reason: skipped,
              judge: judgeName,
              seed,
              skillDigest: digest,
              ts: run.startedAt,
            }),
          ],
    ),
    isPartial: facts.isPartial,
    fileOf: ({ skillId }) => files.get(skillId ?? ""),
  };
}

/** None where its queries are skipped. */
function queriedSkill(tested: TriggerSubject): QueriedSkill[] {
  const { skill, digest, judge } = tested;
  if (judge === null) return [];
  const { id: skillId, version } = skill;
  return [
    {
      skillId,
      skillVersion: version ?? "",
      skillDigest: digest,
      model: judge.model,
      arm: null,
      tested: { ...tested, judge },
    },
  ];
}

function queryCase(query: TriggerQuery): QueryCase {
  const { id, text, side, belongsTo, tags } = query;
  return {
    id,
    digest: sha256(canonicalJson({ text, side })),
    title: null,
    input: text,
    expected: { side, belongsTo },
    tags,
    weight: 1,
    query,
  };
}

/** Made once per skill: the identity of a catalog judge contains all cards. */
function identityHash({ identity }: Judge): string {
  return sha256(canonicalJson(identity));
}

function caseDigests(cases: readonly QueryCase[]): string[][] {
  return cases.map(({ id, digest }) => [id, digest]);
}

function evalFile({ found }: TriggerSubject): string {
  return resolve(found.dir, "eval.yaml");
}

/** Asks the judge of a skill once. Any reply is an answer. */
async function askJudge(
  { subject, case: { query }, trial }: Cell<QueryCase, QueriedSkill>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { judge, judged, digest } = subject.tested;
  const { id, text } = query;
  const question = { skill: { ...judged, digest }, query: { id, text }, repeat: trial - 1 };
  // Takes a while the first time, which is not the time of this answer.
  await judge.check?.(signal);
  const began = performance.now();
  const judgment = await askOnce(question, { judge, signal });
  const latencyMs = performance.now() - began;
  const usage = judgmentUsage(judgment);
  return {
    status: "answered",
    output: judgment as unknown as Json,
    latencyMs,
    ...(usage !== null && { usage }),
  };
}

/** Whether one judgment is right. A missing answer is never read as a no. */
export function scoreJudgment(
  { output }: Pick<Answered, "output">,
  {
    case: { query },
    subject,
  }: { case: Pick<QueryCase, "query">; subject: { tested: { judge: JudgeNames } } },
): Score {
  const judgment = Judgment.parse(output);
  const { outcome } = judgment;
  const details = { side: query.side, outcome } satisfies TriggerDetails;
  switch (outcome) {
    case "yes":
    case "no": {
      const passed = (outcome === "yes") === (query.side === "should_match");
      const { reason, chosen, problem } = judgment;
      const choice = chosen === undefined ? {} : { chosen };
      const judge = problem === undefined ? undefined : trustedRecord(subject.tested.judge, problem);
      return { score: Number(passed), passed, reason, judge, details: { ...details, ...choice } };
    }
    case "invalid":
      return { score: null, cause: "no-verdict", message: judgment.why, details };
    case "error": {
      const cause = judgment.code === "unreliable" ? "judge-unreliable" : "judge-error";
      return { score: null, cause, message: judgment.message, details };
    }
    default:
      return outcome satisfies never;
  }
}

/** That a judge was trusted although it should not be. Its time and tokens are those of the cell. */
function trustedRecord(judge: JudgeNames, problem: string): JudgeRecord {
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0, costUsd: 0 };
  return { model: judgeTitle(judge), calls: 0, latencyMs: 0, usage, problem };
}

/** Emits the result of a query as telemetry after the last of its trials. */
function emitQuery(
  { key, skillId, caseId }: CellResult,
  fold: TriggerFold,
  {
    run,
    telemetry,
    judged,
  }: Pick<SuiteContext, "run" | "telemetry"> & { judged: ReadonlyMap<string, TriggerSubject> },
): void {
  const summary = fold.findSummary(skillId ?? "", caseId);
  const subject = judged.get(skillId ?? "");
  if (summary === null || subject === undefined) return;
  telemetry.emit("trigger.query_done", queryPayload(summary, subject.judgeName), {
    run_id: run.id,
    cell_id: key,
    skill_id: subject.skill.id,
    task_id: caseId,
  });
}
