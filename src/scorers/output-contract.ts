import { maxViolations, type OutputContract, type Violation } from "../contract/output-contract.ts";
import { type CompiledSchema, compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shorten, shownText } from "../shared/text/visible-text.ts";

export type CompiledContract =
  | {
      ok: true;
      /** How a text breaks the contract: at most ten ways, equal texts in equal order; none where it holds. */
      check(text: string): Violation[];
    }
  | { ok: false; problem: string };

/** Gets a contract ready to be held against texts. A schema that cannot be used is a problem of the contract. */
export function compileContract({ markers, maxChars, schemas }: OutputContract): CompiledContract {
  const compiled: NamedSchema[] = [];
  for (const { name, schema } of schemas) {
    const one = compileSchema(schema);
    if (!one.ok)
      return { ok: false, problem: `the schema ${shownText(name)} cannot be used: ${one.problem}` };
    compiled.push({ name, violations: one.violations });
  }
  return {
    ok: true,
    check: (text) =>
      [...missingMarkers(text, markers), ...surplusOf(text, maxChars), ...misfitsOf(text, compiled)].slice(
        0,
        maxViolations,
      ),
  };
}

interface NamedSchema {
  name: string;
  violations: Extract<CompiledSchema, { ok: true }>["violations"];
}

function missingMarkers(text: string, markers: readonly string[]): Violation[] {
  return markers
    .filter((marker) => !text.includes(marker))
    .map((marker) => ofWhole(`lacks the marker ${shownText(JSON.stringify(marker))}`));
}

function surplusOf(text: string, maxChars: number | null): Violation[] {
  if (maxChars === null || text.length <= maxChars) return [];
  let characters = 0;
  for (const _ of text) characters++;
  if (characters <= maxChars) return [];
  return [ofWhole(`has ${characters} characters, and at most ${maxChars} are allowed`)];
}

function misfitsOf(text: string, schemas: readonly NamedSchema[]): Violation[] {
  if (schemas.length === 0) return [];
  const json = parseStrictJson(text.trim());
  if (!json.ok)
    return [ofWhole(`is not one JSON value: ${shownText(json.problem.replace(/\s+/g, " "), 200)}`)];
  return schemas.flatMap((schema) => {
    const found = violationsOf(json.value, schema);
    if (schemas.length === 1) return found;
    return found.map(({ pointer, reason }) => ({ pointer, reason: `${reason} (${shownText(schema.name)})` }));
  });
}

function violationsOf(value: unknown, { name, violations }: NamedSchema): Violation[] {
  try {
    const found = violations(value).map(({ pointer, reason }) => ({
      pointer: shorten(pointer, 300),
      reason,
    }));
    const telling = found.filter(({ reason }) => !isEcho(reason));
    const distinct = new Map((telling.length > 0 ? telling : found).map((one) => [JSON.stringify(one), one]));
    return [...distinct.values()];
  } catch (error) {
    // Nobody knows whether it fits, and what is not known to hold does not hold.
    if (error instanceof ValidationOverran) return [ofWhole(`${error.message} (${shownText(name)})`)];
    throw error;
  }
}

/** Says only that something else is wrong, which is reported separately. */
function isEcho(reason: string): boolean {
  return reason === 'must match "then" schema' || reason === 'must match "else" schema';
}

function ofWhole(reason: string): Violation {
  return { pointer: "", reason };
}
