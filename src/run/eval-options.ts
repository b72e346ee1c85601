import { type Options, type OptionTable, planRows, row, runRows } from "../contract/option-table.ts";
import { mostRetries } from "../contract/run-limits.ts";
import { longestTimerMs } from "../contract/timer.ts";
import { commonRows, containmentRows, levelTable, toolHostRows } from "./common-options.ts";

/** What is only of `eval`: tasks for skills, and what their answers must reach. */
export const unitRows = {
  ...planRows({
    skills: row.texts(
      "--skills <paths...>",
      "files or directories of skills (required, but not with --resume or --rescore)",
      { required: "eval-skills eval --skills ./skills/my_skill" },
    ),
    benchmark: row.text("--benchmark <id|path>", "built-in id or file", { default: "coding-easy" }),
    tasks: row.text("--tasks <file>", "tasks file, replaces the benchmark"),
    benchmarksDir: row.text("--benchmarks-dir <dir>", "more benchmarks", { default: "./benchmarks" }),
    taskTags: row.texts("--task-tag <tags...>", "only tasks with one of these tags"),
    cases: row.texts("--case <id...>", "only these tasks"),
    runs: { ...commonRows.runs, help: "trials of every task", default: 1 },
    retries: row.count("--retries <n>", "retries on error and timeout", {
      min: 0,
      max: mostRetries,
      default: 0,
    }),
    timeoutMs: row.count("--timeout <ms>", "deadline of one attempt", {
      min: 1,
      max: longestTimerMs,
      default: 30_000,
      config: "timeoutMs",
    }),
    evaluator: row.text("--evaluator <type>", "scorer when the task names none", { default: "exact" }),
  }),
  ...runRows({
    exitOnFail: row.switch(
      "--exit-on-fail",
      "exit 1 if a skill is below --min-completion, or a trigger query failed",
    ),
    minCompletion: row.rate("--min-completion <rate>", "the gate, 0 to 1", { default: 0.7 }),
    requireTriggering: row.switch(
      "--require-triggering",
      "a skill whose triggering pass is skipped is a failure",
    ),
  }),
  ...containmentRows,
  ...toolHostRows,
} satisfies OptionTable;

/** Every option of `eval`. */
export const evalTable = levelTable(unitRows);
/** What somebody asks of `eval` beyond the configuration: typed on the command line, or handed to the library. */
export type EvalOptions = Options<typeof evalTable>;
