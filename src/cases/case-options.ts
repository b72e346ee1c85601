import type { CaseLevel } from "../contract/agent-case.ts";
import { type Options, type OptionTable, planRows, row, runRows } from "../contract/option-table.ts";
import {
  commonRows,
  containmentRows,
  levelTable,
  maxP95Row,
  toolHostRows,
  vacuousRows,
} from "../engine/common-options.ts";

const caseClasses = ["L0", "L1", "L2"] as const satisfies readonly CaseLevel[];

/** Where run directories are, for every command that makes or reads some. */
export const runsDirRow = row.text("--runs-dir <dir>", "where to create run directories", {
  default: ".agent/runs",
});

/** What is only of `agent eval`: cases, the models that run them, and what they must reach. */
export const agentRows = {
  ...planRows({
    suites: row.texts("[suites...]", "folders or files with cases, or skills with cases", {
      default: [".agent/evals"],
    }),
    cases: row.texts("--case <id...>", "run only the cases with these ids"),
    tags: row.texts("--tag <tags...>", "run only cases with one of these tags"),
    classes: row.choices("--class <classes...>", caseClasses.join(", "), {
      choices: caseClasses,
      defaultText: "L0 L1, and L2 with --model",
    }),
    models: row.texts("--model <id...>", "models for cases without a script: <provider>/<model>"),
    runs: { ...commonRows.runs, defaultText: "set by the case" },
    baseline: row.choice("--baseline <no-skills>", "also run each case of a real model without skills", {
      choices: ["no-skills"],
    }),
    judge: row.text(
      "--judge-model <id>",
      "model that judges rubrics and output described in prose: <provider>/<model>",
    ),
    schemas: row.texts("--schema <name=file...>", "map an output schema that skills name to a file"),
  }),
  ...runRows({
    minPassRate: row.rate("--min-pass-rate <rate>", "gate: minimum share of passed runs", {
      gate: "minCompletion",
    }),
    minTriggerPrecision: row.rate(
      "--min-trigger-precision <rate>",
      "gate: minimum precision of skill selections",
      { gate: "minPrecision" },
    ),
    minTriggerRecall: row.rate("--min-trigger-recall <rate>", "gate: minimum recall of skill selections", {
      gate: "minRecall",
    }),
    maxP95Ms: maxP95Row,
    minFinalJson: row.rate("--min-final-json <rate>", "gate: minimum share of turns that end in valid JSON"),
    runsDir: runsDirRow,
  }),
  ...containmentRows,
  ...toolHostRows,
  ...vacuousRows,
} satisfies OptionTable;

/** Every option of `agent eval`. */
export const agentEvalTable = levelTable(agentRows);
export type AgentEvalOptions = Options<typeof agentEvalTable>;
