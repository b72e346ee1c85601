import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../contract/option-table.ts";
import { commonRows } from "../run/common-options.ts";
import { addAction, declareCommand, type Start } from "./declare-command.ts";

/** What says how skills are chosen. */
export const selectionRows = {
  strategy: row.text("--strategy <file>", "filters and order, YAML or JSON"),
  minCompletion: row.rate("--min-completion <rate>", "least completion rate, 0 to 1; beats the strategy"),
  topK: row.count("--top-k <n>", "how many to take; beats the strategy", { min: 1 }),
  exitOnFail: row.switch("--exit-on-fail", "exit 1 if nothing is selected"),
} satisfies OptionTable;

const selectTable = {
  from: row.text("--from <dir|file>", "folder, skill.json, list of paths or earlier selection (required)", {
    required: "eval-skills select --from ./skills",
  }),
  reports: row.texts("--reports <files...>", "reports or patterns", { defaultText: "the store" }),
  ...selectionRows,
  strategy: { ...selectionRows.strategy, defaultText: "all, best composite first" },
  output: row.text("--output <file>", "write the selection to this file"),
  store: commonRows.store,
} satisfies OptionTable;

export type SelectFlags = Options<typeof selectTable>;

/** Declares `select`. What runs it is loaded only when it is called. */
export function declareSelect(program: Command, start: Start): void {
  const command = declareCommand(program, "select", "Choose the best skills by their reports", [
    "eval-skills select --from ./skills --reports ./reports/eval-result-*.json --min-completion 0.8 --top-k 2",
    "eval-skills select --from ./skills --strategy ./strategy.yaml --output ./selected.json",
    "eval-skills select --from ./selected.json --top-k 1 --exit-on-fail",
  ]);
  addAction(command, selectTable, start, async (options, io) =>
    (await import("./select.ts")).selectCommand(options, io),
  );
}
