import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { longestTimerMs } from "../../contract/timer.ts";
import { UserError } from "../../contract/user-error.ts";
import { commonRows, containmentRows } from "../common-options.ts";
import { runsDirRow } from "./agent-eval-options.ts";

/** Every option of `agent run`. */
export const agentRunTable = {
  request: row.text("<request>", "what is asked of the agent", { parse: parseRequest }),
  model: row.text("--model <id>", "the model: <provider>/<model>", { defaultText: "llm.model" }),
  mock: row.text("--mock <file>", "a script in the place of a model: JSON or YAML with `turns`"),
  skills: row.texts("--skills <roots...>", "folders of skills", {
    defaultText: "skills.roots, which is .agent/skills, .agents/skills, .claude/skills",
  }),
  skill: row.texts("--skill <name...>", "skills you name yourself, also those a model may not choose"),
  enableTool: row.texts(
    "--enable-tool <names...>",
    "switch on run_script, write_file, delete_file, network_request",
  ),
  denyTool: row.texts("--deny-tool <names...>", "tools that are never used"),
  approve: row.texts("--approve <tool...>", "grant without asking: <tool>[:call|:run]"),
  networkHost: row.texts("--network-host <hosts...>", "hosts that network_request may reach"),
  maxTurns: row.count("--max-turns <n>", "turns", { min: 1, default: 12, config: "agent.max_turns" }),
  maxToolCalls: row.count("--max-tool-calls <n>", "tool calls", {
    min: 0,
    default: 30,
    config: "agent.max_tool_calls",
  }),
  maxScriptRuns: row.count("--max-script-runs <n>", "scripts", {
    min: 0,
    default: 6,
    config: "agent.max_script_runs",
  }),
  maxResourceLoads: row.count("--max-resource-loads <n>", "resources", {
    min: 0,
    defaultText: "no limit",
    config: "agent.max_resource_loads",
  }),
  maxModelCalls: row.count("--max-model-calls <n>", "model calls", {
    min: 1,
    defaultText: "3 a turn",
    config: "agent.max_model_calls",
  }),
  maxContextChars: row.count("--max-context-chars <n>", "characters of one request", {
    min: 1,
    default: 400_000,
    config: "agent.max_context_chars",
  }),
  maxCostUsd: row.number("--max-cost <usd>", "what all model calls together may cost", {
    min: 0,
    config: "agent.max_cost_usd",
  }),
  timeoutMs: row.count("--timeout <ms>", "wall clock of the run", {
    min: 1,
    max: longestTimerMs,
    default: 120_000,
    config: "agent.timeout_ms",
  }),
  stream: row.switch("--stream", "show the answer as it comes"),
  ...containmentRows,
  record: commonRows.record,
  replay: commonRows.replay,
  recordRaw: row.switch("--record-raw", "keep prompts and raw replies in the run directory"),
  runsDir: { ...runsDirRow, help: "where the run directory is made" },
} satisfies OptionTable;

export type AgentRunFlags = Options<typeof agentRunTable>;

/** A request may begin like an option. */
function parseRequest(text: string): string {
  if (text.trim() === "") throw new UserError("usage", "the request is empty");
  return text;
}
