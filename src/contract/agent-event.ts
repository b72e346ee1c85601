import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { skillSources, stepStatuses } from "./agent-action.ts";
import { Origin, UnknownItem } from "./agent-origin.ts";
import { ApprovalRequest, Audit, Isolation, LoadReport, ManifestPart } from "./agent-record.ts";
import { recordings } from "./limits.ts";

// Readers take what others wrote: members may be missing where an importer could not know them (null), and unknown
// ones are left alone. What must be there for grading is required here; a line without it is damage.
const count = z.number().int().min(0);
const text = z.string();
const hash = z.string().nullable();
const record = z.record(z.string(), AnyJson);
const source = z.enum(skillSources).nullable();
const skillName = z.looseObject({ name: text, source: source.optional() });
/**
 * A text that is too long for a line (`ref`, `bytes`: it is in that file), or that the recording keeps out of it (`chars`). The
 * hash is that of the redacted text either way, so a long final answer is compared with `final.md` by its hash.
 */
const TextRef = z.looseObject({
  ref: text.optional(),
  sha256: text,
  bytes: count.optional(),
  chars: count.optional(),
});
const longText = z.union([text, TextRef]);
/** An action as recorded: strings may be replaced by their length and hash. */
const recordedAction = z.looseObject({ type: text, payload: record });

const recordedPlan = z.looseObject({
  goal: longText,
  steps: z.array(
    z.looseObject({
      id: text,
      title: longText,
      status: z.enum(stepStatuses),
      reason: longText.optional(),
      dependencies: z.array(text).optional(),
    }),
  ),
  assumptions: z.array(longText).optional(),
  constraints: z.array(longText).optional(),
});
const recordedOp = z.looseObject({ op: z.literal("set"), path: text, value: longText });

const AgentErrorData = z.looseObject({
  code: text,
  message: text,
  reason: text.optional(),
  details: record.optional(),
});

const limit = z.number().nullable();
const Limits = z.looseObject({
  max_turns: limit,
  max_tool_calls: limit,
  max_script_runs: limit,
  max_resource_loads: limit,
  max_model_calls: limit,
  max_context_chars: limit,
  timeout_ms: limit,
  max_cost_usd: limit,
});
const Load = z.looseObject({
  call_id: text,
  skill: z.looseObject({ name: text, source: source.optional(), digest: hash }),
  path: text,
  report: LoadReport,
  inferred: z.boolean().optional(),
});

/** The data of every type of event. */
export const eventData = {
  run_started: z.looseObject({
    request_ref: text.nullable(),
    request_sha256: hash,
    limits: Limits.nullable(),
    policy: z
      .looseObject({
        mode: text,
        /** The effective set, before skills restrict it. */
        allowed_tools: z.array(text),
        deny_tools: z.array(text),
        require_approval_for: z.array(text),
        allowed_tools_policy: text,
      })
      .nullable(),
    model: z.looseObject({ provider: text.nullable(), name: text.nullable(), params_sha256: hash }),
    streaming: z.boolean(),
    recording: z.enum(recordings),
    isolation: Isolation.nullable(),
    origin: Origin,
    eval_run_id: text.optional(),
    cell_key: text.optional(),
    /** The case it is a run of. */
    case: z.looseObject({ suite: text, id: text }).optional(),
    index_hash: hash,
    /** Skills the user named: they may be loaded although a model may not choose them. */
    invoked: z.array(text).optional(),
  }),
  skills_indexed: z.looseObject({
    roots: z.array(z.looseObject({ source: text, path: text })),
    found: count,
    valid: count,
    skills: z.array(
      z.looseObject({
        name: text,
        source: source.optional(),
        digest: hash,
        /** False where a model may not choose it. */
        invocable: z.boolean().optional(),
        /** Our names for its `allowed-tools`, absent where it says nothing: all are allowed then. */
        allowed_tools: z.array(text).optional(),
        /** Other names for it. */
        aliases: z.array(text).optional(),
      }),
    ),
    /** Those that others of the same name hide; a pinned source still finds them. */
    shadowed: z
      .array(
        z.looseObject({
          name: text,
          source: source.optional(),
          digest: hash,
          invocable: z.boolean().optional(),
          allowed_tools: z.array(text).optional(),
        }),
      )
      .optional(),
    preinstalled: z.array(z.looseObject({ name: text, digest: text, origin_digest: text })),
    ignored: z.array(z.looseObject({ path: text, reason: text })),
    conflicts: z.array(z.looseObject({ name: text, winner: text, losers: z.array(text), rule: text })),
    index_hash: hash,
    duration_ms: z.number(),
  }),
  turn_started: z.looseObject({
    remaining: record,
    near_limit: z.array(text),
    answer_now: z.boolean(),
    parent_call_id: text.optional(),
  }),
  turn_finished: z.looseObject({ outcome: z.enum(["observed", "refused", "answered", "stopped"]) }),
  model_request: z.looseObject({
    attempt: count,
    try: count,
    context_manifest: z.array(ManifestPart).nullable(),
    prompt_sha256: hash,
    chars: count.nullable(),
  }),
  model_delta: z.looseObject({
    attempt: count,
    path: text,
    text: longText.optional(),
    chars: count.optional(),
    sha256: text.optional(),
  }),
  model_response: z.looseObject({
    attempt: count,
    ok: z.boolean(),
    error: AgentErrorData.optional(),
    recovered: z.enum(["none", "extracted"]),
    warnings: z.array(text),
    raw: z.looseObject({ sha256: hash, chars: count.nullable() }),
    usage: z
      .looseObject({
        input_tokens: z.number().nullable(),
        output_tokens: z.number().nullable(),
        cost_usd: z.number().nullable().optional(),
      })
      .nullable()
      .optional(),
    duration_ms: z.number().nullable(),
    cassette: text.optional(),
    /** The model that answered instead of the first. */
    fallback: text.optional(),
    mock: z
      .looseObject({
        index: count,
        expect_context: z
          .looseObject({ ok: z.boolean(), missing: z.array(text), present: z.array(text) })
          .optional(),
      })
      .optional(),
  }),
  plan_created: z.looseObject({ plan: recordedPlan, version: count }),
  plan_updated: z.looseObject({
    plan: recordedPlan.optional(),
    ops: z.array(recordedOp).optional(),
    version: count,
  }),
  action_planned: z.looseObject({
    call_id: text,
    action: recordedAction,
    inferred: z.boolean().optional(),
    source_hint: text.optional(),
    parent_call_id: text.optional(),
    /** The call that this is a part of: a command line that writes a file. It is no call of its own. */
    part_of: text.optional(),
  }),
  action_validated: z.looseObject({
    call_id: text,
    ok: z.boolean(),
    error: AgentErrorData.optional(),
    warnings: z.array(text),
  }),
  approval_required: ApprovalRequest,
  approval_granted: z.looseObject({
    approval_id: text,
    call_id: text,
    scope: text,
    by: text,
    params_sha256: text,
  }),
  approval_denied: z.looseObject({ approval_id: text, call_id: text, by: text, reason: text }),
  skill_loaded: Load,
  resource_loaded: Load,
  action_executed: z.looseObject({
    call_id: text,
    action: text,
    tool: text.optional(),
    skill: skillName.optional(),
    /** Whether an effect began. */
    started: z.boolean(),
    ok: z.boolean().nullable(),
    error: AgentErrorData.optional(),
    result: record,
    audit: Audit.optional(),
    part_of: text.optional(),
  }),
  observation_recorded: z.looseObject({
    call_id: text,
    success: z.boolean().nullable(),
    summary: longText,
    storage_ref: text.optional(),
    sha256: hash,
  }),
  /** How the files of the workspace changed in a step, whatever changed them: what was compared before and after it. */
  workspace_diff: z.looseObject({
    added: z.array(text),
    changed: z.array(text),
    deleted: z.array(text),
    /** Who changed them: `tool`, `run_script`, `shell`. */
    by: text,
  }),
  error_occurred: z.looseObject({
    code: text,
    message: text,
    fatal: z.boolean(),
    call_id: text.optional(),
    /** With the code `TraceItemUnknown`: something of a trace that nobody could read. */
    unknown: UnknownItem.optional(),
  }),
  run_finished: z.looseObject({
    status: text,
    stop_reason: text.nullish(),
    /** The limit that ended it. */
    budget: text.optional(),
    degraded: z.boolean().nullish(),
    final: z.looseObject({ ref: text, sha256: text, chars: count }).nullish(),
    usage: record,
    mock: z.looseObject({ used: count, unused: count }).optional(),
  }),
} as const;

export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;

/** An event of a run of an agent: one line of `events.jsonl`. */
export type AgentEvent<Type extends EventType = EventType> = {
  [Each in Type]: {
    v: 1;
    /** The number of the line, from 1. */
    seq: number;
    ts: string;
    run_id: string;
    /** 0 for what is about the whole run. */
    turn: number;
    type: Each;
    data: EventData<Each>;
  };
}[Type];

/** The name of an event, for whoever points at it. */
export function eventId({ run_id, seq }: Pick<AgentEvent, "run_id" | "seq">): string {
  return `${run_id}#${seq}`;
}
