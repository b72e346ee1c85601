import { type Command, Option } from "commander";
import { longestTimerMs } from "../contract/timer.ts";
import { UserError } from "../contract/user-error.ts";
import { type ContainmentFlags, containmentOptions } from "./containment-options.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, numberOption, textOption, textsOption } from "./declare-option.ts";

/** What was typed after `agent run`. */
export interface AgentRunFlags extends ContainmentFlags {
  request: string;
  model?: string;
  mock?: string;
  skills?: string[];
  skill?: string[];
  enableTool?: string[];
  denyTool?: string[];
  approve?: string[];
  networkHost?: string[];
  maxTurns?: number;
  maxToolCalls?: number;
  maxScriptRuns?: number;
  maxResourceLoads?: number;
  maxModelCalls?: number;
  maxContextChars?: number;
  maxCost?: number;
  timeout?: number;
  stream?: true;
  record?: string;
  replay?: string;
  recordRaw?: true;
  runsDir?: string;
}

/** Declares `agent run`. */
export function declareAgentRun(agent: Command, start: Start): void {
  const command = declareCommand(agent, "run", "Run an agent once; its answer goes to stdout", [
    'eval-skills agent run "what does the notes skill do?" --skills ./skills --model gpt-4o',
    'eval-skills agent run "fill in the form" --skills ./skills --enable-tool run_script --approve run_script:call',
    'eval-skills agent run "say hello" --mock ./hello.yaml',
  ]);
  command.argument("<request>", "what is asked of the agent");
  for (const option of options()) command.addOption(option);
  command.action(async (request: string) => {
    if (request.trim() === "") throw new UserError("usage", "the request is empty");
    const flags = { ...command.opts<Omit<AgentRunFlags, "request">>(), request };
    await start(command, async (io) => (await import("./agent-run.ts")).agentRunCommand(flags, io));
  });
}

function options(): Option[] {
  return [
    textOption("--model <id>", "the model: <provider>/<model> (default: llm.model)"),
    textOption("--mock <file>", "a script in the place of a model: JSON or YAML with `turns`"),
    textsOption(
      "--skills <roots...>",
      "folders of skills (default: skills.roots, which is .agent/skills, .agents/skills, .claude/skills)",
    ),
    textsOption("--skill <name...>", "skills you name yourself, also those a model may not choose"),
    textsOption("--enable-tool <names...>", "switch on run_script, write_file, delete_file, network_request"),
    textsOption("--deny-tool <names...>", "tools that are never used"),
    textsOption("--approve <tool...>", "grant without asking: <tool>[:call|:run]"),
    textsOption("--network-host <hosts...>", "hosts that network_request may reach"),
    countOption("--max-turns <n>", "turns (default: 12)", 1),
    countOption("--max-tool-calls <n>", "tool calls (default: 30)", 0),
    countOption("--max-script-runs <n>", "scripts (default: 6)", 0),
    countOption("--max-resource-loads <n>", "resources (default: no limit)", 0),
    countOption("--max-model-calls <n>", "model calls (default: 3 a turn)", 1),
    countOption("--max-context-chars <n>", "characters of one request (default: 400000)", 1),
    numberOption("--max-cost <usd>", "what all model calls together may cost", 0),
    countOption("--timeout <ms>", "wall clock of the run (default: 120000)", 1, longestTimerMs),
    new Option("--stream", "show the answer as it comes"),
    ...containmentOptions(),
    textOption("--record <dir>", "record model calls in this folder"),
    textOption("--replay <dir>", "answer model calls from this folder, without network"),
    new Option("--record-raw", "keep prompts and raw replies in the run directory"),
    textOption("--runs-dir <dir>", "where the run directory is made (default: .agent/runs)"),
  ];
}
