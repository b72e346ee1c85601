import * as z from "zod";
import { AnyJson, type JsonObject } from "../shared/json/json.ts";
import { caseHead, ExpectedText, SkillRootEntry } from "./agent-case.ts";
import { profiles } from "./findings.ts";
import { longestTimerMs } from "./limits.ts";
import { toolErrorCodes } from "./tool-result.ts";

const name = z.string().min(1);
const names = z.array(name);
const object = z.record(z.string(), AnyJson) as unknown as z.ZodType<JsonObject>;

/** What is judged about a conversation, each by itself. */
export const conversationDimensions = ["hit", "protocol", "calls", "continuation", "output"] as const;
export type ConversationDimension = (typeof conversationDimensions)[number];

/** `auto`: the router chooses. `forced`: these skills, and nobody is asked. */
export const Route = z.union([z.literal("auto"), z.strictObject({ forced: z.union([name, names.min(1)]) })]);
export type Route = z.infer<typeof Route>;

const Setup = z.strictObject({
  /** Absent: the project's roots; for cases of a skill the folder that holds it. */
  skill_roots: z.array(SkillRootEntry).optional(),
  /** The program the request is made in. */
  host: name.optional(),
  /** A file of the case: `.md`, `.txt` or `.docx`. */
  document: name.optional(),
  route: Route.default("auto"),
  profile: z.enum(profiles).default("lenient"),
});

/** One reply of a script. Exactly one of the three. */
export const ConversationTurn = z.strictObject({
  call: z.strictObject({ name: z.string(), arguments: object.default({}) }).optional(),
  /** May quote earlier results: `${results[0].total}`. */
  final: z.string().optional(),
  /** Any text, malformed calls among it. */
  raw: z.string().optional(),
});
export type ConversationTurn = z.infer<typeof ConversationTurn>;

export const ExpectedCall = z.strictObject({
  name,
  /** A subset of what was sent. */
  arguments: object.optional(),
  /** `ok`, or the code the call was refused or failed with; absent: whatever came. */
  result: z.enum(["ok", ...toolErrorCodes]).optional(),
});
export type ExpectedCall = z.infer<typeof ExpectedCall>;

export const ConversationExpect = z.strictObject({
  skills_all_of: names.optional(),
  /** `["*"]`: nothing may be selected. */
  skills_none_of: names.optional(),
  /** In this order, others may come between; `[]`: none at all. */
  tool_calls: z.array(ExpectedCall).optional(),
  /** Paths into the list of results, `$[0].total`: the values are in the final reply. */
  uses_result: names.optional(),
  /** `contract`: what the selected skills promise about their output must hold. `schema`: the output must fit the schema of this name. */
  output: ExpectedText.extend({
    contract: z.boolean().default(false),
    /** Who holds the answer against a contract in prose: `<provider>/<model>`. */
    judge: name.optional(),
    schema: z.string().min(1).optional(),
  }).optional(),
});
export type ConversationExpect = z.infer<typeof ConversationExpect>;

/** A request to a model with prompts and tools of skills, as its file says. */
export const ConversationCaseFile = z.strictObject({
  ...caseHead,
  kind: z.literal("conversation"),
  input: z.union([z.string(), z.strictObject({ file: name })]),
  setup: Setup.prefault({}),
  mock: z.strictObject({ turns: z.array(ConversationTurn).min(1) }).optional(),
  expect: ConversationExpect.prefault({}),
  constraints: z
    .strictObject({
      max_turns: z.number().int().min(1).max(1000).default(6),
      max_tool_calls: z.number().int().min(0).max(1000).default(5),
    })
    .prefault({}),
  timeout_ms: z.number().int().min(1).max(longestTimerMs).optional(),
  allow_vacuous: name.optional(),
});
export type ConversationCaseFile = z.infer<typeof ConversationCaseFile>;
