import type { CaseLevel } from "../../contract/agent-case.ts";
import { type Options, type OptionTable, planRows, row, runRows } from "../../contract/option-table.ts";
import { commonRows, containmentRows, levelTable, toolHostRows } from "../common-options.ts";

const caseLevels = ["L0", "L1", "L2"] as const satisfies readonly CaseLevel[];

/** Where run directories are, for every command that makes or reads some. */
export const runsDirRow = row.text("--runs-dir <dir>", "where run directories are made", {
  default: ".agent/runs",
});

/** What is only of `agent eval`: cases, the models that run them, and what they must reach. */
export const agentRows = {
  ...planRows({
    suites: row.texts("[suites...]", "folders or files of cases, or skills that have some", {
      default: [".agent/evals"],
    }),
    cases: row.texts("--case <id...>", "only the cases with these ids"),
    tags: row.texts("--tag <tags...>", "only cases with one of these tags"),
    levels: row.choices("--level <levels...>", caseLevels.join(", "), {
      choices: caseLevels,
      defaultText: "L0 L1, and L2 with --model",
    }),
    models: row.texts("--model <id...>", "real models for cases without a script: <provider>/<model>"),
    runs: { ...commonRows.runs, defaultText: "what the case says" },
    baseline: row.choice("--baseline <no-skills>", "run each case of a real model also without skills", {
      choices: ["no-skills"],
    }),
    judge: row.text("--judge-model <id>", "the model that judges rubrics: <provider>/<model>"),
    maxCostUsd: row.number("--max-cost <usd>", "what all model calls together may cost", { min: 0 }),
    schemas: row.texts("--schema <name=file...>", "where schemas of outputs lie that skills name"),
  }),
  ...runRows({
    minPassRate: row.rate("--min-pass-rate <rate>", "gate: least share of passed runs"),
    minTriggerPrecision: row.rate("--min-trigger-precision <rate>", "gate: least precision of selections"),
    minTriggerRecall: row.rate("--min-trigger-recall <rate>", "gate: least recall of selections"),
    minFinalJson: row.rate("--min-final-json <rate>", "gate: least share of turns that end in valid JSON"),
    runsDir: runsDirRow,
  }),
  ...containmentRows,
  ...toolHostRows,
} satisfies OptionTable;

/** Every option of `agent eval`. */
export const agentEvalTable = levelTable(agentRows);
export type AgentEvalOptions = Options<typeof agentEvalTable>;
