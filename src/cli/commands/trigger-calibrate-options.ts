import type { Command } from "commander";
import { type Options, type OptionTable, row, withoutRows } from "../../contract/option-table.ts";
import { judgeRows } from "../../levels/trigger/options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const calibrateTable = {
  gold: row.text("--gold <file.jsonl>", 'human labels: one {"skill","query","label"} per line (required)', {
    required: "eval-skills trigger calibrate --gold ./gold.jsonl",
  }),
  // Labels are judged once, by one judge.
  ...withoutRows(judgeRows, "allow", "requireVectors"),
} satisfies OptionTable;

export type CalibrateFlags = Options<typeof calibrateTable>;

/** Declares `trigger calibrate`. */
export function declareCalibrate(parent: Command, start: Start): void {
  const command = declareCommand(parent, "calibrate", "Measure how well a judge agrees with human labels", [
    "eval-skills trigger calibrate --gold ./gold.jsonl --judge-model gpt-4o --catalog ./skills",
  ]);
  addAction(command, calibrateTable, start, async (options, io) =>
    (await import("./trigger-calibrate.ts")).calibrateCommand(options, io),
  );
}
