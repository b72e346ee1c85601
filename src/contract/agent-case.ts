import * as z from "zod";
import { AnyJson, type JsonObject, type JsonSchema } from "../shared/json/json.ts";
import { Action, PlanUpdate, skillSources } from "./agent-action.ts";
import { agentErrorCodes, stopReasons } from "./agent-error.ts";
import { profiles } from "./findings.ts";
import { approvalScopes, longestTimerMs, sandboxFloors } from "./limits.ts";

const text = z.string();
const name = z.string().min(1);
const names = z.array(name);
const count = z.number().int().min(0);
const ms = z.number().int().min(1).max(longestTimerMs);
const object = z.record(z.string(), AnyJson) as unknown as z.ZodType<JsonObject>;

const caseId: RegExp = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/;
export const caseLevels = ["L0", "L1", "L2"] as const;
export type CaseLevel = (typeof caseLevels)[number];
/** Pure functions that a case can put to the test without an agent. */
export const pureKinds = [
  "frontmatter",
  "json_stream",
  "json_extract",
  "path",
  "section",
  "truncate",
] as const;
export type PureKind = (typeof pureKinds)[number];

/** What is judged about how an agent worked. */
export const dimensions = [
  "trigger",
  "sequence",
  "disclosure",
  "security",
  "budget",
  "output",
  "streaming",
] as const;
export type Dimension = (typeof dimensions)[number];

/** The folder where skills are looked for, and whose they are. */
export const SkillRootEntry = z.union([
  name,
  z.strictObject({ source: z.enum(skillSources), path: name, priority: z.number().optional() }),
]);
const Preinstalled = z.union([name, z.strictObject({ path: name, source: z.enum(skillSources).optional() })]);

const Setup = z.strictObject({
  /** Absent: the project's and the builtin roots. */
  skill_roots: z.array(SkillRootEntry).optional(),
  preinstall_skills: z.array(Preinstalled).default([]),
  invoke_skills: names.default([]),
  profile: z.enum(profiles).default("lenient"),
});

export const ApprovalRule = z.strictObject({
  tool: name,
  match: object.optional(),
  decision: z.enum(["grant", "deny"]),
  scope: z.enum(approvalScopes).default("call"),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

const Constraints = z.strictObject({
  max_turns: z.number().int().min(1).optional(),
  max_tool_calls: count.optional(),
  max_script_runs: count.optional(),
  max_resource_loads: count.optional(),
  max_model_calls: z.number().int().min(1).optional(),
  max_context_chars: z.number().int().min(1).optional(),
  max_cost_usd: z.number().min(0).optional(),
  deny_tools: names.default([]),
  require_approval_for: names.default([]),
  allowed_tools_policy: z.enum(["report", "restrict"]).optional(),
  network_hosts: names.default([]),
  sandbox: z.enum(sandboxFloors).optional(),
});

const nonEmpty = names.min(1);
const Pattern = z.union([name, z.strictObject({ pattern: name, flags: text.optional() })]);
export const ExpectedText = z.strictObject({
  contains_any: nonEmpty.optional(),
  contains_all: nonEmpty.optional(),
  not_contains_any: nonEmpty.optional(),
  regex_match: z.union([Pattern, z.array(Pattern).min(1)]).optional(),
  format: z.enum(["markdown", "json", "text"]).optional(),
  format_strict: z.boolean().default(true),
  /** Inline, or the path of a file. */
  json_schema: z.union([name, z.unknown() as unknown as z.ZodType<JsonSchema>]).optional(),
  equals_file: name.optional(),
  case_sensitive: z.boolean().default(true),
});
export type ExpectedText = z.infer<typeof ExpectedText>;

/** What the arguments of a call must be like, as one line of text. */
const ArgumentPattern = z.strictObject({
  contains: z.union([name, nonEmpty]).optional(),
  matches: Pattern.optional(),
});
export type ArgumentPattern = z.infer<typeof ArgumentPattern>;

const SequenceRule = z.union([
  z.strictObject({
    must_occur: name,
    args: ArgumentPattern.optional(),
    min: count.optional(),
    max: count.optional(),
    before: z.union([name, nonEmpty]).optional(),
  }),
  z.strictObject({ forbid: name, args: ArgumentPattern.optional() }),
]);
export type SequenceRule = z.infer<typeof SequenceRule>;

/** A program of the case that judges what a run left. Either `run` or `module`. */
const CaseCheck = z.strictObject({
  title: text.optional(),
  /** Program and arguments; `${case}/…` is a file of the case. */
  run: z.array(z.string()).min(1).optional(),
  /** A module whose default export gets `{runDir}` and returns `{pass, reason?}`. */
  module: name.optional(),
  /** Below the workspace. */
  cwd: name.optional(),
  timeout_ms: ms.optional(),
  exit: z.number().int().min(0).max(255).optional(),
  stdout_contains: name.optional(),
});
export type CaseCheck = z.infer<typeof CaseCheck>;

export const Expect = z.strictObject({
  skills_any_of: names.optional(),
  skills_all_of: names.optional(),
  /** `["*"]`: nothing may be selected. */
  skills_none_of: names.optional(),
  action_sequence_constraints: z.array(SequenceRule).default([]),
  /** Absent: true for our own runs, not required of imported ones. */
  one_action_per_turn: z.boolean().optional(),
  errors: z
    .array(
      z.strictObject({
        code: z.enum(agentErrorCodes as readonly [string, ...string[]]),
        tool: name.optional(),
        min: count.default(1),
        max: count.optional(),
      }),
    )
    .default([]),
  stop_reason: z.enum(stopReasons as readonly [string, ...string[]]).optional(),
  output: ExpectedText.optional(),
  files: z
    .array(
      z.strictObject({
        path: name,
        exists: z.boolean().default(true),
        sha256: text.optional(),
        /** A file of the case. */
        equals: name.optional(),
        contains_all: nonEmpty.optional(),
        /** Every pattern must match its text. */
        regex_match: z.union([Pattern, z.array(Pattern).min(1)]).optional(),
        /** JSON path → the value there; of objects the members that are named. */
        json: z.record(z.string(), AnyJson).optional(),
      }),
    )
    .default([]),
  checks: z.array(CaseCheck).default([]),
  dimensions: z.array(z.enum(dimensions)).default([]),
  /** Prose for a judge; never one of the seven. */
  rubric: names.optional(),
});
export type Expect = z.infer<typeof Expect>;

export const encodings = ["compact", "pretty", "fenced", "escaped", "payload_first"] as const;
const MockError = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("http"), status: z.number().int(), retry_after_ms: count.optional() }),
  z.strictObject({ kind: z.literal("network") }),
  z.strictObject({ kind: z.literal("timeout") }),
]);
/** One entry per call. Exactly one of action, raw and error. */
export const MockTurn = z.strictObject({
  action: Action.optional(),
  plan_update: PlanUpdate.optional(),
  diagnostics: object.optional(),
  raw: text.optional(),
  error: MockError.optional(),
  delay_ms: count.optional(),
  expect_context: z
    .strictObject({ contains: nonEmpty.optional(), not_contains: nonEmpty.optional() })
    .optional(),
  encoding: z.enum(encodings).default("compact"),
});
export type MockTurn = z.infer<typeof MockTurn>;
export const MockScript = z.strictObject({
  turns: z.array(MockTurn),
  streaming: z
    .strictObject({ enabled: z.boolean().default(true), chunk_bytes: z.number().int().min(1).default(16) })
    .optional(),
  /** Entries that are left over fail the case. */
  strict: z.boolean().default(false),
});
export type MockScript = z.infer<typeof MockScript>;

/** What every case of a suite begins with. */
export const caseHead = {
  id: z.string().regex(caseId),
  title: text.optional(),
  tags: names.default([]),
  level: z.enum(caseLevels).optional(),
  /** Nobody waits for more; a stranger may ask for a billion. */
  repeat: z.number().int().min(1).max(10_000).default(1),
  min_pass_rate: z.number().gt(0).max(1).default(1),
};

/** A request to an agent, with set-up and expectations, as its file says. */
export const AgentCaseFile = z.strictObject({
  ...caseHead,
  kind: z.literal("agent").default("agent"),
  /** Written by a machine, from a run or a skill; whoever has edited it removes this. */
  draft: z.boolean().optional(),
  input: z.union([text, z.strictObject({ file: name })]),
  setup: Setup.prefault({}),
  enable_tools: names.default([]),
  approvals: z.array(ApprovalRule).default([]),
  constraints: Constraints.prefault({}),
  expect: Expect.prefault({}),
  mock: MockScript.optional(),
  timeout_ms: ms.optional(),
  allow_vacuous: name.optional(),
});
export type AgentCaseFile = z.infer<typeof AgentCaseFile>;

/** A case for a pure function: `input` and `expect` are what that function takes and gives. */
export const PureCaseFile = z.strictObject({
  ...caseHead,
  kind: z.enum(pureKinds),
  input: AnyJson,
  expect: object,
});
export type PureCaseFile = z.infer<typeof PureCaseFile>;
