import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";

/** The one version of the manifest that is understood. */
export const promptToolVersion = "ah32.skill.v1";

/** The programs in which a skill can be used. */
const hosts = ["writer", "et", "wpp", "wps", "office", "*"] as const;

const texts = z.array(z.string()).default([]);
const longestName = 64;
// Taken apart, so that each breach has words of its own; an editor gets the whole pattern.
const id = z
  .string()
  .refine((text) => text.length >= 2 && text.length <= 64, {
    error: "must have 2 to 64 characters",
    abort: true,
  })
  .refine((text) => /^[a-z0-9_-]*$/.test(text), { error: "only a-z, 0-9, - and _ are allowed", abort: true })
  .refine((text) => /^[a-z0-9]/.test(text), "must start with a-z or 0-9")
  .meta({ pattern: "^[a-z0-9][a-z0-9\\-_]{1,63}$" });
const name = z
  .string()
  .refine((text) => text !== "", "must not be empty")
  .refine((text) => [...text].length <= longestName, `has more than ${longestName} characters`)
  .meta({ minLength: 1, maxLength: longestName });

const meta = z.strictObject({
  id,
  name,
  version: z.string().default("0.0.0"),
  enabled: z.boolean().default(true),
  /** Used only to break ties. */
  priority: z.int().default(0),
  description: z.string().default(""),
  /** Only one skill per group is chosen. */
  group: z.string().optional(),
});

const routing = z.strictObject({
  hosts: z.array(z.enum(hosts)).default([]),
  tags: texts,
  intents: texts,
  triggers: texts,
  examples: z
    .array(z.union([z.string(), z.looseObject({ user: z.string() }), z.looseObject({ input: z.string() })]))
    .default([]),
});

const capabilities = z.looseObject({
  active_doc_text: z.boolean().optional(),
  active_doc_max_chars: z.int().min(1).max(200_000).optional(),
  writeback: z.strictObject({ default_anchor: z.enum(["cursor", "end"]).default("cursor") }).optional(),
});

const output = z.strictObject({
  markers: z.array(z.string()).optional(),
  /** The name of a schema; any other text, or a list of texts, is prose. */
  output_schema: z.union([z.string(), z.array(z.string())]).optional(),
  max_chars: z.int().optional(),
  styleSpecHints: z.union([z.string(), z.record(z.string(), AnyJson)]).optional(),
});

const tool = z.strictObject({
  name: z.string(),
  description: z.string().default(""),
  /** A JSON Schema; whether it compiles is checked where it is loaded. */
  parameters: AnyJson.optional().meta({ type: "object" }),
  /** When the assistant may use it without writing back. Kept and part of the digest; it changes no routing. */
  hints: AnyJson.optional().meta({ type: "object" }),
});

/**
 * `skill.json` of a prompt with tools. Keys `x-…` at the root take any value: whoever reads a file takes them out before,
 * and the JSON Schema lets them pass.
 */
export const PromptToolManifest = z
  .strictObject({
    schema_version: z.literal(promptToolVersion),
    meta,
    entry: z.strictObject({
      system_prompt: z.string().min(1).optional(),
      prompt: z.string().min(1).optional(),
    }),
    routing: routing.prefault({}),
    delivery: z.looseObject({ default_writeback: z.enum(["direct", "compare_table"]).optional() }).optional(),
    capabilities: capabilities.optional(),
    output: output.optional(),
    tools: z.array(z.union([z.string(), tool])).default([]),
  })
  .meta({ patternProperties: { "^x-": {} } });
export type PromptToolManifest = z.infer<typeof PromptToolManifest>;
