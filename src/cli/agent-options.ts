import type { Command } from "commander";
import { declareAgentEval } from "./agent-eval-options.ts";
import { declareAgentGrade } from "./agent-grade-options.ts";
import { declareAgentImport } from "./agent-import-options.ts";
import { declareAgentReplay } from "./agent-replay-options.ts";
import { declareAgentRun } from "./agent-run-options.ts";
import { declareCommand, type Start } from "./declare-command.ts";

/** Declares `agent run | eval | grade | replay | import`. What runs each is loaded only when it is called. */
export function declareAgent(program: Command, start: Start): void {
  const agent = declareCommand(program, "agent", "Run an agent with skills, and judge how it worked", [
    'eval-skills agent run "fill in the form" --model anthropic/claude-haiku-4-5 --skills ./skills',
    "eval-skills agent eval ./.agent/evals/smoke",
    "eval-skills agent replay 20260203_123456_abcd",
  ]).helpCommand("help [command]", "show the help of a command");
  for (const declare of [
    declareAgentRun,
    declareAgentEval,
    declareAgentGrade,
    declareAgentReplay,
    declareAgentImport,
  ])
    declare(agent, start);
}
