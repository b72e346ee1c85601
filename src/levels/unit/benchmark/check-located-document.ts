import type * as z from "zod";
import type { CheckedDocument, Document } from "../../../shared/files/check-document.ts";
import type { LocatedFile } from "../../../shared/files/located-file.ts";
import { knownKeys, type UnknownKey, unknownKeys } from "../../../shared/json/known-keys.ts";
import { jsonPath, nearestPosition, type TextPosition } from "../../../shared/json/locations.ts";
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

/** What could not be read of a document is reported with what is wrong with the rest. */
export type LocatedDocument = Document & Pick<LocatedFile, "faults" | "findPosition">;

/** Problems listed before the rest is only counted. */
const maxListed = 20;
/** Problems whose position is looked up, each perhaps by a walk through the text. */
const maxLocated = 200;

/** A document with everything written out that it only describes. */
export interface Expanded {
  value: unknown;
  problems: readonly DocumentProblem[];
  /** Where a member of it comes from in the document. */
  stepsOf(steps: readonly PropertyKey[]): readonly PropertyKey[];
}

/**
 * Checks data that a person wrote against a schema and rules of its own. All mistakes are reported together, in the
 * order of the file, each with line and column.
 */
export function checkLocatedDocument<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  document: LocatedDocument,
  findProblems: (value: unknown) => DocumentProblem[],
  expanded: Expanded = { value, problems: [], stepsOf: (steps) => steps },
): CheckedDocument<z.infer<Schema>> {
  const unknown = unknownKeys(value, knownKeys(schema));
  const misspelt = unknown.filter((key) => key.meant !== null || key.isUnsafe || isExpected(key));
  const read = schema.safeParse(expanded.value);
  const problems = [
    ...misspelt.map(unknownKeyProblem),
    ...expanded.problems,
    ...[...(read.success ? [] : zodProblems(read.error, expanded.value)), ...findProblems(expanded.value)]
      .map((problem) => relocated(problem, expanded))
      .filter(({ steps }) => !isMeant(steps, misspelt)),
  ];
  if (problems.length > 0 || document.faults.length > 0 || !read.success) throw refusal(problems, document);
  const warnings = unknown.map(
    ({ steps }) => `${document.path}: the key ${jsonPath(steps)} is not known and was ignored`,
  );
  return { value: read.data, warnings };
}

/** A problem of what was written out, where it is in the document. */
function relocated({ steps, message, hint }: DocumentProblem, { stepsOf }: Expanded): DocumentProblem {
  const own = stepsOf(steps);
  const shown = jsonPath(steps);
  return {
    steps: own,
    hint,
    message: message.startsWith(shown) ? jsonPath(own) + message.slice(shown.length) : message,
  };
}

function unknownKeyProblem({ steps, meant, isUnsafe }: UnknownKey): DocumentProblem {
  const key = `the key ${jsonPath(steps)}`;
  if (isUnsafe) return { steps, message: `${key} is not allowed` };
  if (meant === null)
    return { steps, message: `${key} is not known`, hint: "remove it: nothing would check it" };
  return { steps, message: `${key} is not known`, hint: `did you mean ${meant}?` };
}

const expectations: readonly PropertyKey[] = ["expectedOutput", "expect", "evaluator"];

/** Whether a key is part of what is expected: ignored, it would be one thing less. */
function isExpected({ steps }: UnknownKey): boolean {
  return steps.slice(0, -1).some((step) => expectations.includes(step));
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
export function errorOfFile(errors: readonly UserError[], document: LocatedDocument): UserError {
  const problems = errors.map(({ jsonPath: at, message, hint }) => {
    return { steps: readJsonPath(at ?? "$") ?? [], message, hint: hint ?? undefined };
  });
  return refusal(problems, { ...document, code: errors[0]?.code ?? document.code });
}

/** The error for a document with these problems, and with what could not be read of it. */
export function refusal(
  problems: readonly DocumentProblem[],
  { path, code, faults, findPosition }: LocatedDocument,
): UserError {
  const all = distinct(problems);
  const count = faults.length + all.length;
  const located: LocatedProblem[] = [
    ...faults.map(({ problem, hint, ...position }) => ({ steps: [], message: problem, hint, position })),
    ...all.slice(0, maxLocated).map((problem) => ({
      ...problem,
      position: nearestPosition(findPosition, problem.steps) ?? { line: 1, column: 1 },
    })),
  ];
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
  if (count > maxListed) lines.push(`… and ${count - maxListed} more`);
  return new UserError(code, [`${path} has ${count} problems:`, ...lines].join("\n  "), at);
}

type LocatedProblem = DocumentProblem & { position: TextPosition };

/** One member gets one message: the first is the most specific. */
function distinct(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ steps }) => {
    const { size } = seen;
    return seen.add(jsonPath(steps)).size > size;
  });
}
