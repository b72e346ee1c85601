import { shorten } from "../base/visible-text.ts";
import type { Json } from "../contract/json.ts";
import type { Report, TaskFacts } from "../contract/report.ts";

/** Something a task said: its input, or what it expected. */
export interface AskedValue {
  name: "input" | "expected";
  value: Json;
  /** The value is the beginning of a longer one, as text. */
  isCut: boolean;
}

/** What the tasks of a report asked for, by their ids; nothing where the file does not tell. */
export function tasksById({ tasks = [] }: Pick<Report, "tasks">): ReadonlyMap<string, TaskFacts> {
  return new Map(tasks.map((task) => [task.id, task]));
}

/** Input and expected value of a task; nothing where the report does not tell. */
export function askedValues(task: TaskFacts | undefined): AskedValue[] {
  if (task === undefined) return [];
  const { input, isShortened } = task;
  const expected = expectedValue(task.expected);
  const isCut = (value: Json) => isShortened && typeof value === "string" && value.endsWith("…");
  return [
    { name: "input", value: input, isCut: isCut(input) },
    ...(expected === undefined
      ? []
      : [{ name: "expected" as const, value: expected, isCut: isCut(expected) }]),
  ];
}

/** The same as short lines of plain text: `input: {"n":5}`. */
export function describeAsked(task: TaskFacts | undefined, limit: number): string[] {
  return askedValues(task).map((asked) => `${asked.name}: ${askedText(asked, limit)}`);
}

/** A value as short JSON. */
export function askedText({ value, isCut }: AskedValue, limit: number): string {
  return shorten(isCut ? String(value) : JSON.stringify(value), limit);
}

/** A bare value says more than the object around it; an expectation without members, as custom scorers have, says nothing. */
function expectedValue(expected: Json): Json | undefined {
  if (expected === null || typeof expected !== "object" || Array.isArray(expected)) return expected;
  const { type: _, ...rest } = expected;
  const names = Object.keys(rest);
  if (names.length === 0) return undefined;
  return names.length === 1 && names[0] === "value" ? rest.value : rest;
}
