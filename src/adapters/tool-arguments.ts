import { isMap } from "../shared/json/is-map.ts";
import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { isNestedDeeper } from "./is-nested-deeper.ts";

/** What a tool may be given, and what is worth a word although it may. */
type CheckedArguments =
  | { ok: true; arguments: JsonObject; findings: string[] }
  /** One line: JSON pointer and reason of the first violations. */
  | { ok: false; problem: string };

export type CheckArguments = (input: Json) => CheckedArguments;

const maxBytes = 10 * 1024 * 1024;
const maxDepth = 64;
const maxViolations = 5;
const draft = "https://json-schema.org/draft/2020-12/schema";

/** The check that comes before every call of a tool: by the whole schema, with nothing coerced and nothing filled in. */
export function argumentsCheck(
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

/** Keywords by which a schema can declare members elsewhere than in `properties`: where one stands, nobody is blamed. */
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
