import { existsSync } from "node:fs";
import { join } from "node:path";
import { expectationsIn, type Task } from "../../contract/task.ts";
import type { HostedTool, OpenDocument } from "../../contract/tool-host.ts";
import { loadBenchmark } from "../../levels/unit/benchmark/load-benchmark.ts";
import { canonicalScorerType } from "../../scorers/choose-scorer.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { exampleValue } from "../../templates/sample-value.ts";

/** An input to try a tool with. */
export interface ToolSample {
  /** As a user would look it up. */
  name: string;
  /** Inputs of the author have to work; generated ones need not. */
  origin: "example" | "test" | "made";
  arguments: Json;
  document: OpenDocument | null;
}

/** Every known input of a tool, each once: examples of its schema, those of its tests, and some made from the schema. */
export async function toolSamples(tool: HostedTool): Promise<ToolSample[]> {
  const samples = [...(await testInputs(tool)), ...declaredExamples(tool), ...madeSamples(tool)];
  const first = new Map<string, ToolSample>();
  for (const sample of samples) {
    const key = canonicalJson([sample.arguments, sample.document?.text ?? null]);
    if (!first.has(key)) first.set(key, sample);
  }
  return [...first.values()];
}

function declaredExamples({ parameters }: HostedTool): ToolSample[] {
  const examples = isMap(parameters) && Array.isArray(parameters.examples) ? parameters.examples : [];
  return examples.map((example, n) => ({
    name: `examples[${n}]`,
    origin: "example",
    arguments: example,
    document: null,
  }));
}

/** The file of a tool's tests, relative to its skill. */
export function testsFile({ name }: Pick<HostedTool, "name">): string {
  return `tests/${name}.eval.json`;
}

/** A task that expects an error is not a sample of valid input. */
async function testInputs(tool: HostedTool): Promise<ToolSample[]> {
  const path = join(tool.skill.dir, testsFile(tool));
  if (!existsSync(path)) return [];
  const { tasks } = (await loadBenchmark(path)).benchmark;
  return tasks
    .filter((task) => !expectsError(task))
    .map(({ id, inputData, document }) => ({
      name: `${testsFile(tool)} ${id}`,
      origin: "test",
      arguments: inputData,
      document: document === undefined ? null : { text: document, path: null },
    }));
}

function expectsError(task: Task): boolean {
  return expectationsIn(task).some(({ expected, evaluator }) => {
    const type = evaluator?.type ?? expected.type;
    return type !== undefined && canonicalScorerType(type) === "error";
  });
}

/** One with what is required, and one more for each member that may be left out. */
function madeSamples({ parameters }: HostedTool): ToolSample[] {
  if (!isMap(parameters)) return [];
  // Examples of the whole are samples themselves.
  const { examples: _, default: __, ...schema } = parameters as JsonObject;
  const members = isMap(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const needed = [
    ...new Set([...required, ...(Object.hasOwn(members, documentMember) ? [documentMember] : [])]),
  ];
  const sample = (names: readonly string[], name: string): ToolSample[] => {
    const made = exampleValue({ ...schema, required: [...names] }, { minListItems: 1, isExact: true });
    return isMap(made) ? [{ name, origin: "made", arguments: made as JsonObject, document: null }] : [];
  };
  const optional = Object.keys(members).filter((name) => !needed.includes(name));
  return [
    ...sample(needed, "generated from its parameters"),
    ...optional.slice(0, maxOptional).flatMap((name) => sample([...needed, name], `generated, with ${name}`)),
  ];
}

/** The text of the open document, which every such tool is given. */
const documentMember = "doc_text";
const maxOptional = 40;
