import { type OptionTable, planRows, row, runRows } from "../contract/option-table.ts";
import { reportFormats } from "../contract/report-format.ts";
import { mostConcurrency, mostTrials } from "../contract/run-limits.ts";
import { sandboxLevels } from "../contract/sandbox-level.ts";
import { toolHostModes } from "../contract/tool-host.ts";

// Tables of options are read for every `--help`: nothing here may load more than words and limits.

/** What every command that makes a run has, whatever its level. */
export const commonRows = {
  ...planRows({
    runs: row.count("--runs <n>", "trials of every case", {
      min: 1,
      max: mostTrials,
      aliases: ["--repeats", "--repeat", "--samples"],
    }),
    seed: row.count("--seed <n>", "seed of the statistics", { min: 0, default: 0 }),
  }),
  ...runRows({
    gateOn: row.choice("--gate-on <point|lower>", "compare the value or its lower bound", {
      choices: ["point", "lower"],
      default: "point",
    }),
    allowInvalid: row.switch("--allow-invalid", "results without a verdict do not cause exit 3"),
    formats: row.choices("--format <formats...>", reportFormats.join(", "), {
      choices: reportFormats,
      default: ["json", "markdown"],
      config: "defaultFormats",
    }),
    csvRows: row.choice("--csv-rows <cells|subjects>", "what a row of CSV is", {
      choices: ["cells", "subjects"],
      default: "cells",
    }),
    outputDir: row.text("--output-dir <dir>", "report folder", { default: "./reports", config: "outputDir" }),
    evalLog: row.text("--eval-log <file>", "line log", {
      defaultText: "<output-dir>/.eval.jsonl",
      isNullable: true,
    }),
  }),
  concurrency: row.count("--concurrency <n>", "parallel cells", {
    min: 1,
    max: mostConcurrency,
    default: 4,
    config: "concurrency",
  }),
  record: row.text("--record <dir>", "record model calls in this folder"),
  replay: row.text("--replay <dir>", "answer model calls from this folder, without network"),
  store: row.text("--store <path>", "where runs are kept", { default: "./eval-skills.db", config: "store" }),
  resume: row.optionalText("--resume [runId]", "continue a run", { defaultText: "the newest that can be" }),
  rescore: row.text("--rescore <runId>", "score the stored answers of a run again, without running anything"),
  dryRun: row.switch("--dry-run", "check and count everything, run nothing"),
  otlp: row.switch("--otlp", "send the run as OpenTelemetry spans when it is done"),
} satisfies OptionTable;

/** How processes are contained, for every command that starts some. */
export const containmentRows = planRows({
  sandbox: row.choice("--sandbox <level>", ["auto", ...sandboxLevels].join(", "), {
    choices: ["auto", ...sandboxLevels],
    default: "auto",
  }),
  network: row.choice("--network <none|open>", "network of skill processes", {
    choices: ["none", "open"],
    defaultText: "open, none under strict",
    config: "sandbox.network",
  }),
  allowNetwork: row.hosts(
    "--allow-network <hosts...>",
    "only these, each host[:port] (443 and 80 when left out), through a proxy",
    { config: "sandbox.allowNetwork" },
  ),
});

/** How tools of skills are hosted, for every command that calls some. */
export const toolHostRows = planRows({
  toolHost: row.choice(
    "--tool-host <fresh|persistent>",
    "a process for every call of a tool, or one for many",
    { choices: toolHostModes, default: "fresh" },
  ),
});

/** All options of a level: its own first, then those of every run. A row of its own replaces the common one of that name. */
export function levelTable<Own extends OptionTable>(own: Own): Own & Omit<typeof commonRows, keyof Own> {
  const common = Object.entries(commonRows).filter(([name]) => !(name in own));
  return { ...own, ...(Object.fromEntries(common) as Omit<typeof commonRows, keyof Own>) };
}
