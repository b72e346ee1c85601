import type { Containment } from "../contract/containment.ts";
import type { RunReport, SkippedReport } from "../contract/document.ts";
import type { CanaryFigures } from "../contract/figures.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { NotLoaded } from "../contract/not-loaded.ts";
import type { VacuousExpectation } from "../contract/probing.ts";
import type { Telemetry } from "../contract/telemetry.ts";
import type { CallCap } from "../models/model-registry.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";

/** A run that has its row in the store: new, or resumed. */
export interface StartedRun {
  id: string;
  startedAt: string;
  isResumed: boolean;
  /** Whether it had come to its end before it was resumed. */
  wasDone: boolean;
  /** How many of its verdicts were taken over from earlier runs. */
  reused?: number | undefined;
  /** The run whose stored answers are scored anew, where nothing is executed. */
  rescores?: string | undefined;
  /** Of a run whose shards were made elsewhere, so that nothing is executed here: how that was. */
  merged?: MergedFacts | undefined;
}

/** What the report of a merged run says about where its cells were executed. */
export interface MergedFacts extends Pick<RunReport, "containment" | "concurrency" | "machine"> {
  canaries: ReadonlyMap<string, CanaryFigures>;
  /** What the shards warned of, and which of them are missing. */
  warnings: readonly string[];
}

/** What suites are given when their run begins. */
export interface SuiteContext {
  run: StartedRun;
  concurrency: number;
  /** Removes the secrets of every suite of the run. */
  redact: <Value>(value: Value) => Value;
  clock: Clock;
  random: () => number;
  env: NodeJS.ProcessEnv;
  cwd: string;
  telemetry: Telemetry;
}

/** A run that is ready to start: everything is loaded and checked, and nothing has been called. */
export interface PreparedRun extends AsyncDisposable {
  suites(context: SuiteContext): readonly SuiteRun[];
  containment: Containment;
  /** Whether no cell starts a process, so that its containment says nothing. */
  startsNothing?: boolean;
  /** What nothing written may show. */
  secrets: readonly string[];
  /** Removes them. */
  redact: <Value>(value: Value) => Value;
  warnings: readonly string[];
  skipped: readonly SkippedReport[];
  /** Skills of a folder that could not be loaded: the run goes on without them, and ends with exit code 2. */
  notLoaded?: readonly NotLoaded[];
  /** Expectations that wrong answers meet, and that were allowed all the same. */
  vacuous?: readonly VacuousExpectation[];
  seed: number;
  /** Where every cell asks a model: how many may do so at once, if the configuration says so. */
  callCap?: CallCap | null;
  /** Ids of the skills that take part. */
  skillIds: readonly string[];
  /** The models that are asked, judges included. */
  models: readonly string[];
  /** Name → value of conditions that may explain a difference to another run. Called when all cells have ended. */
  conditions(): Record<string, string | null>;
  /** The settings that only this command has. Called when all cells have ended. */
  settings(): Record<string, Json>;
  /** Whether figures that cannot be combined were mixed, such as of two versions of a skill. */
  isMixed?(): boolean;
  /** Asks the judges about cases of known score while the cells run. */
  askCanaries?(signal: AbortSignal): Promise<ReadonlyMap<string, CanaryFigures>>;
  /** Ends what was started for the cells, before the report is written; what went wrong with that is a warning. */
  finish?(): Promise<readonly string[]>;
  /** Releases what cells hold when they are stopped midway. */
  abandon?(): PromiseLike<void>;
}
