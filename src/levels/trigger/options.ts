import { judgeKinds } from "../../contract/judge-kind.ts";
import { longestTimerMs } from "../../contract/limits.ts";
import {
  type Options,
  type OptionTable,
  planRows,
  row,
  runRows,
  withoutRows,
} from "../../contract/option-table.ts";
import { commonRows, levelTable } from "../../engine/common-options.ts";

/** The default timeout of one judgment. */
export const defaultJudgeMs = 30_000;

const { record, replay, store } = commonRows;

/** Who judges, among whom, and what that may cost: for every command that asks a judge. */
export const judgeRows = {
  ...planRows({
    judge: row.choice("--judge <kind>", judgeKinds.join(", "), {
      choices: judgeKinds,
      defaultText: "set by the skill, else model or router",
    }),
    judgeModel: row.text("--judge-model <id>", "judge model: <provider>/<model>"),
    agent: row.text("--agent <command>", "command that runs the agent, for --judge agent", {
      onlyTyped: true,
    }),
    catalog: row.texts("--catalog <dirs...>", "folders with the other skills of the catalog", {
      defaultText: "the folders around the skills",
    }),
    host: row.text("--host <name>", "only skills for this host, such as writer, et or wpp"),
    groups: row.texts("--group <names...>", "only skills in these groups"),
    allow: row.texts("--allow <ids...>", "only these skills"),
    requireVectors: row.switch("--require-vectors", "treat a choice without vectors as an error"),
    timeoutMs: row.count("--timeout <ms>", "timeout of one judgment", {
      min: 1,
      max: longestTimerMs,
      default: defaultJudgeMs,
    }),
  }),
  seed: { ...commonRows.seed, help: "seed for card order and statistics" },
  maxCostUsd: row.number("--max-cost <usd>", "maximum total cost of all judgments", { min: 0 }),
  trustJudge: commonRows.trustJudge,
  noCache: row.switch("--no-cache", "ignore cached judgments"),
  concurrency: { ...commonRows.concurrency, help: "maximum number of judgments running in parallel" },
  record,
  replay,
  store,
} satisfies OptionTable;

/** How often a judge is asked about every query. */
export const judgmentRuns = {
  ...commonRows.runs,
  help: "judgments per query; 4 or more use a confidence interval",
  defaultText: "set by eval.yaml, else 1",
} as const;

/** What is only of `trigger`: queries, who judges them, and what the figures must reach. */
export const triggerRows = {
  ...planRows({
    skills: row.texts(
      "[skills...]",
      "skill files or folders (required unless --resume or --rescore is given)",
      { required: "eval-skills trigger ./skills/my_skill" },
    ),
    sets: row.texts("--set <files...>", "additional queries: a JSON list or an evals.json"),
    cases: row.texts("--case <id...>", "run only queries with these ids"),
    runs: judgmentRuns,
    threshold: row.rate(
      "--threshold <p>",
      "share of yes judgments at which a skill counts as triggered, between 0 and 1",
      {
        isOpenRange: true,
        defaultText: "set by eval.yaml, else 0.5",
      },
    ),
  }),
  ...runRows({
    minRecall: row.rate("--min-recall <rate>", "gate: minimum recall, 0 to 1", { gate: "minRecall" }),
    minPrecision: row.rate("--min-precision <rate>", "gate: minimum precision, 0 to 1", {
      gate: "minPrecision",
    }),
    minMcc: row.number("--min-mcc <value>", "gate: minimum Matthews correlation, -1 to 1", {
      min: -1,
      max: 1,
    }),
    requireTriggering: row.switch("--require-triggering", "fail if the trigger tests of a skill are skipped"),
    allowInconclusive: row.switch("--allow-inconclusive", "do not exit 3 when an interval is inconclusive"),
  }),
  ...withoutRows(judgeRows, "maxCostUsd"), // every run has it
  dryRun: { ...commonRows.dryRun, help: "count judgments and estimate their cost without calling a model" },
} satisfies OptionTable;

/** Every option of `trigger`. */
export const triggerTable = levelTable(triggerRows);
export type TriggerOptions = Options<typeof triggerTable>;
