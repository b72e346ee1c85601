import * as z from "zod";
import { AnyJson, type Json, type JsonObject, type JsonSchema } from "../shared/json/json.ts";
import { Route } from "./conversation-case.ts";
import { longestTimerMs } from "./limits.ts";
import type { ContractSchema } from "./output-contract.ts";

const name = z.string().min(1);
const names = z.array(name);
const ms = z.number().int().min(1).max(longestTimerMs);
const object = z.record(z.string(), AnyJson) as unknown as z.ZodType<JsonObject>;
const schema = z.unknown() as unknown as z.ZodType<JsonSchema>;
const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/,
    "must be up to 80 letters, digits, _, . and -, starting with a letter or digit",
  );

/** Whose plans are measured. */
export const BenchTarget = z.discriminatedUnion("type", [
  /** `mock`: the replies each case brings along. Absent: the configured model. */
  z.strictObject({
    type: z.literal("model"),
    model: name.optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
  z.strictObject({
    type: z.literal("sse"),
    url: name,
    /** `${env:NAME}` in a value is the variable of that name: a secret is never in the file. */
    headers: z.record(z.string(), z.string()).default({}),
    /** A template: `${input}`, `${host}` and `${session}` in its texts are put in as data. */
    body: AnyJson.optional(),
  }),
]);
export type BenchTarget = z.infer<typeof BenchTarget>;

const sources = ["model", "fixed", "local"] as const;

export const BenchCase = z.strictObject({
  id,
  title: z.string().optional(),
  host: name.optional(),
  tags: names.default([]),
  input: z.string().min(1),
  /** Absent: what the bench says. */
  route: Route.optional(),
  /** What the plan must be besides the schema. */
  overlay: schema.optional(),
  /** `fixed` and `local` call no model: they test the harness, and enter no rate. */
  source: z.enum(sources).default("model"),
  /** Of `fixed`: what each attempt gives, the last one again and again. Text, or JSON. */
  outputs: z.array(AnyJson).min(1).optional(),
  /** Of `local`: the tool of a skill that makes the plan, `<skill>#<tool>`, and its arguments. */
  tool: name.optional(),
  arguments: object.optional(),
  /** What the model `mock` replies, attempt by attempt, the last one again and again. Text, or JSON. */
  mock: z.array(AnyJson).min(1).optional(),
});
export type BenchCase = z.infer<typeof BenchCase>;

/** A bench of plans, as its file says. */
export const BenchFile = z.strictObject({
  id,
  title: z.string().optional(),
  /** A file beside it, or the name of a schema. */
  schema: name,
  target: BenchTarget.prefault({ type: "model" }),
  route: Route.default("auto"),
  /** Where skills are looked for, relative to the file; absent: the project's roots. */
  skill_roots: names.optional(),
  samples: z.number().int().min(1).max(10_000).default(1),
  max_repairs: z.number().int().min(0).max(100).default(5),
  /** Of one sample, all attempts together. */
  timeout_ms: ms.default(300_000),
  /** Plan on stdin → `{"ok": bool, "error"}`; null: plans are not carried out. */
  executor: z
    .union([name, z.array(z.string()).min(1)])
    .nullable()
    .default(null),
  markers: names.default([]),
  max_chars: z.number().int().min(1).optional(),
  cases: z.array(BenchCase).min(1),
});
export type BenchFile = z.infer<typeof BenchFile>;

/** A case with what holds for it. */
export interface LoadedBenchCase extends Omit<BenchCase, "route"> {
  route: Route;
  /** The table it is in. */
  stratum: Stratum;
  /** Its index in the file, from 0. */
  index: number;
  /** Content of the case: pairs it with itself in another report. */
  digest: string;
}

/** The model that says what each case brings along. */
export const mockModelId = "mock";

/** A bench that was read and checked. */
export interface LoadedBench {
  file: Omit<BenchFile, "cases">;
  /** Absolute path and as the user would name it. */
  path: string;
  shown: string;
  dir: string;
  /** Its path is null where it comes with the package. */
  schema: ContractSchema & { digest: string; path: string | null };
  /** Absolute; null: the project's. */
  skillRoots: readonly string[] | null;
  /** Program and arguments; null where plans are not carried out. */
  executor: readonly [string, ...string[]] | null;
  cases: readonly LoadedBenchCase[];
  warnings: readonly string[];
}

/** Cases of different kinds are never counted together. */
/** Who makes the plans of a bench. A service tidies them up before anybody can check them, a model does not. */
export const targetTypes = ["model", "sse", "mock"] as const;
export type TargetType = (typeof targetTypes)[number];

export const strata = ["routed", "forced", "fixed"] as const;
export type Stratum = (typeof strata)[number];

/** What the texts of a body can name as `${input}`. */
export const templateNames = ["input", "host", "session"] as const;

/** What is sent to a service where a bench says nothing else. */
export const defaultBody: Json = {
  user_query: "${input}",
  session_id: "${session}",
  document_name: "",
  host_app: "${host}",
  capabilities: {},
};
