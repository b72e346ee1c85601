import { judgeKinds } from "../../contract/judge-kind.ts";
import { type Options, type OptionTable, planRows, row, runRows } from "../../contract/option-table.ts";
import { longestTimerMs } from "../../contract/timer.ts";
import { commonRows, levelTable } from "../common-options.ts";

/** How long a judge may take over one answer where nobody says so. */
export const defaultJudgeMs = 30_000;

const { record, replay, store } = commonRows;

/** Who judges, among whom, and what that may cost: for every command that asks a judge. */
export const judgeRows = {
  ...planRows({
    judge: row.choice("--judge <kind>", judgeKinds.join(", "), {
      choices: judgeKinds,
      defaultText: "the skill's, else model or router",
    }),
    judgeModel: row.text("--judge-model <id>", "the model that judges: <provider>/<model>"),
    agent: row.text("--agent <command>", "the program that runs an agent, for --judge agent"),
    catalog: row.texts("--catalog <dirs...>", "folders of siblings", {
      defaultText: "the folders around the skills",
    }),
    host: row.text("--host <name>", "only skills for this host: writer, et, wpp …"),
    groups: row.texts("--group <names...>", "only skills of these groups"),
    allow: row.texts("--allow <ids...>", "only these skills"),
    requireVectors: row.switch("--require-vectors", "a choice by words alone is no answer"),
    timeoutMs: row.count("--timeout <ms>", "longest wait for one judgment", {
      min: 1,
      max: longestTimerMs,
      default: defaultJudgeMs,
    }),
  }),
  seed: { ...commonRows.seed, help: "seed of card orders and statistics" },
  maxCostUsd: row.number("--max-cost <usd>", "what all judgments together may cost", { min: 0 }),
  noCache: row.switch("--no-cache", "ask again what was answered before"),
  concurrency: { ...commonRows.concurrency, help: "parallel judgments" },
  record,
  replay,
  store,
} satisfies OptionTable;

/** How often a judge is asked about every query. */
export const judgmentRuns = {
  ...commonRows.runs,
  help: "answers to every query; 4 or more decide by an interval",
  defaultText: "what eval.yaml says, else 1",
} as const;

/** What is only of `trigger`: queries, who judges them, and what the figures must reach. */
export const triggerRows = {
  ...planRows({
    skills: row.texts(
      "[skills...]",
      "files or directories of skills (required, but not with --resume or --rescore)",
      { required: "eval-skills trigger ./skills/my_skill" },
    ),
    sets: row.texts("--set <files...>", "further queries: a JSON list, or an evals.json"),
    cases: row.texts("--case <id...>", "only the queries with these ids"),
    runs: judgmentRuns,
    threshold: row.rate("--threshold <p>", "share of yes that decides, between 0 and 1", {
      isOpenRange: true,
      defaultText: "what eval.yaml says, else 0.5",
    }),
  }),
  ...runRows({
    minRecall: row.rate("--min-recall <rate>", "gate: least recall, 0 to 1"),
    minPrecision: row.rate("--min-precision <rate>", "gate: least precision, 0 to 1"),
    minMcc: row.number("--min-mcc <value>", "gate: least Matthews correlation, -1 to 1", { min: -1, max: 1 }),
    requireTriggering: row.switch("--require-triggering", "a skill whose tests are skipped is a failure"),
    allowInconclusive: row.switch("--allow-inconclusive", "undecided intervals do not cause exit 3"),
  }),
  ...judgeRows,
  dryRun: { ...commonRows.dryRun, help: "count judgments and estimate their cost, ask nobody" },
} satisfies OptionTable;

/** Every option of `trigger`. */
export const triggerTable = levelTable(triggerRows);
export type TriggerOptions = Options<typeof triggerTable>;
