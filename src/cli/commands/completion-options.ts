import type { Command } from "commander";
import { type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const completionTable = {
  shell: row.choice("<shell>", shells.join(", "), { choices: shells }),
} satisfies OptionTable;

export function declareCompletion(program: Command, start: Start): void {
  const command = declareCommand(program, "completion", "Print a shell completion script", [
    "eval-skills completion bash",
    "source <(eval-skills completion bash)",
    "eval-skills completion fish > ~/.config/fish/completions/eval-skills.fish",
  ]);
  addAction(command, completionTable, start, async ({ shell }, io) =>
    (await import("./completion.ts")).completionCommand(shell, program, io),
  );
}
