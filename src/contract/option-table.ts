import { resolve } from "node:path";
import type { GateLine } from "./configured-gate.ts";

/** One option or argument of a command: flag, help, completion, configuration key, stored plan and the check of `--resume` come from here. */
export interface OptionRow {
  /** As it is typed: `-q, --query <text>`, `--dry-run`, or an argument such as `[paths...]`. */
  readonly flag: string;
  readonly help: string;
  readonly type:
    | "text"
    | "texts"
    | "hosts"
    | "count"
    | "rate"
    | "number"
    | "choice"
    | "choices"
    | "switch"
    | "optional-text";
  /** The words that `choice` and `choices` take. */
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Whether the ends of the range are outside of it. */
  readonly isOpenRange?: boolean;
  /** Reads one text where it has to be more than not empty. */
  readonly parse?: (text: string, flag: string) => string;
  /** In force where nobody says otherwise, and shown in the help. */
  readonly default?: string | number | readonly string[];
  /** What the help says about the default, where it is not a plain value. */
  readonly defaultText?: string;
  /** The configuration key that it overrides, in dot notation. */
  readonly config?: string;
  /**
   * `plan`: decides the cells of a run or how they end; stored with its plan, and refused where a run is resumed.
   * `run`: belongs to the run as well, but not to its cells; a resumed run has it as before, unless it is typed again.
   * Left out: for this call alone.
   */
  readonly scope?: "plan" | "run";
  /** What a stored run cannot bring back, so that it is typed again where the run is resumed: these words, or whatever it says. */
  readonly onlyTyped?: readonly string[] | true;
  /** Of a switch: what the help says about `--no-…`, which is there only with it. */
  readonly negation?: string;
  /** Other names of it: `--repeats`. */
  readonly aliases?: readonly string[];
  /** The command line that shows how it is given, where it must be: in the plan of a new run, otherwise always. */
  readonly required?: string;
  /** Which line of `gates` in the configuration it takes the place of, at its level. */
  readonly gate?: GateLine;
  /** Whether a program or a stored run may say null, which means none. */
  readonly isNullable?: true;
}

/** The options of a command by the names they have in the code. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

/** Everything of a row besides its flag, help and type; a misspelt name does not compile. */
type More<Rest> = Rest & { readonly [Name in Exclude<keyof Rest, keyof OptionRow>]: never };

function rows<Type extends OptionRow["type"]>(type: Type) {
  return <const Flag extends string, const Rest extends Partial<OptionRow> = Record<never, never>>(
    flag: Flag,
    help: string,
    rest?: More<Rest>,
  ) => ({ flag, help, type, ...rest }) as { flag: Flag; help: string; type: Type } & Rest;
}

/** Makes rows: `row.count("--retries <n>", "on error and timeout", { min: 0, default: 0 })`. */
export const row = {
  text: rows("text"),
  texts: rows("texts"),
  hosts: rows("hosts"),
  count: rows("count"),
  rate: rows("rate"),
  number: rows("number"),
  choice: rows("choice"),
  choices: rows("choices"),
  switch: rows("switch"),
  optionalText: rows("optional-text"),
};

type Scoped<Rows, Scope> = { readonly [Name in keyof Rows]: Rows[Name] & { readonly scope: Scope } };

/** Rows that decide the cells of a run or how they end. */
export function planRows<Rows extends OptionTable>(own: Rows): Scoped<Rows, "plan"> {
  return scoped(own, "plan");
}

/** Rows that belong to a run, but not to its cells. */
export function runRows<Rows extends OptionTable>(own: Rows): Scoped<Rows, "run"> {
  return scoped(own, "run");
}

function scoped<Rows extends OptionTable, Scope>(own: Rows, scope: Scope): Scoped<Rows, Scope> {
  const entries = Object.entries(own).map(([name, one]) => [name, { ...one, scope }]);
  return Object.fromEntries(entries) as Scoped<Rows, Scope>;
}

type Word<Row> = Row extends { choices: readonly (infer Choice)[] } ? Choice : string;
type List = "texts" | "hosts" | "choices";

interface Values<Row> {
  text: string;
  texts: readonly string[];
  hosts: readonly string[];
  count: number;
  rate: number;
  number: number;
  choice: Word<Row>;
  choices: readonly Word<Row>[];
  switch: boolean;
  "optional-text": string | true;
}

type Value<Row extends OptionRow> =
  | Values<Row>[Row["type"]]
  | (Row extends { isNullable: true } ? null : never);

type IsPresent<Row> = Row extends { scope: string } | { config: string }
  ? false
  : Row extends { required: string } | { default: unknown } | { flag: `<${string}` }
    ? true
    : false;

/**
 * What was typed. What belongs to a run or overrides the configuration is absent unless it was typed: a default never beats
 * a file. Other options have their default.
 */
export type Options<Table extends OptionTable> = {
  readonly [Name in keyof Table as IsPresent<Table[Name]> extends true ? never : Name]?:
    | Value<Table[Name]>
    | undefined;
} & {
  readonly [Name in keyof Table as IsPresent<Table[Name]> extends true ? Name : never]: Value<Table[Name]>;
};

/** The options of one scope as a run has them: with defaults where nothing was typed. */
export type Settled<Table extends OptionTable, Scope extends "plan" | "run"> = {
  -readonly [Name in keyof Table as Table[Name] extends { scope: Scope } ? Name : never]:
    | Value<Table[Name]>
    | (HasDefault<Table[Name]> extends true ? never : null);
};

type HasDefault<Row> = Row extends { default: unknown } | { config: string } | { type: "switch" | List }
  ? true
  : false;

/** What every function here reads of typed options. */
type Typed<Table extends OptionTable> = { readonly [Name in keyof Table]?: unknown };

/** The options of one scope: what was typed, else the configuration, else the default; null where there is none. */
export function settledOptions<Table extends OptionTable, Scope extends "plan" | "run">(
  table: Table,
  scope: Scope,
  typed: Typed<Table>,
  config: object = {},
): Settled<Table, Scope> {
  const values = rowsIn(table, scope).map(([name, row]) => [
    name,
    (row.config === undefined ? typed[name] : valueAt(config, row.config)) ?? defaultValue(row),
  ]);
  return Object.fromEntries(values) as Settled<Table, Scope>;
}

/**
 * What was typed of a run, stored with its plan. Paths of its output are stored whole: a run may be resumed from another
 * folder. Those of its plan count from the folder it was started in.
 */
export function storedOptions<Table extends OptionTable>(
  table: Table,
  typed: Typed<Table>,
  cwd: string,
): Partial<Options<Table>> {
  const rows = [...rowsIn(table, "plan"), ...rowsIn(table, "run")];
  const stored = rows.flatMap(([name, row]) => {
    const value = typed[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const isOutput = row.scope === "run" && takesPath(row) !== null;
    return [[name, typeof value === "string" && isOutput ? resolve(cwd, value) : value]];
  });
  return Object.fromEntries(stored) as Partial<Options<Table>>;
}

/** The part of the configuration that was typed. */
export function typedConfig(table: OptionTable, typed: Readonly<Record<string, unknown>>): object {
  const config: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table)) {
    const value = typed[name];
    if (row.config === undefined || value === undefined) continue;
    const [key = "", member] = row.config.split(".");
    config[key] = member === undefined ? value : { ...(config[key] as object | undefined), [member]: value };
  }
  return config;
}

/** `--query` of `-q, --query <text>`, and `<paths...>` of `[paths...]`. */
export function flagName({ flag }: Pick<OptionRow, "flag">): string {
  return /--[\w-]+/.exec(flag)?.[0] ?? flag.replace(/^\[(.*)\]$/, "<$1>");
}

/** Whether an option or argument takes files or folders, as its placeholder says. */
export function takesPath({ flag }: Pick<OptionRow, "flag">): "files" | "folders" | null {
  const words = placeholders(flag);
  if (words.some((word) => /^(?:paths?|files?|file\.jsonl|skills?)$/.test(word))) return "files";
  return words.some((word) => /^dirs?$/.test(word)) ? "folders" : null;
}

/** `point` and `lower` of `--gate-on <point|lower>`. */
export function placeholders(flag: string): string[] {
  return (/[<[]([^\]>]*)[\]>]/.exec(flag)?.[1] ?? "").replace("...", "").split("|");
}

/** A table without some of its rows. */
export function withoutRows<Table extends OptionTable, Name extends keyof Table>(
  table: Table,
  ...names: Name[]
): Omit<Table, Name> {
  const left = Object.entries(table).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(left) as unknown as Omit<Table, Name>;
}

function rowsIn<Table extends OptionTable>(table: Table, scope: "plan" | "run"): [string, OptionRow][] {
  return Object.entries(table).filter(([, row]) => row.scope === scope);
}

function defaultValue({ default: value, type }: OptionRow): unknown {
  if (value !== undefined) return value;
  if (type === "switch") return false;
  return type === "texts" || type === "hosts" || type === "choices" ? [] : null;
}

function valueAt(config: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], config);
}
