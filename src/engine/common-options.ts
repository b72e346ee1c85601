import { reportFormats } from "../contract/format.ts";
import { maxConcurrency, maxTrials, sandboxLevels } from "../contract/limits.ts";
import { type OptionTable, planRows, row, runRows } from "../contract/option-table.ts";
import { toolHostModes } from "../contract/tool-host.ts";

// Tables of options are read for every `--help`: nothing here may load more than words and limits.

/** What every command that makes a run has, whatever its level. */
export const commonRows = {
  ...planRows({
    runs: row.count("--runs <n>", "trials per case", {
      min: 1,
      max: maxTrials,
      aliases: ["--repeats", "--repeat", "--samples"],
    }),
    seed: row.count("--seed <n>", "seed for statistics", { min: 0, default: 0 }),
    failed: row.switch("--failed", "run only the cases that did not pass in the last run"),
    shard: row.text("--shard <i/n>", "run one of n equal parts; `report merge` joins them"),
  }),
  ...runRows({
    gateOn: row.choice(
      "--gate-on <point|lower>",
      "check gates against the value or its lower confidence bound",
      {
        choices: ["point", "lower"],
        default: "point",
      },
    ),
    familyWise: row.switch("--family-wise", "correct --gate-on lower for the number of skills (Holm)"),
    maxInvalid: row.rate(
      "--max-invalid <share>",
      "accept at most this share of results without a verdict per skill, 0 to 1",
      { default: 0 },
    ),
    trustJudge: row.switch(
      "--trust-judge",
      "use the verdicts of a judge that fails its canaries, and say so in reports",
    ),
    maxCostUsd: row.number(
      "--max-cost <usd>",
      "maximum cost of all model calls of the run, judges included",
      {
        min: 0,
      },
    ),
    formats: row.choices("--format <formats...>", reportFormats.join(", "), {
      choices: reportFormats,
      default: ["json", "markdown"],
      config: "defaultFormats",
    }),
    csvRows: row.choice("--csv-rows <cells|subjects>", "what each CSV row contains", {
      choices: ["cells", "subjects"],
      default: "cells",
    }),
    outputDir: row.text("--output-dir <dir>", "folder for reports", {
      default: "./reports",
      config: "outputDir",
    }),
    evalLog: row.text("--eval-log <file>", "event log in JSON Lines", {
      defaultText: "<output-dir>/.eval.jsonl",
      isNullable: true,
    }),
  }),
  concurrency: row.count("--concurrency <n>", "maximum number of cells running in parallel", {
    min: 1,
    max: maxConcurrency,
    default: 4,
    config: "concurrency",
  }),
  record: row.text("--record <dir>", "record model calls to this folder"),
  replay: row.text("--replay <dir>", "replay recorded model calls instead of calling models"),
  store: row.text("--store <path>", "database of runs", { default: "./eval-skills.db", config: "store" }),
  resume: row.optionalText("--resume [runId]", "resume a run, or report again on a complete one", {
    defaultText: "the newest interrupted or incomplete one, else the newest",
  }),
  rescore: row.text("--rescore <runId>", "score the stored answers of a run again without running skills"),
  skipUngranted: row.switch(
    "--skip-ungranted",
    "leave out what asks for more than you granted, instead of refusing the run",
  ),
  changed: row.optionalText(
    "--changed [reuse-all]",
    "keep verdicts of earlier runs where nothing changed; `reuse-all` also of live models and remote skills",
  ),
  bail: row.optionalText("--bail [n]", "stop after n cells that did not pass", { defaultText: "1" }),
  dryRun: row.switch("--dry-run", "validate the input and print what would run"),
  otlp: row.switch("--otlp", "export the run as OpenTelemetry spans when it ends"),
} satisfies OptionTable;

/** How slow a subject may be, for every command whose cells call it. */
export const maxP95Row = row.number("--max-p95-ms <ms>", "gate: maximum 95th percentile of latency", {
  min: 0,
  gate: "maxP95Ms",
});

/** How processes are contained, for every command that starts some. */
export const containmentRows = planRows({
  sandbox: row.choice("--sandbox <level>", ["auto", ...sandboxLevels].join(", "), {
    choices: ["auto", ...sandboxLevels],
    default: "auto",
    onlyTyped: ["process", "off"],
  }),
  network: row.choice(
    "--network <none|open>",
    "network access of local skill processes; none needs a sandbox",
    {
      choices: ["none", "open"],
      onlyTyped: ["open"],
      defaultText: "open; none if strict containment is required",
      config: "sandbox.network",
    },
  ),
  allowNetwork: row.hosts(
    "--allow-network <hosts...>",
    "allow only these hosts, each host[:port] (default ports: 443 and 80)",
    { config: "sandbox.allowNetwork", onlyTyped: true },
  ),
  python: row.text("--python <path>", "Python that skills and tools run on, such as .venv/bin/python", {
    config: "python",
    defaultText: "python3 on PATH",
    onlyTyped: true,
  }),
});

/** How tools of skills are hosted, for every command that calls some. */
export const toolHostRows = planRows({
  toolHost: row.choice("--tool-host <fresh|persistent>", "start a process per tool call, or reuse one", {
    choices: toolHostModes,
    default: "fresh",
  }),
});

/** Whether expectations that wrong answers meet may run, for every command that has expectations. */
export const vacuousRows = planRows({
  allowVacuous: row.switch(
    "--allow-vacuous",
    "run expectations that wrong answers pass, and say so in reports",
  ),
});

/** All options of a level: its own first, then those of every run. A row of its own replaces the common one of that name. */
export function levelTable<Own extends OptionTable>(own: Own): Own & Omit<typeof commonRows, keyof Own> {
  const common = Object.entries(commonRows).filter(([name]) => !(name in own));
  return { ...own, ...(Object.fromEntries(common) as Omit<typeof commonRows, keyof Own>) };
}
