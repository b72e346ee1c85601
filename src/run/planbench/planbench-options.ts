import { type Options, type OptionTable, planRows, row, runRows } from "../../contract/option-table.ts";
import { commonRows, containmentRows, levelTable } from "../common-options.ts";

/** What is only of `planbench`: the bench, the model it measures, and what its outputs must reach. */
export const planbenchRows = {
  ...planRows({
    bench: row.text("[bench]", "file, or id of a bundled bench", { defaultText: "quick" }),
    cases: row.texts("--case <id...>", "only the cases with these ids"),
    tags: row.texts("--tag <tags...>", "only cases with one of these tags"),
    host: row.text("--only-host <name>", "only cases for this host: wps, et, wpp …"),
    route: row.choice("--route <auto|forced|all>", "only cases routed so", {
      choices: ["auto", "forced", "all"],
      default: "all",
    }),
    limit: row.count("--limit <n>", "only the first of the cases that are left", { min: 1 }),
    runs: { ...commonRows.runs, help: "samples of every case", defaultText: "what the bench says" },
    maxRepairs: row.count("--max-repairs <n>", "most repairs of a plan", {
      min: 0,
      max: 100,
      defaultText: "what the bench says",
    }),
    model: row.text("--model <id>", "measure this model instead: <provider>/<model>, or mock"),
  }),
  ...runRows({
    includePlan: row.switch("--include-plan", "reports hold the last plan of every sample"),
    minOk0: row.rate("--min-ok0 <rate>", "gate: least share of samples that are ok at once"),
    minSuccess: row.rate("--min-success <rate>", "gate: least share of samples that are ok in the end"),
    maxP95Ms: row.number("--max-p95-ms <ms>", "gate: longest time of a sample, at the 95th percentile", {
      min: 0,
    }),
  }),
  ...containmentRows,
} satisfies OptionTable;

/** Every option of `planbench`. */
export const planbenchTable = levelTable(planbenchRows);
export type PlanbenchOptions = Options<typeof planbenchTable>;
