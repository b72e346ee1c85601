import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, rateOption, storeOption, textOption, textsOption } from "./declare-option.ts";

/** What was typed after `select`. */
export interface SelectFlags {
  from: string;
  reports?: string[];
  strategy?: string;
  minCompletion?: number;
  topK?: number;
  output?: string;
  store?: string;
  exitOnFail?: true;
}

/** Declares `select`. What runs it is loaded only when it is called. */
export function declareSelect(program: Command, start: Start): void {
  const command = declareCommand(program, "select", "Choose the best skills by their reports", [
    "eval-skills select --from ./skills --reports ./reports/eval-result-*.json --min-completion 0.8 --top-k 2",
    "eval-skills select --from ./skills --strategy ./strategy.yaml --output ./selected.json",
    "eval-skills select --from ./selected.json --top-k 1 --exit-on-fail",
  ]);
  command
    .addOption(
      textOption("--from <dir|file>", "folder, skill.json, list of paths or earlier selection (required)"),
    )
    .addOption(textsOption("--reports <files...>", "reports or patterns (default: the store)"))
    .addOption(
      textOption("--strategy <file>", "filters and order, YAML or JSON (default: all, best composite first)"),
    )
    .addOption(rateOption("--min-completion <rate>", "least completion rate, 0 to 1; beats the strategy"))
    .addOption(countOption("--top-k <n>", "how many to take; beats the strategy", 1))
    .addOption(textOption("--output <file>", "write the selection to this file"))
    .addOption(storeOption())
    .option("--exit-on-fail", "exit 1 if nothing is selected");
  command.action(async () => {
    const flags = command.opts<Partial<SelectFlags>>();
    const { from } = flags;
    if (from === undefined)
      throw new UserError("usage", "--from is missing", { hint: "eval-skills select --from ./skills" });
    await start(command, async (io) => (await import("./select.ts")).selectCommand({ ...flags, from }, io));
  });
}
