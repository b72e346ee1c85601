import { runsDirRow } from "../../cases/case-options.ts";
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
import { UserError } from "../../shared/user-error.ts";

/** The kinds of tests that `test` finds, in the order they run. */
export const testLevels = ["contract", "unit", "trigger", "agent", "conversation", "planbench"] as const;
export type TestLevel = (typeof testLevels)[number];

/** What is only of `test`: where to look, what of it to run, and what the results must reach. */
const testRows = {
  ...planRows({
    paths: row.texts("[paths...]", "skills, folders of skills, or test files", {
      defaultText: "the skills of the project",
    }),
    levels: row.choices("--level <levels...>", `run only these: ${testLevels.join(", ")}`, {
      choices: testLevels,
      defaultText: "all",
    }),
    skills: row.texts("--skill <globs...>", "run only the tests of these skills, such as 'pdf-*'"),
    cases: row.texts("--case <globs...>", "run only these cases: an id, or <skill>/<id>"),
    tags: row.texts("--tag <tags...>", "run only cases with one of these tags"),
    runs: { ...commonRows.runs, defaultText: "set by each test, else 1" },
    retries: row.count("--retries <n>", "retries after an error or timeout of a task", {
      min: 0,
      max: maxRetries,
      default: 0,
    }),
    timeoutMs: row.count("--timeout <ms>", "timeout of one attempt at a task", {
      min: 1,
      max: longestTimerMs,
      default: 30_000,
      config: "timeoutMs",
    }),
    model: row.text("--model <id>", "model for cases without a script: <provider>/<model>"),
    judgeModel: row.text("--judge-model <id>", "model that judges queries and rubrics: <provider>/<model>"),
    requireAll: row.switch("--require-all", "refuse the run if a test needs a model that is not there"),
  }),
  ...runRows({
    minCompletion: row.rate("--min-completion <rate>", "gate: minimum share of passed results, 0 to 1", {
      defaultText: "nothing may fail",
    }),
    maxErrorRate: row.rate("--max-error-rate <rate>", "gate: maximum share of errors and timeouts, 0 to 1"),
    countRetries: row.switch(
      "--count-retries",
      "for --max-error-rate, a failed attempt counts even if a later one passed",
    ),
    maxP95Ms: maxP95Row,
    maxUntested: row.text("--max-untested <n|share>", "gate: how many skills may have no tests: 3, or 10%", {
      parse: parseUntested,
    }),
    runsDir: runsDirRow,
  }),
  changed: row.optionalText(
    "--changed [ref]",
    "keep verdicts of earlier runs where nothing changed; with a git ref, run only the tests of what changed since; `reuse-all` keeps those of live models and remote skills too",
  ),
  watch: row.switch("--watch", "stay, and run what is affected whenever a file changes"),
  ...containmentRows,
  ...toolHostRows,
  ...vacuousRows,
} satisfies OptionTable;

/** Every option of `test`. */
export const testTable = levelTable(testRows);
export type TestOptions = Options<typeof testTable>;

/** How many skills may have no tests. */
export function mayBeUntested(text: string, skills: number): number {
  const share = /^([\d.]+)%$/.exec(text)?.[1];
  if (share !== undefined) return (Number(share) / 100) * skills;
  return text.includes(".") ? Number(text) * skills : Number(text);
}

/** A whole number of skills, or a share of them: `0.1`, `10%`. */
function parseUntested(text: string, flag: string): string {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1] ?? null;
  const isShare = share === null ? /^0?\.\d+$/.test(text) : Number(share) <= 100;
  if (isShare || /^\d+$/.test(text)) return text;
  throw new UserError("usage", `${flag}: ${text} is neither a number of skills nor a share of them`, {
    hint: "such as 3, 0.1 or 10%",
  });
}
