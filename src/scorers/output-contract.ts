import { maxViolations, type OutputContract, type Violation } from "../contract/output-contract.ts";
import type { JsonSchema } from "../shared/json/json.ts";
import { type CompiledSchema, compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shorten, shownText } from "../shared/text/visible-text.ts";

export type CompiledContract =
  | {
      ok: true;
      /** The violations of a text: at most ten, in a stable order; none if the contract holds. */
      check(text: string): Violation[];
    }
  | { ok: false; problem: string };

/** Compiles a contract. An invalid schema is a problem of the contract. */
export function compileContract({ markers, maxChars, schemas }: OutputContract): CompiledContract {
  const compiled: NamedSchema[] = [];
  for (const { name, schema, check } of schemas) {
    const one = compiledSchema(schema);
    if (!one.ok)
      return { ok: false, problem: `the schema ${shownText(name)} cannot be used: ${one.problem}` };
    const { violations } = one;
    compiled.push({
      name,
      violations(value) {
        const found = violations(value);
        return found.length === 0 && check !== undefined ? check(value) : found;
      },
    });
  }
  return {
    ok: true,
    check: (text) =>
      [
        ...missingMarkers(text, markers),
        ...findSurplus(text, maxChars),
        ...findMismatches(text, compiled),
      ].slice(0, maxViolations),
  };
}

/** Compiled once: the schema of plans takes 80 ms, and every conversation is checked against it. */
function compiledSchema(schema: JsonSchema): CompiledSchema {
  if (typeof schema === "boolean") return compileSchema(schema);
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known;
  const made = compileSchema(schema);
  compiledSchemas.set(schema, made);
  return made;
}

const compiledSchemas = new WeakMap<object, CompiledSchema>();

interface NamedSchema {
  name: string;
  violations: Extract<CompiledSchema, { ok: true }>["violations"];
}

function missingMarkers(text: string, markers: readonly string[]): Violation[] {
  return markers
    .filter((marker) => !text.includes(marker))
    .map((marker) => ofWhole(`lacks the marker ${shownText(JSON.stringify(marker))}`));
}

function findSurplus(text: string, maxChars: number | null): Violation[] {
  if (maxChars === null || text.length <= maxChars) return [];
  let characters = 0;
  for (const _ of text) characters++;
  if (characters <= maxChars) return [];
  return [ofWhole(`has ${characters} characters, and at most ${maxChars} are allowed`)];
}

function findMismatches(text: string, schemas: readonly NamedSchema[]): Violation[] {
  if (schemas.length === 0) return [];
  const json = parseStrictJson(text.trim());
  if (!json.ok)
    return [ofWhole(`is not one JSON value: ${shownText(json.problem.replace(/\s+/g, " "), 200)}`)];
  return schemas.flatMap((schema) => {
    const found = findViolations(json.value, schema);
    if (schemas.length === 1) return found;
    return found.map(({ pointer, reason }) => ({ pointer, reason: `${reason} (${shownText(schema.name)})` }));
  });
}

function findViolations(value: unknown, { name, violations }: NamedSchema): Violation[] {
  try {
    const found = violations(value).map(({ pointer, reason }) => ({
      pointer: shorten(pointer, 300),
      reason,
    }));
    const specific = found.filter(({ reason }) => !isEcho(reason));
    const distinct = new Map(
      (specific.length > 0 ? specific : found).map((one) => [JSON.stringify(one), one]),
    );
    return [...distinct.values()];
  } catch (error) {
    // Validation did not finish; an unproven contract counts as violated.
    if (error instanceof ValidationOverran) return [ofWhole(`${error.message} (${shownText(name)})`)];
    throw error;
  }
}

/** Whether a reason only repeats that something else is wrong, which is reported separately. */
function isEcho(reason: string): boolean {
  return reason === 'must match "then" schema' || reason === 'must match "else" schema';
}

function ofWhole(reason: string): Violation {
  return { pointer: "", reason };
}
