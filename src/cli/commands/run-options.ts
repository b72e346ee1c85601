import type { Command } from "commander";
import { type Options, type OptionTable, row, withoutRows } from "../../contract/option-table.ts";
import { evalTable } from "../../levels/unit/options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { selectionRows } from "./select-options.ts";

const { strategy, topK, minCompletion, exitOnFail } = selectionRows;

/** The options of `eval`, without those that `run` does not need or defines differently. */
const runTable = {
  query: row.text("-q, --query <text>", "words that must all appear in id, name, description or tags"),
  skillsDir: row.text("--skills-dir <dir>", "folder with skills", { default: "./skills" }),
  strategy,
  topK: { ...topK, help: "maximum number of skills to select", defaultText: "set by the strategy, else 5" },
  minCompletion: {
    ...minCompletion,
    help: "minimum completion rate to be selected, 0 to 1",
    defaultText: "set by the strategy, else 0.7",
  },
  exitOnFail,
  ...withoutRows(
    evalTable,
    ...(["skills", "resume", "rescore", "minCompletion", "exitOnFail"] as const),
    // It chooses among all results.
    "shard",
    // It chooses among skills, and judges none.
    ...(["maxErrorRate", "countRetries", "maxP95Ms"] as const),
  ),
} satisfies OptionTable;

/** What was typed after `run`. */
export type RunFlags = Options<typeof runTable>;

/** Declares `run`. What runs it is loaded only when it is called. */
export function declareRun(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "run",
    "Find skills, evaluate them, select the best and write reports",
    [
      'eval-skills run --query "calc" --skills-dir ./skills --benchmark coding-easy',
      "eval-skills run --skills-dir ./skills --benchmark coding-easy --top-k 3 --min-completion 0.7 --format json markdown html",
      "eval-skills run --strategy ./strategy.yaml --exit-on-fail",
    ],
  );
  addAction(command, runTable, start, async (options, io) =>
    (await import("./run.ts")).runCommand(options, io),
  );
}
