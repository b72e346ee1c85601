import * as z from "zod";
import { openPermissions } from "../../config/grants/open-permissions.ts";
import { Config } from "../../contract/config.ts";
import type { ReportDocument } from "../../contract/document.ts";
import type { Listener } from "../../contract/event.ts";
import { type OptionRow, typedConfig, withoutRows } from "../../contract/option-table.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { prepareOutput } from "../../engine/prepare-output.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { type RunEnd, runLevels } from "../../engine/run-levels.ts";
import { type EvalOptions, evalTable } from "../../levels/unit/options.ts";
import { loadFormats } from "../../report/formats/load-formats.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { collectPages } from "../../shared/async/each-of.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { evalOutput, outputOptions, planOptions } from "./request.ts";
import { evalSessions } from "./session.ts";

/** Command-line options that make no sense for a program. */
const notShared = [
  "requireTriggering",
  "network",
  "allowNetwork",
  "python",
  "resume",
  "rescore",
  "dryRun",
  "shard",
  "failed",
  "changed",
  "otlp",
] as const satisfies readonly (keyof EvalOptions)[];

/**
 * The options of `eval-skills eval`, with the same defaults. Reports and the line log are
 * only written where `formats` and `evalLog` ask for them; files of configuration are not read.
 */
export interface EvaluateOptions extends Omit<EvalOptions, "skills" | (typeof notShared)[number]> {
  /** Files or folders. */
  skills: readonly string[];
  /** Anything else that the configuration file can say, such as `{ llm: { model: "…" } }`. */
  config?: z.input<typeof Config>;
  /** Relative paths count from here; default the current directory. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** What files may have, as after `--grant`: `["env:OPENWEATHER_KEY", "host:api.example.com"]`. */
  grants?: readonly string[];
  /** Called with every event of the run. */
  onEvent?: Listener;
  /** Stops the run: ended cells are stored, and `eval-skills eval --resume` continues it. */
  signal?: AbortSignal;
}

export interface Evaluation {
  runId: string;
  report: ReportDocument;
  /** The cells of one skill, suite by suite in the order of the plan. */
  cells(skillId: string): Promise<CellResult[]>;
}

/** Evaluates skills as `eval-skills eval` does. What the user can fix is thrown as a `UserError`. */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { cwd = process.cwd(), formats = [], onEvent, signal } = options;
  refuseUnknownOptions(options);
  const config = makeConfig(options);
  checked(Typed.safeParse(options), "usage");
  // Only what was requested is written besides the store.
  const typed: EvalOptions = { ...options, evalLog: options.evalLog ?? null };
  const sources = { config, origins: {}, files: { project: null, user: null } };
  const output = outputOptions(typed, sources, cwd);
  const { env = process.env, record, replay, skipUngranted, grants = [] } = options;
  const opened = config.sandbox.allowNetwork.map((host) => `host:${host}`);
  const permissions = openPermissions({ cwd, project: cwd, typed: [...grants, ...opened] });
  const context = makeRunContext({
    env,
    cwd,
    output,
    config,
    record,
    replay,
    permissions,
    skipUngranted,
  });
  signal?.throwIfAborted();
  await using session = await evalSessions.begin(planOptions(typed, sources, cwd), context, () =>
    prepareOutput({ outputDir: formats.length > 0 ? output.outputDir : null, evalLog: output.evalLog }),
  );
  using interrupt = interruptOn(signal);
  const end = await runLevels(session, evalOutput(output), {
    formats: await loadFormats(formats),
    render: { csvRows: output.csvRows },
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: onEvent === undefined ? [] : [onEvent],
    version: context.version,
    cwd,
    env,
  });
  return {
    runId: session.run.id,
    report: finishedReport(end, signal),
    cells: cellReader(context.storePath, session.run.id),
  };
}

const table = withoutRows(evalTable, ...notShared);

const ownOptions = [
  "config",
  "cwd",
  "env",
  "grants",
  "onEvent",
  "signal",
] as const satisfies readonly (keyof EvaluateOptions)[];

/** A misspelt option, such as a gate, would silently have no effect. */
function refuseUnknownOptions(options: EvaluateOptions): void {
  const known = [...Object.keys(table), ...ownOptions];
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new UserError("usage", `evaluate: unknown option ${JSON.stringify(name)}`, {
        hint: didYouMean(name, known),
      });
}

function makeConfig({ config, formats: _, ...options }: EvaluateOptions): Config {
  return checked(Config.safeParse({ ...config, ...typedConfig(table, { ...options }) }), "config-invalid");
}

/** The ranges and choices of the command line, checked here for programs in plain JavaScript. */
const Typed = z.object(
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, valueSchema(row).optional()])),
);

function valueSchema({ type, choices = [], isNullable, ...row }: OptionRow): z.ZodType {
  const { min = -Infinity, max = Infinity } = row;
  const text = isNullable ? z.string().min(1).nullable() : z.string().min(1);
  switch (type) {
    case "text":
    case "optional-text":
      return text;
    case "texts":
    case "hosts":
      return z.array(text);
    case "count":
      return z.int().min(min).max(max);
    case "rate":
      return z.number().min(0).max(1);
    case "number":
      return z.number().min(min).max(max);
    case "choice":
      return z.enum(choices);
    case "choices":
      return z.array(z.enum(choices));
    case "switch":
      return z.boolean();
    default:
      return type satisfies never;
  }
}

function checked<Value>(read: z.ZodSafeParseResult<Value>, code: "usage" | "config-invalid"): Value {
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw new UserError(code, `${problem?.path.join(".") || "config"}: ${problem?.message}`);
}

/** An outside abort acts like Ctrl-C. Disposed of when the run has ended, since the signal may outlive it. */
function interruptOn(outside: AbortSignal | undefined): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Interrupted("SIGINT"));
  if (outside?.aborted) interrupt(); // aborted during the checks, so no event follows
  outside?.addEventListener("abort", interrupt, { once: true });
  return { signal: stop.signal, [Symbol.dispose]: () => outside?.removeEventListener("abort", interrupt) };
}

function finishedReport(end: RunEnd, signal: AbortSignal | undefined): ReportDocument {
  if (end.state === "done") return { ...end.report, cases: [...end.report.cases] };
  throw signal?.reason;
}

function cellReader(storePath: string, runId: string): Evaluation["cells"] {
  return async (skillId) => {
    await using store = await openSqliteStore(storePath);
    return (await collectPages(store.results(runId, { subject: skillId }))).map(parseCell);
  };
}
