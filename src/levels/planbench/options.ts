import { type Options, type OptionTable, planRows, row, runRows } from "../../contract/option-table.ts";
import { commonRows, containmentRows, levelTable, vacuousRows } from "../../engine/common-options.ts";

/** What is only of `planbench`: the bench, the model it measures, and what its outputs must reach. */
export const planbenchRows = {
  ...planRows({
    bench: row.text("[bench]", "bench file, or id of a bundled bench", { defaultText: "quick" }),
    cases: row.texts("--case <id...>", "run only cases with these ids"),
    tags: row.texts("--tag <tags...>", "run only cases with one of these tags"),
    host: row.text("--only-host <name>", "run only cases for this host, such as wps, et or wpp"),
    route: row.choice("--route <auto|forced|all>", "run only cases with this routing", {
      choices: ["auto", "forced", "all"],
      default: "all",
    }),
    limit: row.count("--limit <n>", "run only the first n matching cases", { min: 1 }),
    runs: { ...commonRows.runs, help: "samples per case", defaultText: "set by the bench file" },
    maxRepairs: row.count("--max-repairs <n>", "maximum number of repairs per plan", {
      min: 0,
      max: 100,
      defaultText: "set by the bench file",
    }),
    model: row.text("--model <id>", "model to measure: <provider>/<model> or mock"),
  }),
  ...runRows({
    includePlan: row.switch("--include-plan", "include the last plan of every sample in reports"),
    minOk0: row.rate("--min-ok0 <rate>", "gate: minimum share of samples valid without repair, 0 to 1"),
    minSuccess: row.rate(
      "--min-success <rate>",
      "gate: minimum share of samples valid after repairs, 0 to 1",
      { gate: "minCompletion" },
    ),
    maxP95Ms: row.number("--max-p95-ms <ms>", "gate: maximum 95th-percentile duration of a sample", {
      min: 0,
      gate: "maxP95Ms",
    }),
  }),
  ...containmentRows,
  ...vacuousRows,
} satisfies OptionTable;

/** Every option of `planbench`. */
export const planbenchTable = levelTable(planbenchRows);
export type PlanbenchOptions = Options<typeof planbenchTable>;
