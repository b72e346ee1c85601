import * as z from "zod";
import { Benchmark } from "../../contract/benchmark.ts";
import { Config } from "../../contract/config.ts";
import { ReportFile } from "../../contract/document.ts";
import { BenchFile } from "../../contract/planbench-file.ts";
import { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import { Strategy } from "../../contract/strategy.ts";
import { Task } from "../../contract/task.ts";
import { TelemetryEvent } from "../../contract/telemetry.ts";
import { AdapterConfig, SkillManifest } from "../../contract/unit-skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { EvalFile } from "./eval-file.ts";
import { allowSchemaKey, closeObjects, describePlaces } from "./json-schema-shape.ts";
import { planSchema, planSchemaName } from "./plan-schema.ts";
import { placeDescriptions } from "./schema-descriptions.ts";
import type { SchemaName } from "./schema-names.ts";
import { AnyCaseFile, SuiteFile } from "./suite-file.ts";

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
  describePlaces(body, placeDescriptions[name] ?? {});
  return { $schema: $schema ?? null, $id: `urn:eval-skills:schema:${name}`, title, ...body };
}
