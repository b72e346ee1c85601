import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { textOption } from "./declare-option.ts";

/** Declares `init`. */
export function declareInit(program: Command, start: Start): void {
  const command = declareCommand(program, "init", "Set up a project: configuration and folders", [
    "eval-skills init --dir .",
    "eval-skills init --dir ./my-project --json",
  ]);
  command.addOption(textOption("--dir <dir>", "folder of the project (default: .)"));
  command.action(async () => {
    const { dir = "." } = command.opts<{ dir?: string }>();
    await start(command, async (io) => (await import("./init.ts")).initCommand(dir, io));
  });
}
