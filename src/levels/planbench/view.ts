import type { Rendered } from "../../contract/format.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { PlanAttempt, PlanResult } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Column, Fact, LevelView, Scalar, Unit } from "../../contract/view.ts";
import { metricFact } from "../../report/view/metric-fact.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { evidenceIn, planResult } from "./plan-result.ts";
import { benchSections } from "./sections.ts";

/** How samples of a bench are shown. Fixed cases contain their outputs: they test the bench, not a model. */
export const planbenchView: LevelView = {
  headline: (subject) => [
    metricFact(subject, "ok0Rate", "OK at first", "share"),
    metricFact(subject, "successRate", "OK in the end", "share"),
    metricFact(subject, "meanRepairs", "Repairs", "score"),
    metricFact(subject, "sampleP95Ms", "P95 of a sample", "ms"),
  ],
  tally: ({ counts }) => ({
    passed: counts.pass,
    failed: counts.total - counts.pass,
    unknown: counts.invalid,
    noun: ["sample", "samples"],
  }),
  isReference: ({ arm }) => arm === "fixed",
  columns: columns(),
  explain: (cell) => [...outputBlocks(cell), { kind: "facts", title: "Sample", facts: sampleFacts(cell) }],
  explainsDifference: true,
  sections: benchSections,
  runFacts,
  startsNothing: ({ run }) => levelSettings(run, "planbench").isolation === null,
};

const outcomes: Readonly<Record<PlanResult["outcome"], string>> = {
  ok: "ok",
  fail: "failed",
  error: "no outcome",
};

function columns(): Column[] {
  const shown = (id: string, label: string, value: (result: PlanResult) => Scalar, unit?: Unit): Column => ({
    id,
    label,
    ...(unit !== undefined && { unit }),
    value: (cell) => value(planResult(cell)),
  });
  const hidden = (...given: Parameters<typeof shown>): Column => ({ ...shown(...given), isHidden: true });
  return [
    { ...shown("route", "Route", ({ route }) => route), isFilter: true },
    { ...shown("host", "Host", ({ host }) => host), isFilter: true },
    {
      ...shown("outcome", "Outcome", ({ outcome }) => outcomes[outcome]),
      isFilter: true,
      tone: (value) => (value === outcomes.ok ? "good" : value === outcomes.fail ? "bad" : "warn"),
    },
    shown("repairs", "Repairs", ({ repairs }) => repairs, "count"),
    shown("firstMs", "First output", ({ firstMs }) => firstMs, "ms"),
    shown("tokens", "Tokens", ({ tokens }) => tokens?.total ?? null, "count"),
    hidden("tokensFirst", "Tokens of the first output", ({ tokens }) => tokens?.first ?? null, "count"),
    hidden("tokensRepairs", "Tokens of repairs", ({ tokens }) => tokens?.repairs ?? null, "count"),
    hidden("outputs", "Outputs", ({ attempts }) => attempts.length, "count"),
    hidden(
      "executed",
      "Executed",
      ({ attempts }) => attempts.filter(({ executed }) => executed === true).length,
      "count",
    ),
    hidden("selected", "Skills", ({ selected }) => selected?.join("; ") ?? null),
    hidden("claimedOk", "Claimed ok", ({ claimedOk }) => claimedOk),
    hidden("violations", "Violations", ({ violations }) => violations.map(violationWords).join("; ")),
    hidden("tags", "Tags", ({ tags }) => tags.join("; ")),
    {
      id: "lastOutput",
      label: "Last output",
      isHidden: true,
      value: (cell) => evidenceIn(cell).output ?? null,
    },
  ];
}

/** A violation with its pointer: `/actions/2/anchor must be equal to constant`. */
function violationWords({ pointer, reason }: PlanResult["violations"][number]): string {
  return `${pointer} ${reason}`.trim();
}

/** Every output with what was wrong with it, and the last one where the report has it. */
function outputBlocks(cell: CellResult): Block[] {
  const { attempts } = planResult(cell);
  const { output = null, isOutputCut = false } = evidenceIn(cell);
  const hasExecutor = attempts.some(({ executed }) => executed !== null);
  const hasTokens = attempts.some(({ tokens }) => tokens !== null);
  const table: Block = {
    kind: "table",
    title: "Outputs",
    columns: [
      { label: "Output" },
      { label: "Valid" },
      ...(hasExecutor ? [{ label: "Executed" }] : []),
      { label: "Time", unit: "ms" },
      ...(hasTokens ? [{ label: "Tokens", unit: "count" } as const] : []),
      { label: "Violations" },
    ],
    rows: attempts.map((attempt, at) => [
      at === 0 ? "first" : `repair ${at}`,
      attempt.valid,
      ...(hasExecutor ? [attempt.executed] : []),
      attempt.ms,
      ...(hasTokens ? [attempt.tokens] : []),
      attempt.violations.map(violationWords).join("\n"),
    ]),
  };
  return [
    ...(attempts.length === 0 ? [] : [table]),
    ...(output === null ? [] : [outputBlock(output, isOutputCut)]),
  ];
}

function outputBlock(output: string, isCut: boolean): Block {
  const read = isCut ? null : parseStrictJson(output.trim());
  const isJson = read?.ok === true;
  return {
    kind: "code",
    title: isCut ? "Last output (beginning)" : "Last output",
    code: isJson ? JSON.stringify(read.value, null, 2) : output,
    ...(isJson && { language: "json" }),
  };
}

function sampleFacts(cell: CellResult): Fact[] {
  const result = planResult(cell);
  const { route, host, tags, selected, claimedOk, firstMs, tokens, attempts } = result;
  const { service, events = {} } = evidenceIn(cell);
  const answered = modelsIn(attempts);
  const counts = Object.entries(events).map(([type, count]) => `${type} ${count}`);
  return [
    { label: "Outcome", value: outcomeWords(result) },
    { label: "Route", value: route },
    ...(host === null ? [] : [{ label: "Host", value: host }]),
    ...(tags.length === 0 ? [] : [{ label: "Tags", value: tags.join(", ") }]),
    ...(selected === null ? [] : [{ label: "Skills", value: selected.join(", ") || "none" }]),
    ...(claimedOk === null ? [] : [{ label: "Service reported", value: claimedOk ? "ok" : "not ok" }]),
    ...(service?.repairs == null
      ? []
      : [{ label: "Repairs by the service", value: service.repairs, unit: "count" } as const]),
    ...(counts.length === 0 ? [] : [{ label: "Events of the service", value: counts.join(", ") }]),
    ...(answered.length === 0 ? [] : [{ label: "Answered by", value: answered.join(", ") }]),
    ...(firstMs === null ? [] : [{ label: "First output", value: firstMs, unit: "ms" } as const]),
    ...(tokens === null
      ? []
      : [
          { label: "Tokens of the first output", value: tokens.first, unit: "count" } as const,
          { label: "Tokens of repairs", value: tokens.repairs, unit: "count" } as const,
        ]),
  ];
}

function modelsIn(attempts: readonly PlanAttempt[]): string[] {
  return [...new Set(attempts.flatMap(({ answeredBy }) => answeredBy ?? []))];
}

/** How a sample ended: `ok`, `ok after 2 repairs`, `failed`, `no outcome`. */
function outcomeWords({ outcome, repairs }: PlanResult): string {
  if (outcome !== "ok" || repairs === null || repairs === 0) return outcomes[outcome];
  return `ok after ${repairs === 1 ? "1 repair" : `${repairs} repairs`}`;
}

/** What was measured, and how. */
function runFacts({ run }: Rendered): Fact[] {
  const { model, answeredBy, parameters, maxRepairs, schema, skills } = levelSettings(
    run,
    "planbench",
  ) as Partial<BenchSettings>;
  const others = (answeredBy ?? []).filter((id) => id !== model);
  return [
    ...(model === "mock"
      ? [
          {
            label: "Note",
            value: "replies are scripted, so this measures the bench, not a model",
            tone: "warn",
            isNote: true,
          } as const,
        ]
      : []),
    { label: "Answered by", value: others.join(", ") },
    { label: "Parameters", value: parameterWords(parameters) },
    ...(maxRepairs === undefined
      ? []
      : [{ label: "Repairs allowed", value: maxRepairs, unit: "count" } as const]),
    { label: "Schema", value: [schema?.name, schema?.digest].filter(Boolean).join(", ") },
    {
      label: "Skills",
      value: Object.entries(skills ?? {})
        .map(([id, digest]) => `${id} (${digest.slice(0, shortDigest)})`)
        .join(", "),
    },
  ];
}

const shortDigest = "sha256:".length + 12;

interface BenchSettings {
  model: string;
  answeredBy: readonly string[];
  parameters: unknown;
  maxRepairs: number;
  schema: { name: string; digest: string };
  skills: Readonly<Record<string, string>>;
}

function parameterWords(parameters: unknown): string {
  if (parameters === null || typeof parameters !== "object")
    return parameters == null ? "" : String(parameters);
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
