import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { textOption } from "./declare-option.ts";
import { type JudgeFlags, judgeOptions } from "./judge-options.ts";

/** What was typed after `trigger calibrate`. */
export interface CalibrateFlags extends JudgeFlags {
  gold: string;
}

/** Options that mean nothing where labels are judged once, by one judge. */
const notShared = new Set(["--allow", "--require-vectors"]);

/** Declares `trigger calibrate`. */
export function declareCalibrate(parent: Command, start: Start): void {
  const command = declareCommand(
    parent,
    "calibrate",
    "Find out how far a judge agrees with labels of people",
    ["eval-skills trigger calibrate --gold ./gold.jsonl --judge-model gpt-4o --catalog ./skills"],
  );
  command.addOption(
    textOption("--gold <file.jsonl>", 'labels: one {"skill","query","label"} a line (required)'),
  );
  for (const option of judgeOptions()) if (!notShared.has(option.long ?? "")) command.addOption(option);
  command.action(async () => {
    // Options of the command above have the same names and may take what was meant for this one.
    const flags = { ...parent.opts(), ...command.opts() } as Partial<CalibrateFlags>;
    if (flags.gold === undefined)
      throw new UserError("usage", "--gold is missing", {
        hint: "eval-skills trigger calibrate --gold ./gold.jsonl",
      });
    await start(command, async (io) =>
      (await import("./trigger-calibrate.ts")).calibrateCommand(flags as CalibrateFlags, io),
    );
  });
}
