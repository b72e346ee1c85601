import type { EventData, EventType } from "../../src/contract/agent-event.ts";

/** For tests: the data of an event that is as plain as its type allows. */
export function sampleData<Type extends EventType>(
  type: Type,
  over: Partial<EventData<Type>> = {},
): EventData<Type> {
  return { ...(samples[type] as EventData<Type>), ...over };
}

const hash = `sha256:${"0".repeat(64)}`;
const isolation = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] };
const skill = { name: "pdf-form-filler", source: "project", digest: hash } as const;
const report = {
  path: "SKILL.md",
  bytes: 900,
  sha256: hash,
  excerpt_sha256: hash,
  bytes_read: 900,
  chars_returned: 850,
  truncated: false,
  strategy: "full",
} as const;
const params = { skill: { name: "pdf-form-filler" }, relative_path: "scripts/fill.py", args: [] };

const samples: { [Type in EventType]: EventData<Type> } = {
  run_started: {
    request_ref: "inputs/request.txt",
    request_sha256: hash,
    limits: {
      max_turns: 8,
      max_tool_calls: 15,
      max_script_runs: 6,
      max_resource_loads: null,
      max_model_calls: 24,
      max_context_chars: 400_000,
      timeout_ms: 120_000,
      max_cost_usd: null,
    },
    policy: {
      mode: "scripted",
      allowed_tools: ["read_file", "list_dir", "grep", "run_script"],
      deny_tools: ["network_request"],
      require_approval_for: [],
      allowed_tools_policy: "report",
    },
    model: { provider: "mock", name: "mock", params_sha256: hash },
    streaming: true,
    recording: "full",
    isolation,
    origin: { kind: "native" },
    index_hash: hash,
  },
  skills_indexed: {
    roots: [{ source: "project", path: ".agent/skills" }],
    found: 1,
    valid: 1,
    skills: [skill],
    preinstalled: [],
    ignored: [],
    conflicts: [],
    index_hash: hash,
    duration_ms: 3,
  },
  turn_started: { remaining: { max_turns: 7 }, near_limit: [], answer_now: false },
  turn_finished: { outcome: "observed" },
  model_request: { attempt: 1, try: 1, context_manifest: [], prompt_sha256: hash, chars: 5120 },
  model_delta: { attempt: 1, path: "$.action.payload.content", text: "done" },
  model_response: {
    attempt: 1,
    ok: true,
    recovered: "none",
    warnings: [],
    raw: { sha256: hash, chars: 120 },
    usage: { input_tokens: 1200, output_tokens: 40, cost_usd: 0.002 },
    duration_ms: 340,
  },
  plan_created: {
    plan: { goal: "fill the form", steps: [{ id: "fill", title: "fill it", status: "pending" }] },
    version: 1,
  },
  plan_updated: { ops: [{ op: "set", path: "/steps/fill/status", value: "completed" }], version: 2 },
  action_planned: {
    call_id: "c1",
    action: {
      type: "select_skills",
      payload: { skills: [{ name: "pdf-form-filler", source: "project" }] },
    },
  },
  action_validated: { call_id: "c1", ok: true, warnings: [] },
  approval_required: {
    approval_id: "a2",
    call_id: "c2",
    tool: "run_script",
    risk: "medium",
    reason: "runs scripts/fill.py",
    params,
    params_sha256: hash,
    replay: "eval-skills agent run --approve run_script",
  },
  approval_granted: { approval_id: "a2", call_id: "c2", scope: "call", by: "script", params_sha256: hash },
  approval_denied: { approval_id: "a2", call_id: "c2", by: "script", reason: "no rule grants it" },
  skill_loaded: { call_id: "c1", skill, path: "SKILL.md", report },
  resource_loaded: {
    call_id: "c2",
    skill,
    path: "references/fields.md",
    report: { ...report, path: "references/fields.md" },
  },
  action_executed: { call_id: "c1", action: "select_skills", started: true, ok: true, result: {} },
  observation_recorded: { call_id: "c1", success: true, summary: "pdf-form-filler is loaded", sha256: hash },
  workspace_diff: { added: ["out.pdf"], changed: [], deleted: [], by: "shell" },
  error_occurred: { code: "InvalidAction", message: "the step read is not known", fatal: false },
  run_finished: {
    status: "completed",
    stop_reason: "final_answer",
    degraded: false,
    final: { ref: "final.md", sha256: hash, chars: 4 },
    usage: { input_tokens: 3600, output_tokens: 120, cost_usd: 0.006 },
  },
};
