import type { Command } from "commander";
import { type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const initTable = {
  dir: row.text("--dir <dir>", "project folder", { default: "." }),
} satisfies OptionTable;

export function declareInit(program: Command, start: Start): void {
  const command = declareCommand(program, "init", "Create a configuration file and project folders", [
    "eval-skills init --dir .",
    "eval-skills init --dir ./my-project --json",
  ]);
  addAction(command, initTable, start, async ({ dir }, io) =>
    (await import("./init.ts")).initCommand(dir, io),
  );
}
