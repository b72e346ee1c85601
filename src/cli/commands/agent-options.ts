import type { Command } from "commander";
import { runsDirRow } from "../../cases/case-options.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { traceKinds } from "../../contract/trace-kind.ts";
import { agentRunTable } from "../../operations/agent/run-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { declareAgentEval } from "./declare-levels.ts";

/** Declares `agent run | eval | grade | replay | import | new-case`. What runs each is loaded only when it is called. */
export function declareAgent(program: Command, start: Start): void {
  const agent = declareCommand(program, "agent", "Run an agent with skills and grade its runs", [
    'eval-skills agent run "fill in the form" --model anthropic/claude-haiku-4-5 --skills ./skills',
    "eval-skills agent eval ./.agent/evals/smoke",
    "eval-skills agent replay 20260203_123456_abcd",
  ]).helpCommand("help [command]", "show help for a command");
  for (const declare of [
    declareRun,
    declareAgentEval,
    declareGrade,
    declareReplay,
    declareImport,
    declareNewCase,
  ])
    declare(agent, start);
}

const runsDir = { ...runsDirRow, help: "where to look for run ids" } as const;

function declareRun(agent: Command, start: Start): void {
  const command = declareCommand(agent, "run", "Run an agent once and print its answer to stdout", [
    'eval-skills agent run "what does the notes skill do?" --skills ./skills --model gpt-4o',
    'eval-skills agent run "fill in the form" --skills ./skills --enable-tool run_script --approve run_script:call',
    'eval-skills agent run "say hello" --mock ./hello.yaml',
  ]);
  addAction(command, agentRunTable, start, async (options, io) =>
    (await import("./agent-run.ts")).agentRunCommand(options, io),
  );
}

const gradeTable = {
  runs: row.texts("<runs...>", "run directories or run ids"),
  case: row.text("--case <case>", "case folder or file, or <suite file>#<id> (required)", {
    required: "eval-skills agent grade <run> --case .agent/evals/smoke/my_case",
  }),
  format: row.choice("--format <format>", "text, json or markdown", {
    choices: ["text", "json", "markdown"],
    default: "text",
  }),
  output: row.text("--output <file>", "write the result to this file", { defaultText: "stdout" }),
  runsDir,
} satisfies OptionTable;

export type AgentGradeFlags = Options<typeof gradeTable>;

function declareGrade(agent: Command, start: Start): void {
  const command = declareCommand(agent, "grade", "Grade runs again without running anything", [
    "eval-skills agent grade .agent/runs/20260203_123456_abcd --case .agent/evals/smoke/basic_select_skill",
    "eval-skills agent grade 20260203_123456_abcd --case ./case.yaml --format markdown --output ./grade.md",
  ]);
  addAction(command, gradeTable, start, async (options, io) =>
    (await import("./agent-grade.ts")).agentGradeCommand(options, io),
  );
}

const replayTable = {
  run: row.text("<run>", "run directory or run id"),
  speed: row.number("--speed <x>", "in a terminal: replay x times as fast, with pauses of at most 3 s", {
    min: 0.01,
    max: 1000,
    default: 1,
  }),
  full: row.switch("--full", "show every text to its end"),
  step: row.switch("--step", "wait for Enter after each turn"),
  turn: row.count("--turn <n>", "show only this turn", { min: 0 }),
  from: row.count("--from <seq>", "start at this event", { min: 1 }),
  to: row.count("--to <seq>", "stop at this event", { min: 1 }),
  runsDir,
} satisfies OptionTable;

export type AgentReplayFlags = Options<typeof replayTable>;

function declareReplay(agent: Command, start: Start): void {
  const command = declareCommand(agent, "replay", "Show what happened in a run, without running anything", [
    "eval-skills agent replay 20260203_123456_abcd",
    "eval-skills agent replay .agent/runs/20260203_123456_abcd --turn 2",
    "eval-skills agent replay 20260203_123456_abcd --full",
    "eval-skills agent replay 20260203_123456_abcd --step",
  ]);
  addAction(command, replayTable, start, async (options, io) =>
    (await import("./agent-replay.ts")).agentReplayCommand(options, io),
  );
}

const importTable = {
  file: row.text("<file>", "the transcript"),
  from: row.choice("--from <kind>", `its format: ${traceKinds.join(", ")}`, {
    choices: traceKinds,
    defaultText: "what its content says",
  }),
  join: row.switch("--join", "make one run of a transcript with several requests, not one run of each"),
  out: { ...runsDirRow, flag: "--out <dir>", help: "where to create the run directory" },
  skills: row.texts("--skills <roots...>", "skill folders that the agent had", { default: [] }),
} satisfies OptionTable;

export type AgentImportFlags = Options<typeof importTable>;

function declareImport(agent: Command, start: Start): void {
  const command = declareCommand(agent, "import", "Import a transcript of another agent as a run directory", [
    "eval-skills agent import --from claude-code ./session.jsonl --skills ./.claude/skills",
    "eval-skills agent import ./conversation.json --join",
    "eval-skills agent import --from otel ./spans.json --out ./imported",
  ]);
  addAction(command, importTable, start, async (options, io) =>
    (await import("./agent-import.ts")).agentImportCommand(options, io),
  );
}

const newCaseTable = {
  fromRun: row.text("--from-run <run>", "run directory or run id: expect what happened there"),
  fromSkill: row.text(
    "--from-skill <folder>",
    "the folder of a skill: expect that its files and scripts are used",
  ),
  out: row.text("--out <dir>", "the suite to put it in", { default: ".agent/evals/drafts" }),
  runsDir,
} satisfies OptionTable;

export type AgentNewCaseFlags = Options<typeof newCaseTable>;

function declareNewCase(agent: Command, start: Start): void {
  const command = declareCommand(agent, "new-case", "Draft a case from a run or a skill", [
    "eval-skills agent new-case --from-run 20260203_123456_abcd",
    "eval-skills agent new-case --from-skill ./skills/notes --out .agent/evals/smoke",
  ]);
  addAction(command, newCaseTable, start, async (options, io) =>
    (await import("./agent-new-case.ts")).agentNewCaseCommand(options, io),
  );
}
