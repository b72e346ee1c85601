import { expect, test } from "vitest";
import {
  sampleAnswer,
  sampleJudge,
  sampleJudgeName,
  sampleTriggerQuery,
} from "../../../test/builders/sample-judgments.ts";
import { fixedRouter, judgedSkill } from "../../../test/sample-judging.ts";
import type { Judge } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import { noTelemetry, type Telemetry } from "../../contract/telemetry.ts";
import type { TriggerGate, TriggerQuery } from "../../contract/triggering.ts";
import { isTooUnknown } from "../../contract/unknown-share.ts";
import { evaluateGates, exitCodeFor } from "../../engine/gates.ts";
import { openSummary } from "../../engine/summarize.ts";
import type { Json } from "../../shared/json/json.ts";
import { sampleResult } from "../../store/samples.ts";
import { TriggerDetails, TriggerSubjectDetails } from "./details.ts";
import { hasForbiddenSkip, triggerGates } from "./gates.ts";
import type { TriggerSubject } from "./subject.ts";
import { scoreJudgment, type TriggerSuite, triggerSuite } from "./suite.ts";
import type { GoldAgreement } from "./verdict/gold-agreement.ts";

const { signal } = new AbortController();
const run = { id: "run", startedAt: "2026-03-01T07:24:10.532Z", isResumed: false, wasDone: false };

interface Given {
  queries?: readonly TriggerQuery[];
  repeats?: number;
  threshold?: number;
  gate?: TriggerGate;
  agreement?: GoldAgreement | null;
  judge?: Judge;
  allowsInconclusive?: boolean;
  telemetry?: Telemetry;
}

const [positive, negative] = [
  sampleTriggerQuery("should_match", "p"),
  sampleTriggerQuery("should_not_match", "n"),
];

function suiteOf(given: Given = {}): TriggerSuite {
  const { queries = [positive, negative], repeats = 4, threshold = 0.5, gate = {}, agreement = null } = given;
  const { judge = sampleJudge(() => sampleAnswer("Y")) } = given;
  const subject = {
    ...{ skill: { id: "s", version: "1.0.0" }, digest: "sha256:s", judged: judgedSkill("s") },
    ...{ found: { dir: "/skills/s" }, queries, skipped: null, judge, judgeName: sampleJudgeName },
    ...{ repeats, threshold, gate, cardSha256: "c", agreement },
  } as unknown as TriggerSubject;
  const facts = {
    subjects: [subject],
    judges: { lexical: fixedRouter([]) },
    inputs: new Map(),
    seed: 0,
    timeoutMs: 30_000,
  };
  const redact = <Value>(value: Value) => value;
  return triggerSuite(
    { ...facts, redact, isPartial: false, allowsInconclusive: given.allowsInconclusive ?? false },
    { run, telemetry: given.telemetry ?? noTelemetry },
  );
}

/** The results of a suite whose judge answers the queries with these letters, one for each trial, in plan order. */
function resultsOf(suite: TriggerSuite, answers: Record<string, string>): CellResult[] {
  return [...suite.cells].map((cell) => {
    const repeat = cell.trial - 1;
    const output = { repeat, ...sampleAnswer(answers[cell.case.id]?.[repeat] ?? "E") } as Json;
    const score = scoreJudgment({ output }, cell);
    const verdict =
      score.score === null
        ? { status: "invalid" as const, score: null, cause: score.cause, reason: score.message }
        : { status: score.passed ? ("pass" as const) : ("fail" as const), score: score.score };
    return sampleResult({
      ...{ key: cell.key, level: "trigger", suite: suite.id, skillId: "s", caseId: cell.case.id },
      ...{ trial: cell.trial, model: "m", output, ...verdict },
      details: { ...score.details },
      finishedAt: `2026-03-01T07:24:${10 + cell.position}.000Z`,
    });
  });
}

test("a cell is one judgment: every trial asks the judge once, and how often is asked is no part of its key", async () => {
  const questions: [string, number][] = [];
  const judge = sampleJudge(({ query, repeat }) => {
    questions.push([query.id, repeat]);
    return sampleAnswer("Y");
  });
  const [few, many] = [suiteOf({ judge, repeats: 1 }), suiteOf({ judge, repeats: 2, threshold: 0.6 })];

  const outcomes = [];
  for (const cell of many.cells) outcomes.push(await many.execute(cell, signal));

  expect(questions).toEqual([
    ["p", 0],
    ["n", 0],
    ["p", 1],
    ["n", 1],
  ]);
  expect(outcomes[2]).toMatchObject({
    status: "answered",
    output: { repeat: 1, outcome: "yes" },
    usage: { promptTokens: 310, completionTokens: 17, totalTokens: 327, costUsd: 0.001 },
  });
  const keys = (suite: TriggerSuite) => [...suite.cells].map(({ key }) => key);
  expect(keys(many).slice(0, 2)).toEqual(keys(few));
  expect(new Set(keys(many)).size).toBe(4);
  expect(keys(suiteOf({ judge: { ...judge, identity: "other" } }))).not.toContain(keys(few)[0]);
});

const judgedBy = { tested: { judge: { kind: "model", model: "lab/judge", label: "model" } as const } };

test.each([
  ["Y", { score: 1, passed: true, reason: "It fits." }, { score: 0, passed: false }],
  ["N", { score: 0, passed: false, reason: "It does not." }, { score: 1, passed: true }],
  ["?", { score: null, cause: "no-verdict", message: "no decision line" }, { cause: "no-verdict" }],
  ["y", { score: null, cause: "no-verdict" }, { score: null }],
  ["E", { score: null, cause: "judge-error", message: "no reply within 30000 ms" }, { cause: "judge-error" }],
])("the answer %s is scored on both sides", (letter, match, other) => {
  const output = { repeat: 0, ...sampleAnswer(letter) } as Json;

  const score = scoreJudgment({ output }, { case: { query: positive }, subject: judgedBy });

  expect(score).toMatchObject(match);
  expect(scoreJudgment({ output }, { case: { query: negative }, subject: judgedBy })).toMatchObject(other);
  expect(TriggerDetails.parse(score.details)).toEqual(score.details);
});

test("an answer of a judge that was trusted all the same says so in the record of its judge", () => {
  const output = { repeat: 0, ...sampleAnswer("Y"), problem: "it is off" } as Json;

  expect(scoreJudgment({ output }, { case: { query: positive }, subject: judgedBy })).toMatchObject({
    passed: true,
    judge: { model: "lab/judge (triggers)", calls: 0, problem: "it is off" },
  });
});

test("an answer that is not a judgment is not scored", () => {
  expect(() => scoreJudgment({ output: "Y" }, { case: { query: positive }, subject: judgedBy })).toThrow();
});

test("a query has one line, when the last of its trials is in, in any order, and one event", async () => {
  const emitted: Parameters<Telemetry["emit"]>[] = [];
  const telemetry: Telemetry = { emit: (...event) => void emitted.push(event) };
  const suite = suiteOf({ telemetry });
  const results = resultsOf(suite, { p: "YYNY", n: "NNNN" }).reverse();

  const lines = results.map((result) => suite.lineOf(result));
  for (const result of results) {
    suite.fold?.add(result);
    suite.ended?.(result);
  }

  expect(lines.slice(0, 6)).toEqual(Array(6).fill(null));
  expect(lines[6]).toMatchObject({ kind: "trigger", queryId: "n", verdict: "pass" });
  expect(lines[7]).toMatchObject({
    ...{ queryId: "p", verdict: "invalid", cause: "undecided", yes: 3, no: 1, repeats: 4 },
    judgments: [0, 1, 2, 3].map((repeat) => expect.objectContaining({ repeat })),
    ts: "2026-03-01T07:24:16.000Z",
  });
  const payload = { side: "should_match", verdict: "invalid", judge: "model", model: "m" };
  expect(emitted).toEqual([
    ["trigger.query_done", expect.objectContaining({ verdict: "pass", yes: 0, valid: 4 }), expect.anything()],
    [
      "trigger.query_done",
      { ...payload, yes: 3, valid: 4, repeats: 4 },
      { run_id: "run", cell_id: results[7]?.key, skill_id: "s", task_id: "p" },
    ],
  ]);
});

/** The result of a run over these answers. */
async function concluded(given: Given, answers: Record<string, string>, maxInvalid = 0) {
  const suite = suiteOf(given);
  const summary = openSummary([suite]);
  for (const result of resultsOf(suite, answers)) summary.add(suite, result);
  const subjects = await summary.subjects(() => maxInvalid);
  const rules = triggerGates([suite], { lines: {}, on: "point", enforced: true });
  const gates = evaluateGates(rules, { subjects, overall: summary.overall() });
  return { subjects, gates, isUnknown: subjects.some(isTooUnknown) };
}

test("queries are folded into the figures of their skill, cells stay counted apart", async () => {
  const { subjects } = await concluded({}, { p: "YYYN", n: "NNNN" });
  const [subject] = subjects;

  expect(subject).toMatchObject({
    ...{ skillId: "s", model: "m", level: "trigger", suite: "triggering" },
    counts: { total: 8, pass: 7, fail: 1 },
    metrics: {
      passRate: { value: 0.5, n: 2, better: "up" },
      recall: {
        value: 1,
        n: 1,
        interval: { lower: expect.closeTo(0.207, 3), upper: 1, method: "wilson-neff" },
      },
      mcc: { value: 1 },
      coverage: { value: 1 },
      latencyP95Ms: { value: 400, better: "down" },
      failedQueries: { value: 0 },
    },
  });
  const details = TriggerSubjectDetails.parse(subject?.details);
  expect(details).toMatchObject({ passed: 1, failed: 0, inconclusive: 1, repeats: 4, usd: 0.008, cached: 0 });
  expect(details.queries.map(({ queryId, verdict, cause }) => [queryId, verdict, cause])).toEqual([
    ["p", "invalid", "undecided"],
    ["n", "pass", null],
  ]);
});

const right = { p: "YYYY", n: "NNNN" };
const noLine = { gate: {} };

test.each<[string, Given, Record<string, string>, number, number]>([
  ["all passed", noLine, right, 0, 0],
  ["a query failed", noLine, { p: "NNNN", n: "NNNN" }, 0, 1],
  ["a line is reached", { gate: { recall: 0.9, mcc: 0.9 } }, right, 0, 0],
  ["a line is missed", { gate: { recall: 0.9 } }, { p: "NNNN", n: "NNNN" }, 0, 1],
  ["a figure that does not exist", { gate: { mcc: 0 }, queries: [positive] }, right, 0, 3],
  ["nobody lets a line pass that cannot be told", { gate: { mcc: 0 }, queries: [positive] }, right, 1, 3],
  ["too few queries are answered for a line", { gate: { recall: 0.5 } }, { p: "YYYY", n: "EEEE" }, 1, 3],
  ["undecided", noLine, { p: "YYNN", n: "NNNN" }, 0, 3],
  ["undecided, accepted", { allowsInconclusive: true }, { p: "YYNN", n: "NNNN" }, 0, 0],
  ["undecided, all accepted", noLine, { p: "YYNN", n: "NNNN" }, 1, 0],
  ["an error is not undecided", { allowsInconclusive: true }, { p: "EEEE", n: "NNNN" }, 0, 3],
  ["no usable answer is not undecided", { allowsInconclusive: true }, { p: "????", n: "NNNN" }, 0, 3],
  [
    "an uncalibrated judge is not undecided",
    { allowsInconclusive: true, agreement: { kappa: 0.5, minKappa: 0.6 } },
    right,
    0,
    3,
  ],
  ["no usable answer, accepted", noLine, { p: "????", n: "NNNN" }, 1, 0],
  ["half of the queries accepted, half without an answer", noLine, { p: "????", n: "NNNN" }, 0.5, 0],
  ["less than that accepted", noLine, { p: "????", n: "NNNN" }, 0.49, 3],
  ["no verdict beats a failure", noLine, { p: "NNNN", n: "EEEE" }, 0, 3],
  ["a failure stays where the rest is accepted", noLine, { p: "NNNN", n: "????" }, 1, 1],
  ["two answers that agree", { repeats: 2 }, { p: "YY", n: "NN" }, 0, 0],
  ["two answers that do not", { repeats: 2 }, { p: "YN", n: "NN" }, 0, 3],
  ["one unusable trial of five is no matter", { repeats: 5 }, { p: "YYYYE", n: "NNNN?" }, 0, 0],
])("%s", async (_, given, answers, maxInvalid, expected) => {
  const { gates, isUnknown } = await concluded(given, answers, maxInvalid);

  expect(exitCodeFor({ gates, isUnknown, isMixed: false, isMissing: false })).toBe(expected);
});

test("flags replace the lines of a skill's own file, and without skills there is nothing to gate", () => {
  const suite = suiteOf({ gate: { recall: 0.9, mcc: 0.5 } });
  const rules = triggerGates([suite], { lines: { recall: 0.7 }, on: "lower", enforced: false });

  expect(rules.map(({ metric, on, threshold, enforced }) => [metric, on, threshold, enforced])).toEqual([
    ["recall", "lower", 0.7, false],
    ["mcc", "lower", 0.5, false],
    ["failedQueries", "point", 0, false],
  ]);
  expect(triggerGates([], { lines: { recall: 0.7 }, on: "point", enforced: true })).toEqual([]);
});

test("a skip is forbidden unless one case alone was asked for", () => {
  const skip = (reason: string, level = "trigger") =>
    hasForbiddenSkip([{ level, suite: "triggering", skillId: "s", caseId: null, reason }]);

  expect([skip("no-block"), skip("empty-lists"), skip("single-case")]).toEqual([true, true, false]);
  expect(hasForbiddenSkip([])).toBe(false);
});
