import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { allOf } from "../base/each-of.ts";
import { Config } from "../contract/config.ts";
import type { ReportDocument } from "../contract/document.ts";
import type { Listener } from "../contract/event.ts";
import { type ReportFormat, reportFormats } from "../contract/report-format.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import { mostRetries, mostTrials } from "../contract/run-limits.ts";
import { sandboxLevels } from "../contract/sandbox-level.ts";
import { UserError } from "../contract/user-error.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { prepareEvalLog } from "./eval-log.ts";
import { evalOutput } from "./eval-output.ts";
import { evalSessions } from "./eval-session.ts";
import { formatsFor } from "./formats.ts";
import { Interrupted } from "./interrupted.ts";
import { outputOptions, planOptions, type RunWishes } from "./request.ts";
import { type RunEnd, runLevels } from "./run-levels.ts";
import { surroundingsOf } from "./surroundings.ts";
import { prepareOutputFolder } from "./write-reports.ts";

/** What `evaluate` is asked to do. Everything but `skills` has the default of the command line; files of configuration are not read. */
export interface EvaluateOptions extends Omit<RunWishes, "isTimeoutTyped" | "requireTriggering"> {
  skills: readonly string[];
  /** Longest time for one attempt, also where a task allows more. */
  timeoutMs?: number;
  concurrency?: number;
  /** The record of runs; default `./eval-skills.db`. */
  store?: string;
  /** Reports to write into `outputDir`; default none. */
  formats?: readonly ReportFormat[];
  outputDir?: string;
  /** Anything else that the configuration file can say, such as `{ llm: { model: "…" } }`. */
  config?: z.input<typeof Config>;
  /** Folder that model calls are recorded in, or answered from. */
  record?: string;
  replay?: string;
  /** Relative paths count from here; default the current directory. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Hears everything the run tells. */
  onEvent?: Listener;
  /** Stops the run: what ended is kept, and `eval-skills eval --resume` goes on with it. */
  signal?: AbortSignal;
}

/** What came of an evaluation. */
export interface Evaluation {
  runId: string;
  report: ReportDocument;
  /** The cells of one skill, suite by suite in the order of the plan. */
  cells(skillId: string): Promise<CellResult[]>;
}

/** Evaluates skills as `eval-skills eval` does. What the user can mend is thrown as a `UserError`. */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { cwd = process.cwd(), formats = [], onEvent, signal } = options;
  const config = configOf(options);
  checked(Typed.safeParse(options), "usage");
  const wishes: RunWishes = {
    ...options,
    // Nothing is left beside the store that was not asked for.
    evalLog: options.evalLog ?? null,
    isTimeoutTyped: options.timeoutMs !== undefined,
  };
  const sources = { config, origins: {}, files: { project: null, user: null } };
  const output = outputOptions(wishes, sources, cwd);
  const { env = process.env, record, replay } = options;
  const { llm, telemetry } = config;
  const around = surroundingsOf({ env, cwd, output, apiKey: llm.apiKey, telemetry, record, replay });
  signal?.throwIfAborted();
  await using session = await evalSessions.begin(planOptions(wishes, sources, cwd), around, () => {
    if (formats.length > 0) prepareOutputFolder(output.outputDir);
    prepareEvalLog(output.evalLog);
  });
  using interrupt = interruptOn(signal);
  const end = await runLevels(session, evalOutput(output), {
    formats: await formatsFor(formats, "unit"),
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: onEvent === undefined ? [] : [onEvent],
    version: around.version,
    cwd,
    env,
  });
  return {
    runId: session.run.id,
    report: reportOf(end, signal),
    cells: cellReader(around.storePath, session.run.id),
  };
}

function configOf({ config, concurrency, timeoutMs, store, outputDir }: EvaluateOptions): Config {
  const given = Object.entries({ concurrency, timeoutMs, store, outputDir }).filter(
    ([, value]) => value !== undefined,
  );
  return checked(Config.safeParse({ ...config, ...Object.fromEntries(given) }), "config-invalid");
}

/** The ranges and words that the command line holds its flags to. A program in plain JavaScript has no compiler to tell it. */
const Typed = z.object({
  skills: z.array(z.string().min(1)).optional(),
  sandbox: z.enum(["auto", ...sandboxLevels]).optional(),
  gateOn: z.enum(["point", "lower"]).optional(),
  formats: z.array(z.enum(reportFormats)).optional(),
  runs: z.int().min(1).max(mostTrials).optional(),
  retries: z.int().min(0).max(mostRetries).optional(),
  seed: z.int().min(0).optional(),
  minCompletion: z.number().min(0).max(1).optional(),
});

function checked<Value>(read: z.ZodSafeParseResult<Value>, code: "usage" | "config-invalid"): Value {
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw new UserError(code, `${problem?.path.join(".") || "config"}: ${problem?.message}`);
}

/** An abort from outside is to a run what Ctrl-C is. Disposed of when the run has ended: the signal may outlive many. */
function interruptOn(outside: AbortSignal | undefined): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Interrupted("SIGINT"));
  if (outside?.aborted) interrupt(); // while everything was checked: nobody is told of that any more
  outside?.addEventListener("abort", interrupt, { once: true });
  return { signal: stop.signal, [Symbol.dispose]: () => outside?.removeEventListener("abort", interrupt) };
}

function reportOf(end: RunEnd, signal: AbortSignal | undefined): ReportDocument {
  if (end.state === "done") return { ...end.report, cases: [...end.report.cases] };
  throw signal?.reason;
}

function cellReader(storePath: string, runId: string): Evaluation["cells"] {
  return async (skillId) => {
    await using store = await openSqliteStore(storePath);
    return (await allOf(store.results(runId, { subject: skillId }))).map(parseCell);
  };
}
