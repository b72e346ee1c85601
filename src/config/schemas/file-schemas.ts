import * as z from "zod";
import { AgentCaseFile, PureCaseFile } from "../../contract/agent-case.ts";
import { Benchmark } from "../../contract/benchmark.ts";
import { Config } from "../../contract/config.ts";
import { ConversationCaseFile } from "../../contract/conversation-case.ts";
import { ReportFile } from "../../contract/document.ts";
import { BenchFile } from "../../contract/planbench-file.ts";
import { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import { Strategy } from "../../contract/strategy.ts";
import { Task } from "../../contract/task.ts";
import { TelemetryEvent } from "../../contract/telemetry.ts";
import { JudgeSettings, QueryEntry, TriggerGate } from "../../contract/triggering.ts";
import { AdapterConfig, SkillManifest } from "../../contract/unit-skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { planSchema, planSchemaName } from "../plan/plan-schema.ts";
import { allowSchemaKey, closeObjects, describeKeys } from "./json-schema-shape.ts";
import { keyDescriptions } from "./schema-descriptions.ts";
import type { SchemaName } from "./schema-names.ts";

const Query = z.union([z.string().trim().min(1).max(4000), QueryEntry]);

/** The `triggering` block as it is written. */
const TriggeringBlock = z
  .object({
    judge: JudgeSettings.nullish(),
    should_match: z.array(Query).nullish(),
    should_not_match: z.array(Query).nullish(),
    import: z.array(z.string().trim().min(1)).max(20).nullish(),
    gate: TriggerGate.nullish(),
  })
  // A block without any of them tests nothing.
  .meta({ anyOf: ["should_match", "should_not_match", "import"].map((key) => ({ required: [key] })) });

/** The `eval.yaml` of a skill, as editors check it; loading it reports every fault with its line instead. */
const EvalFile = z.object({
  defaults: z.looseObject({ model: z.string().trim().min(1).nullish() }).optional(),
  triggering: TriggeringBlock.optional(),
  /** Of other levels, which define themselves what is allowed there. */
  tools: z.unknown().optional(),
  cases: z.unknown().optional(),
});

/** A case as editors check it. */
const AnyCaseFile = z.union([AgentCaseFile, PureCaseFile, ConversationCaseFile]);

/** Cases in one file. What `defaults` says holds for every case of the suite that does not say it itself. */
const SuiteFile = z.strictObject({
  suite: z.string().min(1).optional(),
  defaults: z
    .union([AgentCaseFile.omit({ id: true }).partial(), ConversationCaseFile.omit({ id: true }).partial()])
    .nullish(),
  cases: z
    .array(
      z.union([
        AgentCaseFile.partial().required({ id: true }),
        PureCaseFile.partial().required({ id: true, kind: true }),
        // Its kind may be in the defaults.
        ConversationCaseFile.partial().required({ id: true }),
      ]),
    )
    .optional(),
});

interface FileShape {
  title: string;
  schema: z.ZodType;
  /**
   * Whether the loader takes every key that is not known for a mistake. Reports gain members with every version; the
   * manifest of a prompt says itself which of its parts are open.
   */
  isClosed: boolean;
}

const shapes: Record<Exclude<SchemaName, typeof planSchemaName>, FileShape> = {
  skill: { title: "skill.json of a skill that is called", schema: SkillManifest, isClosed: true },
  "adapter-config": { title: "adapter.config.json", schema: AdapterConfig, isClosed: true },
  "ah32.skill.v1": {
    title: "skill.json of a prompt with tools",
    schema: PromptToolManifest,
    isClosed: false,
  },
  benchmark: { title: "Benchmark: a named set of tasks", schema: Benchmark, isClosed: true },
  task: { title: "Task: one input with one expectation", schema: Task, isClosed: true },
  strategy: { title: "Strategy of select and run", schema: Strategy, isClosed: true },
  config: { title: "eval-skills.config.yaml", schema: Config, isClosed: true },
  eval: { title: "eval.yaml of a skill", schema: EvalFile, isClosed: true },
  case: { title: "Case of agent eval", schema: AnyCaseFile, isClosed: true },
  suite: { title: "suite.yaml: cases of agent eval", schema: SuiteFile, isClosed: true },
  report: { title: "Report of a run, whatever its levels", schema: ReportFile, isClosed: false },
  planbench: { title: "Bench of plans: what planbench measures", schema: BenchFile, isClosed: true },
  "telemetry-event": { title: "Event of telemetry", schema: TelemetryEvent, isClosed: false },
};

/** The JSON Schema of a file as people write it, made from the schema it is checked with; or of a plan, which is checked with it. */
export function fileSchema(name: SchemaName): JsonObject {
  if (name === planSchemaName) return planSchema;
  const { title, schema, isClosed } = shapes[name];
  const made = z.toJSONSchema(schema, {
    target: "draft-07", // the one that every editor understands
    io: "input", // what has a default may be left out
    unrepresentable: "any",
  }) as JsonObject;
  const { $schema, ...body } = made;
  if (isClosed) {
    closeObjects(body);
    allowSchemaKey(body);
  }
  describeKeys(body, keyDescriptions[name] ?? {});
  return { $schema: $schema ?? null, $id: `urn:eval-skills:schema:${name}`, title, ...body };
}
