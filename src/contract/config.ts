import * as z from "zod";
import { ConfiguredGate } from "./configured-gate.ts";
import { reportFormats } from "./format.ts";
import { longestTimerMs, maxConcurrency, maxRetries } from "./limits.ts";
import { readNetworkEntry } from "./network-entry.ts";
import { OwnerEntry, QuarantineEntry } from "./quarantine.ts";
import { minFlushIntervalMs, telemetryModeWords } from "./telemetry.ts";

/** Where agents keep the skills of a project, in order of rank. */
export const defaultSkillRoots = [".agent/skills", ".agents/skills", ".claude/skills"] as const;

// Files are read once per start: compiling each schema first costs more than it ever saves.
z.config({ jitless: true });

const ms = z.number().int().min(1).max(longestTimerMs);
const count = z.number().int().min(1);
const name = z.string().min(1);
const networkHost = name.superRefine((text, context) => {
  const entry = readNetworkEntry(text);
  if ("problem" in entry) context.addIssue({ code: "custom", message: `the text ${entry.problem}` });
});

/** What a model costs, in US dollars per million tokens. */
const Price = z.strictObject({ inputPerMTok: z.number().min(0), outputPerMTok: z.number().min(0) });
export type Price = z.infer<typeof Price>;
/** The name of a variable that holds a secret; false where none must be sent. */
const secretName = z.union([name, z.literal(false)]);
const concurrencyCap = z.number().int().min(1).max(maxConcurrency);
const ModelProvider = z.strictObject({
  baseUrl: name.optional(),
  apiKeyEnv: secretName.optional(),
  concurrency: concurrencyCap.optional(),
});
const Embedding = z.strictObject({ provider: name, model: name, dim: count });

/** Every key of the configuration with its default. */
export const Config = z.strictObject({
  concurrency: concurrencyCap.default(4),
  timeoutMs: ms.default(30_000),
  outputDir: name.default("./reports"),
  defaultFormats: z.array(z.enum(reportFormats)).min(1).default(["json", "markdown"]),
  store: name.default("./eval-skills.db"),
  python: name.nullable().default(null),
  skills: z.strictObject({ roots: z.array(name).default([...defaultSkillRoots]) }).prefault({}),
  llm: z
    .strictObject({
      model: name.default("gpt-4o"),
      temperature: z.number().min(0).max(2).default(0),
      baseUrl: name.default("https://api.openai.com/v1"),
      apiKeyEnv: secretName.nullable().default(null),
      apiKey: name.optional(),
      timeoutMs: ms.default(60_000),
      retries: z.number().int().min(0).max(maxRetries).default(3),
      concurrency: concurrencyCap.nullable().default(null),
    })
    .prefault({}),
  models: z.record(z.string(), ModelProvider).default({}),
  grants: z.record(z.string(), z.array(name)).default({}),
  prices: z.record(z.string(), Price).default({}),
  gates: z.array(ConfiguredGate).default([]),
  quarantine: z.array(QuarantineEntry).default([]),
  owners: z.array(OwnerEntry).default([]),
  sandbox: z
    .strictObject({
      floor: z.enum(["reduced", "strict"]).nullable().default(null),
      network: z.enum(["none", "open"]).nullable().default(null),
      allowNetwork: z.array(networkHost).default([]),
      memoryMb: count.nullable().default(null),
      maxOutputBytes: count.default(5_242_880),
      killGraceMs: z.number().int().min(0).default(300),
      envKeys: z.array(name).default([]),
    })
    .prefault({}),
  agent: z
    .strictObject({
      max_turns: count.default(12),
      max_tool_calls: z.number().int().min(0).default(30),
      max_script_runs: z.number().int().min(0).default(6),
      max_resource_loads: z.number().int().min(0).nullable().default(null),
      max_model_calls: count.nullable().default(null),
      max_context_chars: count.default(400_000),
      max_cost_usd: z.number().min(0).nullable().default(null),
      timeout_ms: ms.default(120_000),
      max_skills_per_select: count.default(2),
      max_consecutive_failures: count.default(3),
      no_progress_window: count.default(4),
      max_skill_body_lines: count.default(500),
      max_skill_body_chars: count.default(40_000),
      resource_suffixes: z.array(name).default([".md", ".txt", ".json", ".yaml", ".yml", ".csv"]),
      interpreters: z
        .record(z.string(), name)
        .default({ ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".sh": "bash" }),
      allowed_tools_policy: z.enum(["report", "restrict"]).default("report"),
      fallback_model: name.nullable().default(null),
    })
    .prefault({}),
  prompt: z
    .strictObject({ perSkillChars: count.default(4000), totalChars: count.default(12_000) })
    .prefault({}),
  router: z
    .strictObject({
      cjk: z.enum(["bigrams", "segment"]).default("bigrams"),
      embedding: z
        .union([
          z.literal("local"),
          z.strictObject({ han: Embedding.optional(), other: Embedding.optional() }),
        ])
        .nullable()
        .default(null),
      min_score: z.number().min(0).max(1).default(0.2),
      k: count.default(4),
    })
    .prefault({}),
  telemetry: z
    .strictObject({
      mode: z.union([z.enum(telemetryModeWords), z.literal(false), z.literal(0)]).default("local"),
      sqlitePath: name.default("./.eval-skills/telemetry.sqlite3"),
      retentionDays: count.default(7),
      flushIntervalMs: ms.min(minFlushIntervalMs).default(1000),
      batchSize: count.default(200),
      remoteEndpoint: name.nullable().default(null),
      tokenEnv: secretName.nullable().default(null),
      otlp: z
        .strictObject({
          enabled: z.boolean().default(false),
          endpoint: name.nullable().default(null),
          content: z.boolean().default(false),
        })
        .prefault({}),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** What the configuration says about models; no secret among it, so that it can be stored with a plan. */
export type ModelSettings = Pick<Config, "models" | "prices"> & { llm: Omit<Config["llm"], "apiKey"> };

/** Where a value of the configuration came from. */
export type ConfigOrigin = "flag" | "project" | "user" | "env" | "default";
