import { Argument, type Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { withChoices } from "./known-values.ts";
import { parseChoice } from "./option-values.ts";

const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Declares `completion`. */
export function declareCompletion(program: Command, start: Start): void {
  const command = declareCommand(program, "completion", "Print the completion script of a shell", [
    "eval-skills completion bash",
    "source <(eval-skills completion bash)",
    "eval-skills completion fish > ~/.config/fish/completions/eval-skills.fish",
  ]);
  const shell = new Argument("<shell>", shells.join(", ")).argParser((text: string) =>
    parseChoice(text, "completion", shells),
  );
  command.addArgument(withChoices(shell, shells)).action(async (which: Shell) => {
    await start(command, async (io) =>
      (await import("./completion.ts")).completionCommand(which, program, io),
    );
  });
}
