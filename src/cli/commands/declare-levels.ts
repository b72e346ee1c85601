import type { Command } from "commander";
import { agentEvalTable } from "../../cases/case-options.ts";
import { type Options, type OptionTable, row, withoutRows } from "../../contract/option-table.ts";
import { planbenchTable } from "../../levels/planbench/options.ts";
import { judgeRows, triggerTable } from "../../levels/trigger/options.ts";
import { evalTable } from "../../levels/unit/options.ts";
import { testTable } from "../../operations/test/options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

// The commands that make runs. What runs them is loaded only when they are called.

export function declareTest(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "test",
    "Run every test of your skills, at all levels, in one run",
    [
      "eval-skills test",
      "eval-skills test ./skills/my_calc --level unit --runs 3",
      "eval-skills test --skill 'pdf-*' --min-completion 0.9 --max-untested 10%",
      "eval-skills test --dry-run",
      "eval-skills test --watch",
      "eval-skills test --resume",
    ],
  );
  addAction(command, testTable, start, async (options, io) =>
    options.watch
      ? (await import("./test-watch.ts")).watchTests(options, io)
      : (await import("./test.ts")).testCommand(options, io),
  );
}

export function declareEval(program: Command, start: Start): void {
  const command = declareCommand(program, "eval", "Run skills against a benchmark and score the results", [
    "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3",
    "eval-skills eval --skills ./skills --tasks ./tasks.json --dry-run",
    "eval-skills eval --skills ./skills/my_calc --min-completion 0.8 --format json",
    "eval-skills eval --resume",
  ]);
  addAction(command, evalTable, start, async (options, io) =>
    (await import("./eval.ts")).evalCommand(options, io),
  );
}

export function declareTrigger(program: Command, start: Start): void {
  const command = declareCommand(program, "trigger", "Test whether skills trigger on the right requests", [
    "eval-skills trigger ./skills/refactor",
    "eval-skills trigger ./skills --judge-model anthropic/claude-haiku-4-5 --runs 8 --min-recall 0.9",
    "eval-skills trigger ./skills --judge catalog --judge-model gpt-4o --dry-run",
    "eval-skills trigger calibrate --gold ./gold.jsonl --judge-model gpt-4o",
  ]);
  addAction(command, triggerTable, start, async (options, io) =>
    (await import("./trigger.ts")).triggerCommand(options, io),
  );
  declareCalibrate(command, start);
}

export function declareAgentEval(agent: Command, start: Start): void {
  const command = declareCommand(agent, "eval", "Run agent and conversation cases and grade them", [
    "eval-skills agent eval ./.agent/evals/smoke",
    "eval-skills agent eval ./skills/contract-review",
    "eval-skills agent eval ./.agent/evals --tag security --format json junit",
    "eval-skills agent eval ./.agent/evals/triggers --model anthropic/claude-haiku-4-5 --runs 5 --record ./calls",
    "eval-skills agent eval ./.agent/evals/triggers --model anthropic/claude-haiku-4-5 --runs 5 --replay ./calls",
  ]);
  addAction(command, agentEvalTable, start, async (options, io) =>
    (await import("./agent-eval.ts")).agentEvalCommand(options, io),
  );
}

export function declarePlanbench(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "planbench",
    "Measure how often generated plans are valid, before and after repairs",
    [
      "eval-skills planbench",
      "eval-skills planbench ./bench.yaml --runs 3 --min-ok0 0.7 --min-success 0.9",
      "eval-skills planbench quick --model anthropic/claude-haiku-4-5 --record ./calls",
      "eval-skills planbench --resume",
    ],
  );
  addAction(command, planbenchTable, start, async (options, io) =>
    (await import("./planbench.ts")).planbenchCommand(options, io),
  );
}

const calibrateTable = {
  gold: row.text("--gold <file.jsonl>", 'human labels: one {"skill","query","label"} per line (required)', {
    required: "eval-skills trigger calibrate --gold ./gold.jsonl",
  }),
  // Labels are judged once, by one judge.
  ...withoutRows(judgeRows, "allow", "requireVectors"),
} satisfies OptionTable;

export type CalibrateFlags = Options<typeof calibrateTable>;

function declareCalibrate(parent: Command, start: Start): void {
  const command = declareCommand(parent, "calibrate", "Measure how well a judge agrees with human labels", [
    "eval-skills trigger calibrate --gold ./gold.jsonl --judge-model gpt-4o --catalog ./skills",
  ]);
  addAction(command, calibrateTable, start, async (options, io) =>
    (await import("./trigger-calibrate.ts")).calibrateCommand(options, io),
  );
}
