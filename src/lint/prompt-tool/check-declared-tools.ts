import { builtInTools } from "../../contract/built-in-tools.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { DeclaredTool, ToolFinding } from "./declared-tools.ts";
import { innerSchemas } from "./schema-parameters.ts";

/** Reports invalid tool names, and returns the tools that can be checked further. */
export function* checkToolNames(tools: readonly DeclaredTool[]): Generator<ToolFinding, DeclaredTool[]> {
  const seen = new Set<string>();
  const sound: DeclaredTool[] = [];
  for (const tool of tools) {
    const { name, steps, isBare } = tool;
    const problem = seen.has(name) ? "is declared twice" : nameProblem(name);
    seen.add(name);
    if (problem !== null)
      yield {
        code: "PTS04",
        at: { steps: isBare ? steps : [...steps, "name"] },
        message: `tool ${shownText(name)}: ${problem}`,
      };
    if (problem === null || problem === builtIn) sound.push(tool);
  }
  return sound;
}

const builtIn = "is the name of a built-in tool";

function nameProblem(name: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
    return "must be 1 to 64 letters, digits and _, and not start with a digit";
  if (keywords.has(name)) return "is a Python keyword and cannot be a function name";
  return builtIns.has(name) ? builtIn : null;
}

const builtIns: ReadonlySet<string> = new Set(builtInTools);

const keywords: ReadonlySet<string> = new Set([
  ...["False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def"],
  ...["del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is"],
  ...["lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"],
]);

/** Reports what a model does not need to read, and what it would miss. */
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
