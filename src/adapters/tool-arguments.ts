import { join } from "node:path";
import type { HostedTool } from "../contract/tool-host.ts";
import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { isMap } from "../shared/json/json-values.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { UserError } from "../shared/user-error.ts";
import { isNestedDeeper } from "./answers.ts";

/** The accepted arguments of a tool, with findings that are worth a warning. */
type CheckedArguments =
  | { ok: true; arguments: JsonObject; findings: string[] }
  /** One line: JSON pointer and reason of the first violations. */
  | { ok: false; problem: string };

type CheckArguments = (input: Json) => CheckedArguments;

const maxBytes = 10 * 1024 * 1024;
const maxDepth = 64;
const maxViolations = 5;
const draft = "https://json-schema.org/draft/2020-12/schema";

/** The check that comes before every call of a tool: by the whole schema, with nothing coerced and nothing filled in. */
function argumentsCheck(
  parameters: JsonSchema | null,
): { ok: true; check: CheckArguments } | { ok: false; problem: string } {
  const compiled = compileSchema(
    isMap(parameters) ? { $schema: draft, ...parameters } : (parameters ?? true),
  );
  if (!compiled.ok) return compiled;
  const check: CheckArguments = (input) => {
    if (!isMap(input)) return { ok: false, problem: "(root) must be object" };
    const tooMuch = sizeProblem(input);
    if (tooMuch !== null) return { ok: false, problem: tooMuch };
    try {
      const violations = compiled.violations(input).slice(0, maxViolations);
      if (violations.length === 0)
        return { ok: true, arguments: input, findings: undeclared(parameters, input) };
      const lines = violations.map(
        ({ pointer, reason }) => `${pointer === "" ? "(root)" : pointer} ${reason}`,
      );
      return { ok: false, problem: lines.join("; ") };
    } catch (error) {
      if (!(error instanceof ValidationOverran)) throw error;
      return { ok: false, problem: `they could not be checked: ${error.message}` };
    }
  };
  return { ok: true, check };
}

function sizeProblem(input: JsonObject): string | null {
  if (isNestedDeeper(input, maxDepth)) return `(root) is nested deeper than ${maxDepth} levels`;
  const bytes = Buffer.byteLength(JSON.stringify(input));
  return bytes > maxBytes ? `(root) has ${bytes} bytes, limit ${maxBytes}` : null;
}

/** Keywords that can declare members outside of `properties`: a schema with one of them gets no warning. */
const otherDeclarations = [
  ...["patternProperties", "$ref", "$dynamicRef", "dependentSchemas"],
  ...["allOf", "anyOf", "oneOf", "if"],
];

/** Arguments that the schema lets pass without knowing them: the function may not know them either. */
function undeclared(parameters: JsonSchema | null, input: JsonObject): string[] {
  if (!isMap(parameters) || isMap(parameters.additionalProperties)) return [];
  if (otherDeclarations.some((keyword) => Object.hasOwn(parameters, keyword))) return [];
  const declared = isMap(parameters.properties) ? parameters.properties : {};
  const names = Object.keys(input).filter((name) => !Object.hasOwn(declared, name));
  return names.length === 0
    ? []
    : [`undeclared-argument: ${shorten(names.join(", "), 200)} is not in the parameters of the tool`];
}

/** Beyond this number the oldest schema is dropped from the cache. */
const maxSchemas = 1000;

/** Returns the argument check of a tool, compiled once for each schema. A `UserError` for an invalid schema. */
export function argumentChecks(): (tool: HostedTool) => CheckArguments {
  /** A skill that was read again has another schema object with the same text, so both are looked up. */
  const byObject = new WeakMap<object, CheckArguments>();
  const byText = new Map<string, CheckArguments>();

  function findByText(tool: HostedTool): CheckArguments {
    const { parameters } = tool;
    const text = JSON.stringify(parameters);
    const check = byText.get(text) ?? compile(tool, parameters);
    byText.set(text, check);
    const [first] = byText.keys();
    if (byText.size > maxSchemas && first !== undefined) byText.delete(first);
    return check;
  }

  return (tool) => {
    const { parameters } = tool;
    if (typeof parameters !== "object" || parameters === null) return findByText(tool);
    const check = byObject.get(parameters) ?? findByText(tool);
    byObject.set(parameters, check);
    return check;
  };
}

function compile({ skill, name }: HostedTool, parameters: JsonSchema | null): CheckArguments {
  const made = argumentsCheck(parameters);
  if (made.ok) return made.check;
  throw new UserError(
    "skill-invalid",
    `${skill.id}#${name}: its parameters are not a valid JSON Schema: ${made.problem}`,
    { path: join(skill.dir, "skill.json"), jsonPath: "$.tools" },
  );
}
