import { makeDecide } from "../../src/agent-runtime/decide/make-decide.ts";
import { scriptModel } from "../../src/agent-runtime/decide/script-model.ts";
import { type AgentEnd, type AgentSetup, runAgent } from "../../src/agent-runtime/loop/run-agent.ts";
import { MockScript } from "../../src/contract/agent-case.ts";
import type { AgentError } from "../../src/contract/agent-error.ts";
import type { EventType } from "../../src/contract/agent-event.ts";
import type {
  AgentCatalog,
  AgentSkill,
  Loaded,
  Loader,
  ToolCall,
  ToolEnd,
} from "../../src/contract/agent-parts.ts";
import type { AgentLimits } from "../../src/contract/limits.ts";
import { neverAborted } from "../../src/shared/async/abort.ts";
import type { Clock } from "../../src/shared/async/clock.ts";
import { sha256 } from "../../src/shared/json/canonical-json.ts";
import { type MemoryLog, memoryLog } from "./memory-log.ts";

/** For tests: a run of a script with parts made by hand. */
export interface SampleRun {
  end: AgentEnd;
  /** Empty where another one was given. */
  log: MemoryLog;
  /** What the model was shown, one text per call. */
  prompts: string[];
  /** The calls that the tools runtime was handed. */
  calls: ToolCall[];
}

export interface SampleOptions extends Partial<Omit<AgentSetup, "limits" | "guardrails">> {
  limits?: Partial<AgentLimits>;
  guardrails?: Partial<AgentSetup["guardrails"]>;
  skills?: readonly AgentSkill[];
  tool?: (call: ToolCall, signal: AbortSignal) => ToolEnd | Promise<ToolEnd>;
  chunkBytes?: number;
}

const limits: AgentLimits = {
  max_turns: 12,
  max_tool_calls: 30,
  max_script_runs: 6,
  max_resource_loads: null,
  max_model_calls: 36,
  max_context_chars: 400_000,
  timeout_ms: 120_000,
  max_cost_usd: null,
};

const guardrails: AgentSetup["guardrails"] = {
  max_skills_per_select: 2,
  max_consecutive_failures: 3,
  no_progress_window: 4,
  max_skill_body_lines: 500,
  max_skill_body_chars: 40_000,
  resource_suffixes: [".md"],
  interpreters: {},
};

/** Its time does not advance, and nobody waits. */
const heldClock: Clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };

export async function runSample(turns: readonly object[], options: SampleOptions = {}): Promise<SampleRun> {
  const { skills = [sampleSkill("pdf"), sampleSkill("notes")] } = options;
  const log = memoryLog("raw");
  const { clock = heldClock, chunkBytes, tool = done } = options;
  const calls: ToolCall[] = [];
  const streaming = chunkBytes === undefined ? {} : { streaming: { chunk_bytes: chunkBytes } };
  const model = options.model ?? scriptModel(MockScript.parse({ turns, ...streaming }), clock);
  const end = await runAgent({
    request: "fill in the form",
    inputFiles: [],
    policy: {
      mode: "scripted",
      enable_tools: ["run_script"],
      deny_tools: [],
      require_approval_for: [],
      allowed_tools_policy: "report",
      network_hosts: [],
      sandbox: null,
    },
    catalog: sampleCatalog(skills),
    invoked: [],
    decide: makeDecide(model, { clock, random: () => 0 }),
    model,
    loader: sampleLoader(),
    tools: {
      allowedTools: (selected) => [
        ...["read_file", "list_dir", "grep", "run_script"],
        ...selected.flatMap((skill) => skill.tools.map(({ name }) => name)),
      ],
      async call(call, _, signal) {
        calls.push(call);
        return tool(call, signal);
      },
    },
    clock,
    signal: neverAborted,
    started: {
      request_ref: "inputs/request.txt",
      request_sha256: sha256("fill in the form"),
      model: { provider: null, name: "mock", params_sha256: null },
      streaming: chunkBytes !== undefined,
      isolation: null,
      origin: { kind: "native" },
    },
    log,
    ...options,
    limits: { ...limits, ...options.limits },
    guardrails: { ...guardrails, ...options.guardrails },
  });
  const prompts = [...log.raw].filter(([name]) => name.endsWith("-prompt.txt")).map(([, text]) => text);
  return { end, log, prompts, calls };
}

export function sampleSkill(name: string, more: Partial<AgentSkill> = {}): AgentSkill {
  return {
    name,
    source: "project",
    description: `about ${name}`,
    digest: `sha256:${name}`,
    dir: `/skills/${name}`,
    modelInvocable: true,
    allowedTools: null,
    tools: [],
    scripts: { network: null, maxMs: null },
    instructions: { path: "SKILL.md", format: "md" },
    ...more,
  };
}

/** The first of a name hides the others. */
export function sampleCatalog(all: readonly AgentSkill[]): AgentCatalog {
  const skills = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
  return {
    skills,
    find: (name, source) =>
      (source === undefined ? skills : all).find(
        (skill) => skill.name === name && (source === undefined || skill.source === source),
      ) ?? null,
    indexed: {
      roots: [],
      found: all.length,
      valid: all.length,
      skills: skills.map(({ name, source, digest }) => ({ name, source, digest })),
      preinstalled: [],
      ignored: [],
      conflicts: [],
      index_hash: "sha256:index",
      duration_ms: 0,
    },
    readBody: async () => ({ ok: false, error: { code: "IOError", message: "not used" } }),
    isUnchanged: () => true,
    isHidden: () => false,
  };
}

/** Bodies and resources that say whose they are. `failing`: the path, or the name of the skill, that goes wrong. */
export function sampleLoader(failing: Readonly<Record<string, AgentError>> = {}): Loader {
  const load = (path: string, text: string): Loaded => ({
    ok: true,
    report: {
      path,
      bytes: text.length,
      sha256: sha256(text),
      excerpt_sha256: sha256(text),
      bytes_read: text.length,
      chars_returned: text.length,
      truncated: false,
      strategy: "full",
    },
    text,
    block: `BLOCK ${path}\n${text}`,
    outline: `OUTLINE ${path}`,
    path: { requested: path, resolved: path, inside: true },
  });
  const failed = (error: AgentError): Loaded => ({ ok: false, error });
  return {
    async body({ name }) {
      const error = failing[name];
      return error === undefined ? load("SKILL.md", `BODY-OF-${name}`) : failed(error);
    },
    async resource({ name }, { relativePath }) {
      const error = failing[relativePath];
      return error === undefined ? load(relativePath, `RESOURCE-OF-${name}-${relativePath}`) : failed(error);
    },
  };
}

/** A call that succeeded, with words of its own. */
export function done({ tool, params, callId }: ToolCall): ToolEnd {
  return toolEnd({ tool, params }, { started: true, words: `did ${tool} as ${callId}` });
}

export function failing(error: AgentError, started = true): (call: ToolCall) => ToolEnd {
  return ({ tool, params }) => toolEnd({ tool, params }, { started, words: error.message, error });
}

function toolEnd(
  { tool, params }: Pick<ToolCall, "tool" | "params">,
  { started, words, error }: { started: boolean; words: string; error?: AgentError },
): ToolEnd {
  const ok = error === undefined;
  return {
    started,
    ok,
    error,
    result: {},
    audit: {
      tool,
      risk: "low",
      ts_start: "",
      ts_end: "",
      params,
      params_sha256: "",
      result: { ok },
      policy: { allowed: true, approved: false },
      hashes: {},
    },
    observation: { summary: words, sha256: sha256(words) },
  };
}

/** Entries of a script. */
export const act = {
  select: (...names: string[]) => ({
    action: {
      type: "select_skills",
      payload: { skills: names.map((name) => ({ name })), reason: "it fits" },
    },
  }),
  load: (name: string, relative_path: string, section_hint?: string) => ({
    action: {
      type: "load_resource",
      payload: { skill: { name }, relative_path, ...(section_hint !== undefined && { section_hint }) },
    },
  }),
  script: (name: string, args: string[] = [], relative_path = "scripts/a.py") => ({
    action: { type: "run_script", payload: { skill: { name }, relative_path, args } },
  }),
  call: (tool: string, args: object) => ({
    action: { type: "call_tool", payload: { tool, arguments: args } },
  }),
  read: (path: string) => act.call("read_file", { path }),
  answer: (content = "done") => ({ action: { type: "final_answer", payload: { content } } }),
};

/** The types of the events, without those of the whole run; each turn one line. */
export function turnLines(log: MemoryLog): string[] {
  const lines: string[] = [];
  for (const { turn, type } of log.events)
    if (turn > 0) lines[turn - 1] = `${lines[turn - 1] ?? ""} ${type}`.trim();
  return lines;
}

/** The codes of refusals and failures, in order. */
export function codesIn(log: MemoryLog): string[] {
  const reported: readonly EventType[] = ["action_validated", "action_executed", "error_occurred"];
  return log.events
    .filter(({ type }) => reported.includes(type))
    .flatMap(({ data }) => {
      const { error, code } = data as { error?: AgentError; code?: string };
      return error?.code ?? code ?? [];
    });
}
