import { shownText } from "../../shared/text/visible-text.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import { innerSchemas } from "./schema-parameters.ts";
import type { ToolFinding } from "./tool-finding.ts";

/** Reports what a model would read in vain, and what it would miss. */
export function* checkLeanTool(tool: DeclaredTool): Generator<ToolFinding> {
  const { name, description, hasNoSchema, isBare, steps } = tool;
  const finding = (at: readonly PropertyKey[], problem: string, hint: string): ToolFinding => ({
    code: "PTS08",
    at: { steps: [...steps, ...at] },
    message: `tool ${name}: ${problem}`,
    hint,
  });
  if (isBare) {
    yield finding([], "declared without description and parameters", "add a description and parameters");
    return;
  }
  const characters = [...description].length;
  if (description.trim() === "")
    yield finding([], "no description", "say in one short sentence what it returns");
  else if (characters > longestDescription)
    yield finding(["description"], `description has ${characters} characters`, "use one short sentence");
  if (hasNoSchema) yield finding([], "no parameters", "add a JSON Schema of type object");
  for (const { steps: at, schema, ...inner } of innerSchemas(tool.parameters ?? {})) {
    const parameter = shownText(inner.parameter);
    if (Array.isArray(schema.enum) && schema.enum.length > maxChoices)
      yield finding(
        ["parameters", ...at, "enum"],
        `parameter ${parameter} has an enum of ${schema.enum.length} values`,
        `use at most ${maxChoices}; let the function look up the others`,
      );
    if (isRepeated(schema.description, description))
      yield finding(
        ["parameters", ...at, "description"],
        `parameter ${parameter} repeats the description of the tool`,
        "describe the parameter itself, or remove the description",
      );
  }
}

const longestDescription = 120;
const maxChoices = 20;

function isRepeated(one: unknown, other: string): boolean {
  return typeof one === "string" && plain(one) !== "" && plain(one) === plain(other);
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.。!！]$/, "");
}
