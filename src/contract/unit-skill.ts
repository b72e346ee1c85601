import * as z from "zod";
import type { JsonSchema } from "../shared/json/json.ts";
import { longestTimerMs, maxIdCharacters, type SandboxFloor, sandboxFloors } from "./limits.ts";
import { type AdapterType, adapterTypes } from "./skill-facts.ts";

const schema = z.unknown() as unknown as z.ZodType<JsonSchema>;
const pricing = z.object({ inputPerMTok: z.number().min(0), outputPerMTok: z.number().min(0) });
const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** `skill.json` of a skill that is called through an adapter. */
export const SkillManifest = z.object({
  id: z
    .string()
    .max(maxIdCharacters)
    .regex(/^[a-z0-9_-]+$/, "only a-z, 0-9, _ and - are allowed"),
  name: z.string().min(1),
  version: z.string().regex(semver, "a version such as 1.0.0 is needed"),
  description: z.string().min(1),
  tags: z.array(z.string()).default([]),
  inputSchema: schema.default({}),
  outputSchema: schema.default({}),
  adapterType: z.enum(adapterTypes),
  entrypoint: z.string().min(1),
  /** The least containment it wants to be run with; a file may demand more, never allow less. */
  sandbox: z.enum(sandboxFloors).optional(),
  metadata: z
    .looseObject({
      author: z.string().optional(),
      license: z.string().optional(),
      homepage: z.string().optional(),
      lifecycle: z.enum(["per-call", "persistent"]).optional(),
      toolName: z.string().optional(),
      transport: z.enum(["stdio", "http", "sse"]).optional(),
      pricing: pricing.optional(),
      digestIgnore: z.array(z.string()).optional(),
      /** What users say when they want it, and what they say when they want another. */
      triggers: z.array(z.string()).optional(),
      not_for: z.array(z.string()).optional(),
      /** `"false"` gives up the network; it cannot be opened from here. */
      "eval-skills.allow-network": z
        .union([z.boolean(), z.string().regex(/^(?:true|false)$/, 'it is "true" or "false"')])
        .optional(),
    })
    .default({}),
});
export type SkillManifest = z.infer<typeof SkillManifest>;

const common = {
  timeoutMs: z.number().int().min(1).max(longestTimerMs).optional(),
  env: z.record(z.string(), z.string()).default({}),
  envKeys: z.array(z.string().min(1)).default([]),
};
const auth = {
  baseUrl: z.string().optional(),
  authType: z.enum(["none", "bearer", "api-key"]).default("none"),
  authTokenEnvKey: z.string().min(1).optional(),
  authHeader: z.string().min(1).default("X-API-Key"),
};

const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** `adapter.config.json`, one shape per adapter. */
export const HttpConfig = z.object({
  type: z.literal("http"),
  ...common,
  ...auth,
  bodyMode: z.enum(["envelope", "input"]).default("envelope"),
  /** POST by default. GET sends the input as the query. */
  method: z.enum(httpMethods).optional(),
});
export type HttpConfig = z.infer<typeof HttpConfig>;

export const SubprocessConfig = z.object({
  type: z.literal("subprocess"),
  ...common,
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  lifecycle: z.enum(["per-call", "persistent"]).optional(),
});
export type SubprocessConfig = z.infer<typeof SubprocessConfig>;

export const McpConfig = z.object({
  type: z.literal("mcp"),
  ...common,
  ...auth,
  transport: z.enum(["stdio", "http", "sse"]).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
});
export type McpConfig = z.infer<typeof McpConfig>;

/** A module that runs in a worker process of ours. */
export const ModuleConfig = z.object({ type: z.enum(["langchain", "custom"]), ...common });
export type ModuleConfig = z.infer<typeof ModuleConfig>;

export const AdapterConfig = z.discriminatedUnion("type", [
  HttpConfig,
  SubprocessConfig,
  McpConfig,
  ModuleConfig,
]);
export type AdapterConfig = z.infer<typeof AdapterConfig>;

/** How a declared tool of a prompt with tools is called. It has no file of its own: the manifest declares the tool. */
export interface ToolConfig {
  type: "tool";
  /** The name of the tool, which is that of the function. */
  function: string;
  /** Relative to the folder of the skill, `/`-separated. */
  script: string;
  /** What its arguments must be; null where the tool was declared by its name alone. */
  parameters: JsonSchema | null;
  timeoutMs?: number | undefined;
  env: Record<string, string>;
  envKeys: string[];
}

/** A skill that was loaded, checked and hashed. Everything relative in it resolves against `dir`. */
export interface UnitSkill {
  id: string;
  name: string;
  version: string;
  description: string;
  tags: readonly string[];
  /** The folder of the skill, absolute. */
  dir: string;
  /** Its `skill.json`, absolute. */
  manifest: string;
  adapter: { type: AdapterType | "tool"; entrypoint: string; config: AdapterConfig | ToolConfig };
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  /** The least containment it accepts. */
  sandbox?: SandboxFloor | undefined;
  metadata: SkillManifest["metadata"];
  /** `sha256:…` over its files. */
  digest: string;
}

/** A skill may close the network for itself, but cannot open it. */
export function wantsNoNetwork({ metadata }: Pick<UnitSkill, "metadata">): boolean {
  return String(metadata["eval-skills.allow-network"]) === "false";
}
