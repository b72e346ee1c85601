import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { flagsApprover } from "../src/agent-runtime/tools/approvers.ts";
import { openTools, type ToolsOptions } from "../src/agent-runtime/tools/open-tools.ts";
import type { AgentSkill, ApprovalListener, ToolCall, ToolEnd } from "../src/contract/agent-parts.ts";
import type { AgentPolicy } from "../src/contract/limits.ts";
import type { Sandbox, SkillCommand } from "../src/contract/sandbox.ts";
import { neverAborted } from "../src/shared/async/abort.ts";
import { systemClock } from "../src/shared/async/clock.ts";
import { canonicalJson, sha256 } from "../src/shared/json/canonical-json.ts";
import type { JsonObject } from "../src/shared/json/json.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const samplePolicy: AgentPolicy = {
  mode: "scripted",
  enable_tools: [],
  deny_tools: [],
  require_approval_for: [],
  allowed_tools_policy: "report",
  network_hosts: [],
  sandbox: null,
};

export function sampleSkill(dir: string, more: Partial<AgentSkill> = {}): AgentSkill {
  return {
    name: "sample",
    source: "project",
    description: "",
    digest: "sha256:0",
    dir,
    modelInvocable: true,
    allowedTools: null,
    tools: [],
    scripts: { network: null, maxMs: null },
    instructions: { path: "SKILL.md", format: "md" },
    ...more,
  };
}

/** A sandbox that must not be used, and remembers if it was. */
export function unusedSandbox(): Sandbox & { commands: SkillCommand[] } {
  const commands: SkillCommand[] = [];
  return {
    containment: { level: "process", backend: null, network: "open", unproven: [] },
    commands,
    start(command) {
      commands.push(command);
      throw new Error("nothing was to be started");
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

export interface SampleTools extends AsyncDisposable {
  /** Of the run directory. */
  dir: string;
  workspace: string;
  skill: AgentSkill;
  /** What happened besides, in order: `required`, `granted run`, `denied`, `synced`. */
  reported: string[];
  tools: ReturnType<typeof openTools>;
  call(tool: string, params: JsonObject, more?: Partial<ToolCall>, signal?: AbortSignal): Promise<ToolEnd>;
}

/** The tools of a run in a folder of its own, with one skill that brings these files. */
export async function openSampleTools(
  options: Partial<Omit<ToolsOptions, "policy">> & { policy?: Partial<AgentPolicy> } = {},
  files: Readonly<Record<string, string>> = {},
): Promise<SampleTools> {
  const folder = await temporaryFolder();
  const dir = join(folder.path, "run");
  const workspace = join(dir, "sandbox");
  const skillDir = join(folder.path, "sample");
  for (const path of [workspace, join(dir, "observations"), skillDir]) mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(skillDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const reported: string[] = [];
  const skill = sampleSkill(skillDir);
  const tools = openTools({
    guardrails: { interpreters: { ".py": "python3", ".mjs": "node", ".sh": "sh" } },
    catalog: { isHidden: (path) => path.startsWith("evals"), isUnchanged: () => true },
    log: {
      runId: "20260203_123456_abcd",
      workspace,
      keep(name, content) {
        const bytes = Buffer.from(content as string);
        writeFileSync(join(dir, "observations", name), bytes, { flag: "wx" });
        return { ref: `observations/${name}`, sha256: sha256(bytes), bytes: bytes.length };
      },
      paramsHash: (params) => sha256(canonicalJson(params)),
      synced: async () => void reported.push("synced"),
    },
    sandbox: unusedSandbox(),
    isolation: { level: "process", backend: null, network: "open", unproven: [] },
    approver: flagsApprover([]),
    clock: systemClock,
    env: process.env,
    ...options,
    policy: { ...samplePolicy, ...options.policy },
  });
  const on: ApprovalListener = {
    required: () => void reported.push("required"),
    granted: ({ scope }) => void reported.push(`granted ${scope}`),
    denied: () => void reported.push("denied"),
  };
  let calls = 0;
  return {
    ...{ dir, workspace, skill, reported, tools },
    call(tool, params, more = {}, signal = neverAborted) {
      const callId = `c${++calls}`;
      const call = { callId, tool, params, skill: null, selected: [skill], remainingMs: 20_000, ...more };
      return tools.call(call, on, signal);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
