import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { evalOptions, readEvalFlags } from "./eval-options.ts";

/** Declares `eval`. What runs it is loaded only when it is called. */
export function declareEval(program: Command, start: Start): void {
  const command = declareCommand(program, "eval", "Evaluate skills against a benchmark", [
    "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3",
    "eval-skills eval --skills ./skills --tasks ./tasks.json --dry-run",
    "eval-skills eval --skills ./skills/my_calc --exit-on-fail --min-completion 0.8 --format json",
    "eval-skills eval --resume",
  ]);
  for (const option of evalOptions()) command.addOption(option);
  command.action(async () => {
    const flags = readEvalFlags(command.opts());
    await start(command, async (io) => (await import("./eval.ts")).evalCommand(flags, io));
  });
}
