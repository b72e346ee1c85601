import { shownText } from "../../base/visible-text.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import { innerSchemas } from "./schema-parameters.ts";
import type { ToolFinding } from "./tool-finding.ts";

/** Tells what a model would read in vain, and what it would miss. */
export function* checkLeanTool(tool: DeclaredTool): Generator<ToolFinding> {
  const { name, description, hasNoSchema, isBare, steps } = tool;
  const tell = (at: readonly PropertyKey[], problem: string, hint: string): ToolFinding => ({
    code: "PTS08",
    at: { steps: [...steps, ...at] },
    message: `tool ${name}: ${problem}`,
    hint,
  });
  if (isBare) {
    yield tell([], "declared by its name alone", "add a description and parameters");
    return;
  }
  const characters = [...description].length;
  if (description.trim() === "") yield tell([], "no description", "say in one short sentence what it gives");
  else if (characters > longestDescription)
    yield tell(["description"], `description has ${characters} characters`, "one short sentence");
  if (hasNoSchema) yield tell([], "no parameters", "add a JSON Schema of type object");
  for (const { steps: at, schema, ...inner } of innerSchemas(tool.parameters ?? {})) {
    const parameter = shownText(inner.parameter);
    if (Array.isArray(schema.enum) && schema.enum.length > mostChoices)
      yield tell(
        ["parameters", ...at, "enum"],
        `parameter ${parameter} has an enum of ${schema.enum.length} values`,
        `at most ${mostChoices}; let the function look the others up`,
      );
    if (isRepeated(schema.description, description))
      yield tell(
        ["parameters", ...at, "description"],
        `parameter ${parameter} repeats the description of the tool`,
        "say what is special about the parameter, or nothing",
      );
  }
}

const longestDescription = 120;
const mostChoices = 20;

function isRepeated(one: unknown, other: string): boolean {
  return typeof one === "string" && plain(one) !== "" && plain(one) === plain(other);
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.。!！]$/, "");
}
