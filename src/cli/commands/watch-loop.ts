import pc from "picocolors";
import { Interrupted, type StopSignal } from "../../engine/interrupted.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import type { Session } from "../../engine/session.ts";
import { NothingAffected } from "../../operations/test/affected.ts";
import { KnownVerdicts } from "../../operations/test/known-verdicts.ts";
import type { TestOptions } from "../../operations/test/options.ts";
import { testOutput } from "../../operations/test/request.ts";
import type { FileWatch } from "../../operations/test/watch-files.ts";
import type { WatchedProject } from "../../operations/test/watched-project.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type ErrorCode, firstError, toUserError } from "../../shared/user-error.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { printFailure } from "../io/output.ts";
import { type CaseStates, isPassed, readCaseStates, verdictChanges } from "../output/verdict-changes.ts";
import { changeLines, verdictLine } from "../output/watch-lines.ts";
import { type DoneRun, showReport } from "./carry-session-out.ts";
import { runLevelCommand } from "./level-command.ts";
import { testLevel } from "./test.ts";
import { PatternInput } from "./watch-pattern.ts";

type Wake =
  | { type: "files"; changed: readonly string[] }
  | { type: "key"; key: string }
  | { type: "ended"; exitCode: ExitCode }
  | { type: "failed"; error: unknown }
  | { type: "quit"; signal: StopSignal };

/** What happens, one after the other. */
export class Wakes {
  readonly #waiting: Wake[] = [];
  #take: ((wake: Wake) => void) | null = null;

  push(wake: Wake): void {
    const take = this.#take;
    this.#take = null;
    if (take === null) this.#waiting.push(wake);
    else take(wake);
  }

  next(): Promise<Wake> {
    const wake = this.#waiting.shift();
    if (wake !== undefined) return Promise.resolve(wake);
    return new Promise((take) => {
      this.#take = take;
    });
  }
}

interface WatchParts {
  options: TestOptions;
  io: CommandIo;
  project: Pick<WatchedProject, "affectedBy" | "skillCount">;
  files: Pick<FileWatch, "isPending">;
  wakes: Wakes;
}

const maxReasons = 3;

/** Runs tests again and again: one run at a time, and a run under way gives way to what changed since. */
export class TestWatch {
  readonly #parts: WatchParts;
  readonly #pattern: PatternInput;
  readonly #verdicts = new KnownVerdicts();
  readonly #said = new Set<string>();
  /** How every case ended that was ever run. */
  #states: CaseStates = new Map();
  /** How the cases of the last run ended. */
  #last: CaseStates = new Map();
  #isFirst = true;
  #running: AbortController | null = null;
  /** Why another run is wanted; null where none is. */
  #wanted: readonly string[] | null = [];
  /** Whether the last run could not begin: any change may help. */
  #isBroken = false;
  /** Whether the last run was not shown, because files changed meanwhile. */
  #isUntold = false;
  /** What the cases are limited to. */
  #only: string | null = null;
  #exitCode: ExitCode = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#pattern = new PatternInput(parts.io.stderr);
  }

  /** Ends when somebody quits: with the exit code of the last run, or that of the signal. */
  async run(): Promise<ExitCode> {
    for (;;) {
      if (this.#running === null && this.#wanted !== null) this.#start(this.#wanted);
      const wake = await this.#parts.wakes.next();
      switch (wake.type) {
        case "files":
          await this.#changed(wake.changed);
          break;
        case "key":
          if (this.#pattern.isOpen) this.#typed(wake.key);
          else if (wake.key !== "q") this.#pressed(wake.key);
          else if (this.#running === null) return this.#exitCode;
          else process.kill(process.pid, "SIGINT");
          break;
        case "ended":
          if (this.#ended(wake.exitCode)) return wake.exitCode;
          break;
        case "failed":
          this.#failed(wake.error);
          break;
        case "quit":
          // A run under way is stopped by the same signal, and says how it is resumed.
          if (this.#running === null) return exitCodeOfSignal[wake.signal];
          break;
        default:
          wake satisfies never;
      }
    }
  }

  /** Another run is wanted. One under way gives way to it; what it has found out stays. */
  #want(...why: readonly string[]): void {
    this.#wanted = [...new Set([...(this.#wanted ?? []), ...why])];
    this.#running?.abort(new Interrupted("SIGINT"));
  }

  async #changed(paths: readonly string[]): Promise<void> {
    try {
      const { affected, isOtherMaterial } = await this.#parts.project.affectedBy(paths);
      this.#verdicts.outdate(affected.flatMap(({ reach, file }) => (reach === "outside" ? file : [])));
      if (affected.length > 0 || isOtherMaterial || this.#isBroken || this.#isUntold)
        this.#want(...affected.map(({ why }) => why));
    } catch (error) {
      this.#tell(error);
    }
  }

  #pressed(key: string): void {
    if (key === "p") this.#pattern.open();
    if (key === "a") {
      this.#verdicts.redo(this.#last.keys());
      this.#want("all");
    }
    if (key === "f") {
      const failed = [...this.#last].flatMap(([name, state]) => (isPassed(state) ? [] : name));
      this.#verdicts.redo(failed);
      if (failed.length > 0) this.#want(`what did not pass: ${pluralize(failed.length, "case")}`);
      else this.#parts.io.note("everything passed");
    }
  }

  #typed(key: string): void {
    const pattern = this.#pattern.take(key);
    if (pattern === null) this.#invite();
    if (pattern == null) return;
    this.#only = pattern === "" ? null : pattern;
    this.#want(pattern === "" ? "every case" : `only *${pattern}*`);
  }

  #start(why: readonly string[]): void {
    const { io, wakes } = this.#parts;
    const stop = new AbortController();
    const more = why.length > maxReasons ? [`… and ${why.length - maxReasons} more`] : [];
    if (!this.#isFirst) io.note(["", ...why.slice(0, maxReasons), ...more].join("\n"));
    this.#wanted = null;
    this.#running = stop;
    this.#runOnce(stop.signal).then(
      (exitCode) => wakes.push({ type: "ended", exitCode }),
      (error: unknown) => wakes.push({ type: "failed", error }),
    );
  }

  #runOnce(signal: AbortSignal): Promise<ExitCode> {
    const { options, io } = this.#parts;
    const only = this.#only;
    const { chosen } = this.#verdicts;
    let session: Session<object, PreparedRun> | null = null;
    return runLevelCommand(
      {
        ...testLevel,
        output: (...given) => {
          const output = testOutput(...given);
          return chosen.length === 0 ? output : { ...output, reuse: chosen, evalLog: null };
        },
        announce: (begun, context, to) => {
          session = begun;
          this.#verdicts.began(begun.run.id);
          testLevel.announce(begun, context, to);
        },
        show: async (done) => {
          // What ran while somebody wrote says little; the next run says it.
          this.#isUntold = this.#parts.files.isPending();
          if (this.#isUntold) return;
          const replaced = this.#verdicts.ended(done.report.run.id, only === null);
          for (const runId of replaced) await session?.store.removeRun(runId);
          await this.#show(done, only === null);
        },
        watch: { signal, isNews: (event) => event.type !== "warning" || this.#isNew(event.message) },
      },
      only === null ? options : { ...options, cases: [`*${only}*`] },
      {
        ...io,
        note: (text) => void (this.#isNew(text) && io.note(text)),
        warn: (message) => void (this.#isNew(message) && io.warn(message)),
      },
    );
  }

  /** Whether nothing of the kind was said in an earlier run. */
  #isNew(message: string): boolean {
    const isNew = !this.#said.has(message);
    this.#said.add(message);
    return isNew;
  }

  async #show(done: DoneRun, isWhole: boolean): Promise<void> {
    const { io } = this.#parts;
    const isFirst = this.#isFirst;
    const now = readCaseStates(done.cells());
    const changes = verdictChanges(this.#states, now, isWhole);
    this.#states = isWhole ? now : new Map([...this.#states, ...now]);
    this.#last = now;
    this.#isFirst = false;
    if (isFirst) await showReport(done, io);
    else
      io.resultPieces(
        [...changeLines(changes, io), verdictLine(done.view, io), ""].map((line) => `${line}\n`),
      );
  }

  /** Whether it ended because somebody quits. */
  #ended(exitCode: ExitCode): boolean {
    const isReplaced = this.#running?.signal.aborted === true;
    this.#running = null;
    this.#isBroken = false;
    if (isReplaced) return false;
    this.#exitCode = exitCode;
    if (this.#wanted === null && !this.#isUntold) this.#invite();
    return exitCode === exitCodeOfSignal.SIGINT || exitCode === exitCodeOfSignal.SIGTERM;
  }

  #failed(error: unknown): void {
    this.#running = null;
    this.#tell(error);
    if (this.#wanted === null) this.#invite();
  }

  /** Mistakes in files are shown, and the watch goes on; others end it before it has begun. */
  #tell(error: unknown): void {
    const { io } = this.#parts;
    const failure = toUserError(firstError(error));
    this.#isBroken = true;
    if (error instanceof NothingAffected) io.note(`nothing changed since ${error.ref}`);
    else if (failure === null || (this.#isFirst && !ofFiles.has(failure.code))) throw error;
    else this.#exitCode = printFailure(io, error);
  }

  #invite(): void {
    const { io, project } = this.#parts;
    const { cyan, dim } = pc.createColors(io.colorStderr);
    const only = this.#only === null ? "" : `, only *${visibleText(this.#only)}*`;
    const keys = Object.entries({ a: "all", f: "failed", p: "pattern", q: "quit" });
    const how = io.keys === undefined ? ["Ctrl-C quits"] : keys.map(([key, does]) => `${cyan(key)} ${does}`);
    const what = dim(`watching ${pluralize(project.skillCount(), "skill")}${only}:`);
    io.stderr.write(`${what} ${how.join(" · ")}\n`);
  }
}

/** Mistakes that editing a skill or a test corrects. */
const ofFiles: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "skill-invalid",
  "skill-duplicate",
  "path-outside-skill",
  "adapter-invalid",
  "benchmark-invalid",
  "expectation-vacuous",
  "scorer-invalid",
  "suite-invalid",
  "case-invalid",
]);
