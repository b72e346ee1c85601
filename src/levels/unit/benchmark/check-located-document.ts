import type * as z from "zod";
import type { CheckedDocument, Document } from "../../../shared/files/check-document.ts";
import { jsonFileCapBytes, readTextFile } from "../../../shared/files/read-text-file.ts";
import { knownKeys, type UnknownKey, unknownKeys } from "../../../shared/json/known-keys.ts";
import { jsonPath, nearestPosition } from "../../../shared/json/places.ts";
import { positionInJson } from "../../../shared/json/position-in-json.ts";
import { readJsonPath } from "../../../shared/json/read-json-path.ts";
import { zodProblems } from "../../../shared/json/zod-problem.ts";
import { UserError } from "../../../shared/user-error.ts";

/** One mistake in a document. */
export interface DocumentProblem {
  steps: readonly PropertyKey[];
  /** A whole sentence that names the member: `$.tasks[3].timeoutMs must be at least 1`. */
  message: string;
  hint?: string | undefined;
}

export interface LocatedDocument extends Document {
  /** The JSON text, to find line and column in. */
  text: string;
}

/** Problems listed before the rest is only counted. */
const maxListed = 20;
/** Problems whose position is looked up, each by a walk through the text. */
const maxLocated = 200;

/**
 * Checks JSON that a person wrote against a schema and rules of its own. All mistakes are reported together, in the
 * order of the file, each with line and column.
 */
export function checkLocatedDocument<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  document: LocatedDocument,
  findProblems: (value: unknown) => DocumentProblem[],
): CheckedDocument<z.infer<Schema>> {
  const unknown = unknownKeys(value, knownKeys(schema));
  const misspelt = unknown.filter(({ meant, isUnsafe }) => meant !== null || isUnsafe);
  const read = schema.safeParse(value);
  const problems = [
    ...misspelt.map(unknownKeyProblem),
    ...(read.success ? [] : zodProblems(read.error, value)).filter(({ steps }) => !isMeant(steps, misspelt)),
    ...findProblems(value),
  ];
  if (problems.length > 0 || !read.success) throw refusal(problems, document);
  const warnings = unknown.map(
    ({ steps }) => `${document.path}: the key ${jsonPath(steps)} is not known and was ignored`,
  );
  return { value: read.data, warnings };
}

function unknownKeyProblem({ steps, meant, isUnsafe }: UnknownKey): DocumentProblem {
  const key = `the key ${jsonPath(steps)}`;
  if (isUnsafe || meant === null) return { steps, message: `${key} is not allowed` };
  return { steps, message: `${key} is not known`, hint: `did you mean ${meant}?` };
}

/** A required key that is missing because it is misspelt is one mistake, not two. */
function isMeant(steps: readonly PropertyKey[], misspelt: readonly UnknownKey[]): boolean {
  const missing = jsonPath(steps);
  return misspelt.some(
    (key) => key.meant !== null && jsonPath([...key.steps.slice(0, -1), key.meant]) === missing,
  );
}

/**
 * The mistakes that were found after a file was loaded, as one error of the same form. Those of one file belong
 * together: fixing them one run at a time takes a run for each.
 */
export function errorOfFile(errors: readonly UserError[], path: string): UserError {
  const problems = errors.map(({ jsonPath: at, message, hint }) => {
    return { steps: readJsonPath(at ?? "$") ?? [], message, hint: hint ?? undefined };
  });
  const code = errors[0]?.code ?? "benchmark-invalid";
  return refusal(problems, { path, code, text: readTextFile(path, { code, capBytes: jsonFileCapBytes }) });
}

function refusal(problems: readonly DocumentProblem[], { path, code, text }: LocatedDocument): UserError {
  const all = distinct(problems);
  const located = all.slice(0, maxLocated).map((problem) => ({
    ...problem,
    position: nearestPosition((steps) => positionInJson(text, steps), problem.steps) ?? {
      line: 1,
      column: 1,
    },
  }));
  located.sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
  const [first, ...others] = located;
  const at = { path, jsonPath: jsonPath(first?.steps ?? []) };
  if (first !== undefined && others.length === 0) {
    const { line, column } = first.position;
    return new UserError(code, `${path}:${line}:${column}: ${first.message}`, { ...at, hint: first.hint });
  }
  const lines = located.slice(0, maxListed).map(({ position: { line, column }, message, hint }) => {
    const advice = hint === undefined ? "" : `, ${hint}`;
    return `${line}:${column} ${message}${advice}`;
  });
  if (all.length > maxListed) lines.push(`… and ${all.length - maxListed} more`);
  return new UserError(code, [`${path} has ${all.length} problems:`, ...lines].join("\n  "), at);
}

/** One member gets one message: the first is the most specific. */
function distinct(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ steps }) => {
    const { size } = seen;
    return seen.add(jsonPath(steps)).size > size;
  });
}
