import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";

export interface NewSkill {
  id: string;
  name: string;
  description: string;
}

/** Path inside the skill's folder → its whole text. */
export type SkillFiles = Readonly<Record<string, string>>;

/** The three files every template of a skill with an adapter has: manifest, adapter configuration and a benchmark with one task. */
export function sharedFiles(skill: NewSkill, adapter: NewAdapter): SkillFiles {
  return {
    "skill.json": asJson({
      id: skill.id,
      name: skill.name,
      version: "0.1.0",
      description: skill.description,
      tags: [],
      inputSchema: adapter.inputSchema ?? stringMember("query"),
      outputSchema: adapter.outputSchema ?? stringMember("result"),
      adapterType: adapter.type,
      entrypoint: adapter.entrypoint,
      metadata: { license: "MIT", ...adapter.metadata },
    }),
    "adapter.config.json": asJson({ type: adapter.type, ...adapter.config }),
    "tests/basic.eval.json": asJson(starterBenchmark(skill.id, "basic", adapter.starter ?? mentionsTheQuery)),
  };
}

interface NewAdapter {
  type: "http" | "subprocess" | "mcp";
  entrypoint: string;
  config: JsonObject;
  metadata?: JsonObject;
  /** Where they differ from a query and a result. */
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  /** The task of the starter benchmark, but for its id. */
  starter?: JsonObject;
}

export const mentionsTheQuery: JsonObject = {
  description: "Mentions the query",
  inputData: { query: "hello" },
  expectedOutput: { type: "contains", keywords: ["hello"] },
  evaluator: { type: "contains" },
};

/** A benchmark with these tasks, which get their ids from their positions. */
export function starterBenchmark(skillId: string, what: string, ...tasks: readonly JsonObject[]): JsonObject {
  return {
    id: `${skillId}-${what}`,
    name: `${skillId} ${what}`,
    version: "0.1.0",
    domain: "general",
    scoringMethod: "mean",
    tasks: tasks.map((task, index) => ({ id: `basic_${String(index + 1).padStart(3, "0")}`, ...task })),
  };
}

function stringMember(name: string): JsonObject {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

/** A value as the text of a file. */
export function asJson(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
