import { isMap } from "../../../shared/json/json-values.ts";
import { didYouMean } from "../../../shared/text/nearest.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import type { DocumentProblem, Expanded } from "./check-located-document.ts";

/** The case that a row of a table makes of a task. */
interface MadeTask {
  value: unknown;
  /** Where its task is in the list. */
  index: number;
  /** Null where a task has no table. */
  row: number | null;
}

/**
 * Writes out tasks with a table of `parameters`: a case per row, with the values of the row in place of `{{name}}`. Where a table
 * cannot be read its task stays as it is, so that the schema says what is wrong with it.
 */
export function expandTasks(tasks: readonly unknown[], above: readonly PropertyKey[]): Expanded {
  const problems: DocumentProblem[] = [];
  const made = tasks.flatMap((task, index): MadeTask[] => {
    const rows = isMap(task) ? task.parameters : undefined;
    if (!isMap(task) || !isTable(rows)) return [{ value: task, index, row: null }];
    const { parameters: _, ...template } = task;
    const found = tableProblems(template, rows, [...above, index]);
    problems.push(...found);
    const complete = found.length === 0 ? rows : rows.slice(0, 1);
    const idColumns = columnsOfId(template, rows);
    return complete.map((row, at) => ({ value: fillTask(template, row, idColumns), index, row: at }));
  });
  return {
    value: made.map(({ value }) => value),
    problems,
    stepsOf(steps) {
      const at = steps[above.length];
      const one = typeof at === "number" ? made[at] : undefined;
      if (one === undefined) return steps;
      const below = steps.slice(above.length + 1);
      const own = [...above, one.index];
      // Two rows with the same id are told apart by their place in the table.
      return one.row !== null && below[0] === "id" ? [...own, "parameters", one.row] : [...own, ...below];
    },
  };
}

type Row = Record<string, unknown>;

function isTable(rows: unknown): rows is [Row, ...Row[]] {
  return Array.isArray(rows) && rows.length > 0 && rows.every(isMap);
}

/** `{{name}}`; after a backslash it is text. */
const placeholder = /\\?\{\{\s*([^{}]*?)\s*\}\}/g;
const wholePlaceholder = /^\{\{\s*([^{}]*?)\s*\}\}$/;

function fillTask(template: Row, row: Row, idColumns: readonly string[]): unknown {
  const filled = fill(template, row) as Row;
  if (typeof template.id !== "string" || namesIn(template.id).length > 0) return filled;
  const words = idColumns.map((column) => `${column}=${idText(row[column])}`);
  return { ...filled, id: `${template.id}[${words.join(",")}]` };
}

/** Parts without placeholders are shared by all cases. A text that is one placeholder becomes its value, whatever its type. */
function fill(value: unknown, row: Row): unknown {
  if (typeof value === "string") {
    const [, whole] = wholePlaceholder.exec(value) ?? [];
    if (whole !== undefined) return Object.hasOwn(row, whole) ? row[whole] : value;
    return value.replace(placeholder, (found, name) => {
      if (found.startsWith("\\")) return found.slice(1);
      return Object.hasOwn(row, name) ? valueText(row[name]) : found;
    });
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => fill(item, row));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, fill(member, row)] as const);
  return entries.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(entries);
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const idChars = 40;

/** A value in an id: one line, and not too long. */
function idText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value);
  return shorten(text ?? "", idChars);
}

/** What tells the cases of a task apart is what the skill is given; where that is always the same, everything. */
function columnsOfId({ inputData, document }: Row, [first]: readonly [Row, ...Row[]]): string[] {
  const columns = Object.keys(first);
  const used = new Set([...namesIn(inputData), ...namesIn(document)]);
  const ofInput = columns.filter((column) => used.has(column));
  return ofInput.length > 0 ? ofInput : columns;
}

/** The names of all placeholders in a value. */
function namesIn(value: unknown): string[] {
  return [...placeholdersIn(value, [])].map(({ name }) => name);
}

interface Placeholder {
  name: string;
  steps: readonly PropertyKey[];
}

function* placeholdersIn(value: unknown, steps: readonly PropertyKey[]): Generator<Placeholder> {
  if (typeof value === "string") {
    for (const [found, name = ""] of value.matchAll(placeholder))
      if (!found.startsWith("\\")) yield { name, steps };
    return;
  }
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* placeholdersIn(item, [...steps, index]);
  else if (isMap(value))
    for (const [key, member] of Object.entries(value)) yield* placeholdersIn(member, [...steps, key]);
}

/** Rows with other columns than the first, placeholders without a column, and columns without a placeholder. */
function tableProblems(
  template: Row,
  rows: readonly [Row, ...Row[]],
  at: readonly PropertyKey[],
): DocumentProblem[] {
  const columns = Object.keys(rows[0]);
  const used = [...placeholdersIn(template, at)];
  const names = new Set(used.map(({ name }) => name));
  const unknown = used.filter(({ name }) => !columns.includes(name));
  const unused = columns.filter((column) => !names.has(column));
  return [
    ...unknown.map(({ name, steps }) => ({
      steps,
      message: `the placeholder {{${name}}} is not a column of \`parameters\``,
      hint: `${didYouMean(name, columns)}; a backslash before it keeps it as text`,
    })),
    ...unused.map((column) => ({
      steps: [...at, "parameters", 0, column],
      message: `the column ${column} is not used`,
      hint: `write {{${column}}} where its value belongs, or remove it`,
    })),
    ...rows.slice(1).flatMap((row, index) => rowProblems(row, columns, [...at, "parameters", index + 1])),
  ];
}

function rowProblems(row: Row, columns: readonly string[], steps: readonly PropertyKey[]): DocumentProblem[] {
  const missing = columns.filter((column) => !Object.hasOwn(row, column));
  const added = Object.keys(row).filter((column) => !columns.includes(column));
  return [
    ...added.map((column) => ({
      steps: [...steps, column],
      message: `the first row has no column ${column}`,
      hint: didYouMean(column, missing.length > 0 ? missing : columns),
    })),
    // A column that is misspelt is one mistake.
    ...missing
      .slice(added.length)
      .map((column) => ({ steps, message: `the row has no value for ${column}` })),
  ];
}
