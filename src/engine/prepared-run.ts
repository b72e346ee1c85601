import type { Containment } from "../contract/containment.ts";
import type { SkippedReport } from "../contract/document.ts";
import type { CanaryFigures } from "../contract/figures.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Telemetry } from "../contract/telemetry.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";

/** A run that has its row in the store: new, or resumed. */
export interface StartedRun {
  id: string;
  startedAt: string;
  isResumed: boolean;
  /** Whether it had come to its end before it was resumed. */
  wasDone: boolean;
  /** The run whose stored answers are scored anew, where nothing is executed. */
  rescores?: string | undefined;
}

/** What suites learn when their run begins. */
export interface SuiteContext {
  run: StartedRun;
  concurrency: number;
  /** Takes out what nobody may see, of every suite of the run. */
  redact: <Value>(value: Value) => Value;
  clock: Clock;
  random: () => number;
  env: NodeJS.ProcessEnv;
  cwd: string;
  telemetry: Telemetry;
}

/** A run that could start: everything was loaded, checked and counted, and nothing has been called. */
export interface PreparedRun extends AsyncDisposable {
  suites(context: SuiteContext): readonly SuiteRun[];
  containment: Containment;
  /** Takes out what nobody may see. */
  redact: <Value>(value: Value) => Value;
  warnings: readonly string[];
  skipped: readonly SkippedReport[];
  seed: number;
  /** Ids of the skills that take part. */
  skillIds: readonly string[];
  /** The models that are asked, judges included. */
  models: readonly string[];
  /** What else may explain a difference to another run, by what it is called; asked for when all cells have ended. */
  conditions(): Record<string, string | null>;
  /** What the command was asked for beyond what every run has; asked for when all cells have ended. */
  settings(): Record<string, Json>;
  /** Whether figures were mixed that must not be, such as of two versions of a skill. */
  isMixed?(): boolean;
  /** Puts cases of known score to the judges, beside the cells. */
  askCanaries?(signal: AbortSignal): Promise<ReadonlyMap<string, CanaryFigures>>;
  /** Lets go of what cells hold, where they are stopped in their midst. */
  abandon?(): PromiseLike<void>;
}
