import { longestTimerMs, maxRetries } from "../../contract/limits.ts";
import { type Options, type OptionTable, planRows, row, runRows } from "../../contract/option-table.ts";
import {
  commonRows,
  containmentRows,
  levelTable,
  maxP95Row,
  toolHostRows,
  vacuousRows,
} from "../../engine/common-options.ts";

/** What is only of `eval`: tasks for skills, and what their answers must reach. */
export const unitRows = {
  ...planRows({
    skills: row.texts(
      "--skills <paths...>",
      "skill files or folders (required unless --resume or --rescore is given)",
      { required: "eval-skills eval --skills ./skills/my_skill" },
    ),
    benchmark: row.text("--benchmark <id|path>", "built-in benchmark id or file", { default: "coding-easy" }),
    tasks: row.text("--tasks <file>", "tasks file to use instead of a benchmark"),
    benchmarksDir: row.text("--benchmarks-dir <dir>", "folder with additional benchmarks", {
      default: "./benchmarks",
    }),
    taskTags: row.texts("--task-tag <tags...>", "run only tasks with one of these tags"),
    cases: row.texts("--case <id...>", "run only these tasks"),
    runs: { ...commonRows.runs, help: "trials per task", default: 1 },
    retries: row.count("--retries <n>", "retries after an error or timeout", {
      min: 0,
      max: maxRetries,
      default: 0,
    }),
    timeoutMs: row.count("--timeout <ms>", "timeout of one attempt", {
      min: 1,
      max: longestTimerMs,
      default: 30_000,
      config: "timeoutMs",
    }),
    evaluator: row.text("--evaluator <type>", "scorer for tasks that do not set one", { default: "exact" }),
  }),
  ...runRows({
    exitOnFail: row.switch(
      "--exit-on-fail",
      "exit 1 if a skill does not pass a gate or a trigger query failed; implied by every gate option",
      { negation: "show what gates found, and exit 0" },
    ),
    minCompletion: row.rate("--min-completion <rate>", "gate: minimum completion rate, 0 to 1", {
      default: 0.7,
      gate: "minCompletion",
    }),
    maxErrorRate: row.rate("--max-error-rate <rate>", "gate: maximum share of errors and timeouts, 0 to 1", {
      gate: "maxErrorRate",
    }),
    countRetries: row.switch(
      "--count-retries",
      "for --max-error-rate, a failed attempt counts even if a later one passed",
    ),
    maxP95Ms: maxP95Row,
    requireTriggering: row.switch("--require-triggering", "fail if the trigger tests of a skill are skipped"),
  }),
  ...containmentRows,
  ...toolHostRows,
  ...vacuousRows,
} satisfies OptionTable;

/** Every option of `eval`. */
export const evalTable = levelTable(unitRows);
/** Options of `eval` beyond the configuration, from the command line or the library. */
export type EvalOptions = Options<typeof evalTable>;
