import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

/** Options that decide how skills are chosen. */
export const selectionRows = {
  strategy: row.text("--strategy <file>", "filters and sort order, YAML or JSON"),
  minCompletion: row.rate(
    "--min-completion <rate>",
    "minimum completion rate, 0 to 1; overrides the strategy",
  ),
  topK: row.count("--top-k <n>", "maximum number of skills to select; overrides the strategy", { min: 1 }),
  exitOnFail: row.switch("--exit-on-fail", "exit 1 if nothing is selected"),
} satisfies OptionTable;

const selectTable = {
  from: row.text(
    "--from <dir|file>",
    "skill folder, skill.json, list of paths or earlier selection (required)",
    {
      required: "eval-skills select --from ./skills",
    },
  ),
  reports: row.texts("--reports <files...>", "report files or glob patterns", { defaultText: "the store" }),
  benchmark: row.text("--benchmark <id>", "use only results of this benchmark"),
  ...selectionRows,
  strategy: { ...selectionRows.strategy, defaultText: "all, highest composite score first" },
  output: row.text("--output <file>", "write the selection to this file"),
  store: commonRows.store,
} satisfies OptionTable;

export type SelectFlags = Options<typeof selectTable>;

/** Declares `select`. What runs it is loaded only when it is called. */
export function declareSelect(program: Command, start: Start): void {
  const command = declareCommand(program, "select", "Select the best skills from their reports", [
    "eval-skills select --from ./skills --reports ./reports/eval-result-*.json --min-completion 0.8 --top-k 2",
    "eval-skills select --from ./skills --benchmark coding-easy --strategy ./strategy.yaml --output ./selected.json",
    "eval-skills select --from ./selected.json --top-k 1 --exit-on-fail",
  ]);
  addAction(command, selectTable, start, async (options, io) =>
    (await import("./select.ts")).selectCommand(options, io),
  );
}
