import { AgentCaseFile } from "../src/contract/agent-case.ts";
import { type AgentEvent, type EventData, type EventType, eventId } from "../src/contract/agent-event.ts";
import type { RecordedRun } from "../src/contract/agent-log.ts";
import type { ManifestPart } from "../src/contract/agent-record.ts";
import { toolArguments, toolRisk } from "../src/contract/agent-tools.ts";
import type { LoadedAgentCase } from "../src/contract/loaded-case.ts";
import { canonicalJson, sha256 } from "../src/shared/json/canonical-json.ts";
import type { JsonObject } from "../src/shared/json/json.ts";
import { sampleData } from "./builders/sample-run-log.ts";

const runId = "20260203_123456_abcd";
const skill = { name: "pdf-form-filler", source: "project", digest: sha256("the skill") } as const;
const isolation = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] };
const contentPath = "$.action.payload.content";
const answer = "## Done\n\n- the form is filled: 表单已填写";

type ForgedEvent = { [Type in EventType]: { turn: number; type: Type; data: EventData<Type> } }[EventType];

/** A log made by hand, clean until somebody changes it. */
export class ForgedRun {
  events: ForgedEvent[] = [];
  /** The other files of the run directory, by path. */
  files = new Map<string, string>();
  /** Links, folders and the like. */
  notPlain = new Set<string>();
  warnings: string[] = [];
  #turn = 0;
  #loads: ForgedEvent[] = [];

  add<Type extends EventType>(turn: number, type: Type, data: EventData<Type>): this {
    const forged = { turn, type, data: structuredClone(data) } as ForgedEvent;
    this.events.push(forged);
    if (type === "skill_loaded" || type === "resource_loaded") this.#loads.push(forged);
    return this;
  }

  /** One turn: the reply of the model, and the events of the action that `act` adds. */
  turn(action: { type: string; payload: JsonObject }, act: (callId: string, turn: number) => void): this {
    const turn = ++this.#turn;
    const call_id = `c${turn}`;
    const parts: Pick<ManifestPart, "kind" | "ref">[] = [
      { kind: "rules", ref: null },
      { kind: "request", ref: null },
    ];
    for (const [n, { type }] of this.#loads.entries())
      parts.push({ kind: type === "skill_loaded" ? "body" : "resource", ref: `load ${n}` });
    this.add(turn, "turn_started", { remaining: {}, near_limit: [], answer_now: false });
    this.add(turn, "model_request", {
      attempt: 1,
      try: 1,
      context_manifest: parts.map(({ kind, ref }) => ({ kind, ref, sha256: sha256(kind), chars: 100 })),
      prompt_sha256: sha256(`prompt ${turn}`),
      chars: 100 * parts.length,
    });
    if (action.type === "final_answer")
      for (const text of splitPieces(String(action.payload.content)))
        this.add(turn, "model_delta", { attempt: 1, path: contentPath, text });
    this.add(turn, "model_response", {
      attempt: 1,
      ok: true,
      recovered: "none",
      warnings: [],
      raw: { sha256: sha256(`reply ${turn}`), chars: 50 },
      usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.001 },
      duration_ms: 5,
      mock: { index: turn - 1 },
    });
    this.add(turn, "action_planned", { call_id, action });
    this.add(turn, "action_validated", { call_id, ok: true, warnings: [] });
    act(call_id, turn);
    const outcome = action.type === "final_answer" ? "answered" : "observed";
    if (action.type !== "final_answer")
      this.add(turn, "observation_recorded", {
        call_id,
        success: true,
        summary: `turn ${turn}`,
        sha256: sha256(`turn ${turn}`),
      });
    return this.add(turn, "turn_finished", { outcome });
  }

  select(name: string = skill.name): this {
    const action = {
      type: "select_skills",
      payload: { skills: [{ name, source: "project" }], reason: "pdf" },
    };
    return this.turn(action, (call_id, turn) => {
      this.add(turn, "skill_loaded", { call_id, skill, path: "SKILL.md", report: reportOn("SKILL.md") });
      this.add(turn, "action_executed", {
        call_id,
        action: "select_skills",
        started: true,
        ok: true,
        result: { loaded: [skill.name], already_loaded: [] },
      });
    });
  }

  load(path = "references/fields.md"): this {
    const payload = { skill: { name: skill.name }, relative_path: path };
    return this.turn({ type: "load_resource", payload }, (call_id, turn) => {
      this.add(turn, "resource_loaded", { call_id, skill, path, report: reportOn(path) });
      this.add(turn, "action_executed", {
        call_id,
        action: "load_resource",
        skill: { name: skill.name },
        started: true,
        ok: true,
        result: { bytes_read: 20, chars_returned: 18, truncated: false, strategy: "full" },
        audit: auditRecord("load_resource", "low", payload, path),
      });
    });
  }

  run(path = "scripts/fill.py"): this {
    const payload = { skill: { name: skill.name }, relative_path: path, args: [] };
    return this.turn({ type: "run_script", payload }, (call_id, turn) => {
      this.#ask(turn, call_id, "run_script", "medium", payload);
      this.files.set(`observations/${call_id}-stdout.txt`, "filled\n");
      this.add(turn, "action_executed", {
        call_id,
        action: "run_script",
        tool: "run_script",
        skill: { name: skill.name },
        started: true,
        ok: true,
        result: { exit_code: 0 },
        audit: {
          ...auditRecord("run_script", "medium", payload, path),
          isolation,
          result: { ok: true, exit_code: 0, stdout_ref: `observations/${call_id}-stdout.txt` },
          policy: approvedOnce(turn),
          hashes: { stdout_sha256: sha256("filled\n") },
        },
      });
    });
  }

  call(tool: string, given: JsonObject): this {
    return this.turn({ type: "call_tool", payload: { tool, arguments: given } }, (call_id, turn) => {
      const risk = toolRisk(tool);
      const params = withDefaults(tool, given);
      if (risk === "high") this.#ask(turn, call_id, tool, risk, params);
      this.add(turn, "action_executed", {
        call_id,
        action: "call_tool",
        tool,
        started: true,
        ok: true,
        result: {},
        audit: {
          ...auditRecord(tool, risk, params, typeof given.path === "string" ? given.path : null),
          ...(risk === "high" && { policy: approvedOnce(turn) }),
        },
      });
    });
  }

  answer(content: string = answer): this {
    this.files.set("final.md", content);
    this.turn({ type: "final_answer", payload: { content } }, (call_id, turn) => {
      this.add(turn, "action_executed", {
        call_id,
        action: "final_answer",
        started: true,
        ok: true,
        result: {},
      });
    });
    return this.finish({ stop_reason: "final_answer", status: "completed", degraded: false });
  }

  /** Ends without an answer. */
  stop(stop_reason: string, status = "stopped", text = "## Stopped\n\nnothing is done"): this {
    this.files.set("final.md", text);
    return this.finish({ stop_reason, status, degraded: true });
  }

  finish(data: Partial<EventData<"run_finished">>): this {
    const text = this.files.get("final.md") ?? "";
    return this.add(0, "run_finished", {
      status: "completed",
      final: { ref: "final.md", sha256: sha256(text), chars: text.length },
      usage: {},
      mock: { used: this.#turn, unused: 0 },
      ...data,
    });
  }

  /** Changes the data of an event of this type, by default the first. */
  change<Type extends EventType>(
    type: Type,
    change: Partial<EventData<Type>> | ((data: EventData<Type>) => void),
    nth = 0,
  ): this {
    const { data } = this.#find(type, nth);
    if (typeof change === "function") change(data as EventData<Type>);
    else Object.assign(data, change);
    return this;
  }

  drop(type: EventType, nth = 0): this {
    this.events.splice(this.events.indexOf(this.#find(type, nth)), 1);
    return this;
  }

  /** Puts the same event in once more. */
  repeat(type: EventType, nth = 0): this {
    const event = this.#find(type, nth);
    this.events.splice(this.events.indexOf(event), 0, structuredClone(event));
    return this;
  }

  /** Puts an event before another one, in the turn of that one. */
  insert<Type extends EventType>(before: EventType, type: Type, data: EventData<Type>, nth = 0): this {
    const at = this.#find(before, nth);
    this.events.splice(this.events.indexOf(at), 0, { turn: at.turn, type, data } as ForgedEvent);
    return this;
  }

  /** Moves an event of this type to just before another one. */
  move(type: EventType, before: EventType, [nth, nthBefore]: [number, number] = [0, 0]): this {
    const moved = this.#find(type, nth);
    const anchor = this.#find(before, nthBefore);
    this.events.splice(this.events.indexOf(moved), 1);
    this.events.splice(this.events.indexOf(anchor), 0, moved);
    return this;
  }

  /** Makes the nth action one that was refused: by a guard, or by loader and tools. */
  refuse(nth: number, code: string, by: "guard" | "tools"): this {
    const executed = this.#find("action_executed", nth);
    const { call_id } = executed.data as EventData<"action_executed">;
    const error = { code, message: `${code} it is` };
    const isDenied = code === "ApprovalDenied" && by === "tools";
    const isEffect = ({ type, data }: ForgedEvent) =>
      effects.has(type) &&
      (data as { call_id?: string }).call_id === call_id &&
      type !== "action_executed" &&
      !(isDenied && type === "approval_required");
    this.events = this.events.filter((each) => !isEffect(each));
    for (const { type, data } of this.events)
      if (type === "observation_recorded" && data.call_id === call_id) data.success = false;
    if (by === "tools") {
      const { audit } = executed.data as EventData<"action_executed">;
      Object.assign(executed.data, { started: false, ok: false, error, result: {} });
      if (audit !== undefined)
        Object.assign(audit, {
          result: { ok: false },
          policy: { allowed: true, approved: false },
          hashes: {},
        });
      if (isDenied) {
        const denial = { approval_id: call_id.replace("c", "a"), call_id, by: "script", reason: "no" };
        const denied = { turn: executed.turn, type: "approval_denied", data: denial } as ForgedEvent;
        this.events.splice(this.events.indexOf(executed), 0, denied);
      }
      return this;
    }
    this.events.splice(this.events.indexOf(executed), 1);
    for (const { turn, type, data } of this.events) {
      if (turn !== executed.turn) continue;
      if (type === "action_validated") Object.assign(data, { ok: false, error });
      if (type === "turn_finished") data.outcome = "refused";
    }
    return this;
  }

  /** The log as it would be in its file. `load 0` in a prompt becomes the id of that event, or nothing where it is gone. */
  lines(): string[] {
    const findEventId = (ref: string | null) => {
      const index = /^load \d+$/.test(ref ?? "")
        ? this.events.indexOf(this.#loads[Number(ref?.slice(5))] as ForgedEvent)
        : null;
      return index === null ? ref : index === -1 ? undefined : eventId({ run_id: runId, seq: index + 1 });
    };
    return this.events.map(({ turn, type, data }, n) => {
      const event = { v: 1, seq: n + 1, ts: "2026-02-03T12:34:56.789Z", run_id: runId, turn, type, data };
      if (type !== "model_request") return JSON.stringify(event);
      const parts = data.context_manifest?.map((part) => ({ ...part, ref: findEventId(part.ref) }));
      const context_manifest = parts?.filter(({ ref }) => ref !== undefined) ?? null;
      return JSON.stringify({ ...event, data: { ...data, context_manifest } });
    });
  }

  /** The run as its reader would give it, without a disk. */
  recorded(): RecordedRun {
    const lines = this.lines();
    return {
      dir: "/nowhere",
      runId,
      events: lines.map((line) => JSON.parse(line) as AgentEvent),
      lines,
      warnings: this.warnings,
      problem: null,
      final: this.files.get("final.md") ?? null,
      hasWorkspace: [...this.files.keys()].some((path) => path.startsWith("sandbox/")),
      read: (ref) => {
        const text = this.files.get(ref);
        return text === undefined ? null : Buffer.from(text);
      },
      kindAt: (ref) => (this.files.has(ref) ? "file" : this.notPlain.has(ref) ? "other" : null),
    };
  }

  #find<Type extends EventType>(type: Type, nth: number): Extract<ForgedEvent, { type: Type }> {
    const found = this.events.filter((each) => each.type === type)[nth];
    if (found === undefined) throw new Error(`there is no ${type} number ${nth}`);
    return found as Extract<ForgedEvent, { type: Type }>;
  }

  #ask(turn: number, call_id: string, tool: string, risk: string, params: JsonObject): void {
    const params_sha256 = sha256(canonicalJson(params));
    const approval_id = `a${turn}`;
    const reason = "it can do harm";
    this.add(turn, "approval_required", {
      approval_id,
      call_id,
      tool,
      risk,
      reason,
      params,
      params_sha256,
      replay: "",
    });
    this.add(turn, "approval_granted", { approval_id, call_id, scope: "call", by: "script", params_sha256 });
  }
}

const effects: ReadonlySet<EventType> = new Set<EventType>([
  "approval_required",
  "approval_granted",
  "skill_loaded",
  "resource_loaded",
  "action_executed",
]);

/** A run that has begun, with one skill in its index. */
export function beginRun(over: Partial<EventData<"run_started">> = {}): ForgedRun {
  const hash = sha256("index");
  return new ForgedRun()
    .add(0, "run_started", {
      ...sampleData("run_started"),
      request_sha256: sha256("fill it"),
      model: { provider: "mock", name: "mock", params_sha256: null },
      isolation,
      index_hash: hash,
      invoked: [],
      ...over,
    })
    .add(0, "skills_indexed", {
      roots: [{ source: "project", path: ".agent/skills" }],
      found: 2,
      valid: 2,
      skills: [
        skill,
        { name: "secret-skill", source: "project", digest: sha256("secret"), invocable: false },
      ],
      preinstalled: [{ name: skill.name, digest: skill.digest, origin_digest: skill.digest }],
      ignored: [],
      conflicts: [],
      index_hash: hash,
      duration_ms: 1,
    });
}

/** Selects, loads, runs a script, reads what it wrote, answers. */
export function cleanRun(over: Partial<EventData<"run_started">> = {}): ForgedRun {
  const run = beginRun(over).select().load().run().call("read_file", { path: "out.txt" }).answer();
  run.files.set("sandbox/out.txt", "filled\r\n");
  return run;
}

/** The case that `cleanRun` passes. Members of `over` replace its own. */
export function forgedCase(
  over: Record<string, unknown> = {},
  facts: Partial<LoadedAgentCase> = {},
): LoadedAgentCase {
  return {
    suite: "smoke",
    digest: sha256("case"),
    requestDigest: sha256("request"),
    level: "L1",
    file: "/cases/smoke/basic/case.json",
    shown: "basic/case.json",
    jsonPath: "$",
    dir: "/cases/smoke/basic",
    files: [],
    asks: [],
    kind: "agent",
    case: AgentCaseFile.parse({ ...plainCase, ...over }),
    request: "fill it",
    skillRoots: null,
    preinstall: [],
    inputs: [],
    expectedFiles: {},
    checkFiles: {},
    outputSchema: undefined,
    skillTools: [],
    ...facts,
  };
}

export const plainCase = {
  id: "basic_select_skill",
  input: "fill it",
  enable_tools: ["run_script"],
  approvals: [{ tool: "run_script", decision: "grant" }],
  expect: {
    skills_any_of: [skill.name],
    skills_all_of: [],
    action_sequence_constraints: [
      { must_occur: "select_skills", before: "run_script" },
      { forbid: "write_file" },
    ],
    output: { contains_any: ["已填写", "form"], format: "markdown" },
  },
  constraints: { max_turns: 8, max_tool_calls: 15, deny_tools: ["network_request"] },
  mock: { turns: [] },
};

function reportOn(path: string) {
  return {
    path,
    bytes: 20,
    sha256: sha256(path),
    excerpt_sha256: sha256(`${path} excerpt`),
    bytes_read: 20,
    chars_returned: 18,
    truncated: false,
    strategy: "full" as const,
  };
}

function auditRecord(tool: string, risk: string, params: JsonObject, path: string | null) {
  return {
    tool,
    risk,
    ts_start: "2026-02-03T12:34:56.789Z",
    ts_end: "2026-02-03T12:34:56.789Z",
    params,
    params_sha256: sha256(canonicalJson(params)),
    ...(path !== null && { path: { requested: path, resolved: path, inside: true } }),
    result: { ok: true },
    policy: { allowed: true, approved: risk !== "low" },
    hashes: {},
  };
}

function approvedOnce(turn: number) {
  return { allowed: true, approved: true, approval_scope: "call", approval_id: `a${turn}` };
}

/** The arguments of a call as its tool fills them in. */
function withDefaults(tool: string, given: JsonObject): JsonObject {
  if (!Object.hasOwn(toolArguments, tool)) return given;
  const read = toolArguments[tool as keyof typeof toolArguments].safeParse(given);
  return read.success ? (read.data as JsonObject) : given;
}

function splitPieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
