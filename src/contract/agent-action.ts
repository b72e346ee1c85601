import * as z from "zod";
import { AnyJson, type JsonObject } from "../shared/json/json.ts";

/** Changes when an action of before would mean something else. Part of the identity of every agent cell. */
export const protocolVersion = 1;

/** All that a model may do in a turn. */
export const actionTypes = [
  "select_skills",
  "load_resource",
  "run_script",
  "call_tool",
  "final_answer",
] as const;
export type ActionType = (typeof actionTypes)[number];

export const skillSources = ["project", "user", "builtin"] as const;

/** A skill as a model names it; with a source it means that one, also where another hides it. */
export const SkillRef = z.strictObject({
  name: z.string().min(1),
  source: z.enum(skillSources).optional(),
});
export type SkillRef = z.infer<typeof SkillRef>;

const object = z.record(z.string(), AnyJson) as unknown as z.ZodType<JsonObject>;

const SelectSkills = z.strictObject({
  type: z.literal("select_skills"),
  payload: z.strictObject({ skills: z.array(SkillRef).min(1), reason: z.string().optional() }),
});
const LoadResource = z.strictObject({
  type: z.literal("load_resource"),
  payload: z.strictObject({
    skill: SkillRef,
    relative_path: z.string(),
    section_hint: z.string().optional(),
  }),
});
export const RunScript = z.strictObject({
  type: z.literal("run_script"),
  payload: z.strictObject({
    skill: SkillRef,
    relative_path: z.string(),
    args: z.array(z.string()).default([]),
    /** As `python -m` runs it: `scripts/pkg/tool.py` is the module `scripts.pkg.tool`. */
    as_module: z.boolean().optional(),
  }),
});
const CallTool = z.strictObject({
  type: z.literal("call_tool"),
  payload: z.strictObject({ tool: z.string().min(1), arguments: object }),
});
const FinalAnswer = z.strictObject({
  type: z.literal("final_answer"),
  payload: z.strictObject({ content: z.string().min(1) }),
});

/** One thing to do. The one source of the type, the check, the hint in the prompt and the schema for providers. */
export const Action = z.discriminatedUnion("type", [
  SelectSkills,
  LoadResource,
  RunScript,
  CallTool,
  FinalAnswer,
]);
export type Action = z.infer<typeof Action>;
export type ActionOf<Type extends ActionType> = Extract<Action, { type: Type }>;

export const stepStatuses = ["pending", "in_progress", "completed", "failed", "skipped"] as const;
const stepId: RegExp = /^[A-Za-z0-9_-]{1,64}$/;

export const PlanStep = z.strictObject({
  id: z.string().regex(stepId),
  title: z.string(),
  status: z.enum(stepStatuses),
  reason: z.string().optional(),
  dependencies: z.array(z.string()).optional(),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** What the model means to do. Its version is counted by the core, whatever the model writes. */
export const Plan = z.strictObject({
  goal: z.string(),
  steps: z.array(PlanStep),
  assumptions: z.array(z.string()).optional(),
  constraints: z.array(z.string()).optional(),
  version: z.number().int().optional(),
});
export type Plan = z.infer<typeof Plan>;

/** Addresses a step by its id: `/steps/read/status`, or `/goal`. Whether the id is known is the core's business. */
const PlanOp = z.strictObject({
  op: z.literal("set"),
  path: z.string().regex(/^\/(?:goal|steps\/[A-Za-z0-9_-]{1,64}\/(?:title|status|reason))$/),
  value: z.string(),
});
export const PlanUpdate = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("replace"), plan: Plan }),
  z.strictObject({ mode: z.literal("patch"), ops: z.array(PlanOp).min(1) }),
]);
export type PlanUpdate = z.infer<typeof PlanUpdate>;

/** What a model replies. Other members are ignored and reported. */
export const Decision = z.object({
  action: Action,
  plan_update: PlanUpdate.nullable().default(null),
  diagnostics: object.nullable().default(null),
});
export type Decision = z.infer<typeof Decision>;

/** As JSON; more is a fault of the reply. */
export const longestDiagnostics = 4096;
