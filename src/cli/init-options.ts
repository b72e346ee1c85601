import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { parseText } from "./option-values.ts";

/** Declares `init`. */
export function declareInit(program: Command, start: Start): void {
  const command = declareCommand(program, "init", "Set up a project: configuration and folders", [
    "eval-skills init --dir .",
    "eval-skills init --dir ./my-project --json",
  ]);
  command.option("--dir <dir>", "folder of the project (default: .)", (text) => parseText(text, "--dir"));
  command.action(async () => {
    const { dir = "." } = command.opts<{ dir?: string }>();
    await start(command, async (io) => (await import("./init.ts")).initCommand(dir, io));
  });
}
