import { runsDirRow } from "../../cases/case-options.ts";
import { longestTimerMs } from "../../contract/limits.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows, containmentRows } from "../../engine/common-options.ts";
import { UserError } from "../../shared/user-error.ts";

/** Every option of `agent run`. */
export const agentRunTable = {
  request: row.text("<request>", "the request to the agent", { parse: parseRequest }),
  model: row.text("--model <id>", "model to use: <provider>/<model>", { defaultText: "llm.model" }),
  mock: row.text("--mock <file>", "use a scripted model: JSON or YAML file with `turns`"),
  skills: row.texts("--skills <roots...>", "skill folders", {
    defaultText: "skills.roots: .agent/skills, .agents/skills, .claude/skills",
  }),
  skill: row.texts(
    "--skill <name...>",
    "invoke these skills as the user, including those with disable-model-invocation",
  ),
  enableTool: row.texts(
    "--enable-tool <names...>",
    "enable run_script, run_command, write_file, delete_file or network_request",
  ),
  denyTool: row.texts("--deny-tool <names...>", "tools the agent must not use"),
  approve: row.texts("--approve <tool...>", "approve without asking: <tool>[:call|:run]"),
  networkHost: row.texts("--network-host <hosts...>", "hosts that network_request may contact"),
  maxTurns: row.count("--max-turns <n>", "maximum turns", { min: 1, default: 12, config: "agent.max_turns" }),
  maxToolCalls: row.count("--max-tool-calls <n>", "maximum tool calls", {
    min: 0,
    default: 30,
    config: "agent.max_tool_calls",
  }),
  maxScriptRuns: row.count("--max-script-runs <n>", "maximum script runs", {
    min: 0,
    default: 6,
    config: "agent.max_script_runs",
  }),
  maxResourceLoads: row.count("--max-resource-loads <n>", "maximum resource loads", {
    min: 0,
    defaultText: "no limit",
    config: "agent.max_resource_loads",
  }),
  maxModelCalls: row.count("--max-model-calls <n>", "maximum model calls", {
    min: 1,
    defaultText: "3 per turn",
    config: "agent.max_model_calls",
  }),
  maxContextChars: row.count("--max-context-chars <n>", "maximum characters per model request", {
    min: 1,
    default: 400_000,
    config: "agent.max_context_chars",
  }),
  maxCostUsd: row.number("--max-cost <usd>", "maximum cost of all model calls", {
    min: 0,
    config: "agent.max_cost_usd",
  }),
  timeoutMs: row.count("--timeout <ms>", "maximum duration of the run", {
    min: 1,
    max: longestTimerMs,
    default: 120_000,
    config: "agent.timeout_ms",
  }),
  stream: row.switch("--stream", "print the answer while it is generated"),
  ...containmentRows,
  record: commonRows.record,
  replay: commonRows.replay,
  recordRaw: row.switch("--record-raw", "store prompts and raw replies in the run directory"),
  runsDir: { ...runsDirRow, help: "where to create the run directory" },
} satisfies OptionTable;

export type AgentRunFlags = Options<typeof agentRunTable>;

/** A request may begin like an option. */
function parseRequest(text: string): string {
  if (text.trim() === "") throw new UserError("usage", "the request is empty");
  return text;
}
