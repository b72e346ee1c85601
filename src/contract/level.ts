import type * as z from "zod";
import type { Json } from "../shared/json/json.ts";
import type { Cell, PlannedCase, Subject } from "./cell.ts";
import type { GateLine } from "./configured-gate.ts";
import type { ContainmentStamp } from "./containment.ts";
import type { CaseReport, Interval, SubjectReport } from "./document.ts";
import type { OptionTable } from "./option-table.ts";
import type { Answered, Outcome } from "./outcome.ts";
import type { CellResult } from "./result.ts";
import type { Score, SeenFailure } from "./scorer.ts";
import type { LevelView } from "./view.ts";

/** A figure that a level measures of every subject, and which way is better. */
export interface Metric {
  readonly name: string;
  /** What it is called on screen; left out, its name as words. */
  readonly label?: string;
  readonly unit: "share" | "score" | "ms" | "usd" | "count";
  readonly better: "up" | "down";
  /** Whether `report diff` shows it. */
  readonly isCompared?: boolean;
  /** Whether it represents a subject where there is space for two figures only; the first is the share that passed. */
  readonly isMain?: boolean;
  /** Whether a trial counts for it, null where it is not about that trial. With it, `report diff` tests the figure case by case. */
  hit?(cell: CellResult): boolean | null;
}

/** A kind of evaluation: what its cells and figures are called and hold. What it does is in its suites. */
export interface Level {
  readonly name: string;
  readonly nouns: { readonly case: readonly [one: string, many: string]; readonly subject: string };
  /** What a cell of this level stores of its own. */
  readonly details: z.ZodType;
  /** In the order they are shown; the first is the one that `history` follows. */
  readonly metrics: readonly Metric[];
  /** The metric of a whole run that counts failed cases, where a case is decided by all its trials together. */
  readonly failures?: string;
  /** Why a subject was asked something else in one report than in another, so that nothing about the two compares; null where it was not. */
  incomparable?(a: SubjectReport["details"], b: SubjectReport["details"]): string | null;
  /** What a case is called besides its id, where the id says little. */
  caseTitle?(one: CaseReport): string | null;
  /** The least share of valid trials at which a case says anything; left out, one is enough. */
  readonly quorum?: number;
  /** The figures that lines of the configuration are about, where they are not those of their usual names. */
  readonly gatedFigures?: Readonly<Partial<Record<GateLine, string>>>;
  /** With a smaller share of answers (`coverage`) a gate of the configuration is undecided. */
  readonly gateCoverage?: number;
  /** Whether gates of the configuration are about it only where they name it: its subjects have one case, and no bound can be met with that. */
  readonly isGatedByName?: boolean;
  /** Its own options: flags, help, completion, configuration keys, stored plan and the check of `--resume` come from them. */
  readonly options?: OptionTable;
  /** How it is shown; left out, as what every level has. */
  readonly view?: LevelView;
}

/** A figure with what is known of its precision, at full precision. */
export interface MetricValue {
  value: number | null;
  interval?: Interval | null;
  /** Its bounds for a rerun of exactly these cases; left out where it is no rate over trials. */
  thisSuite?: Interval | null | undefined;
  /** How many observations it rests on; null where that says nothing. */
  n?: number | null;
}

/** The figures of one subject that only its level knows. */
export interface OwnFigures {
  metrics: Readonly<Record<string, MetricValue>>;
  /** Whatever else the level reports of a subject. */
  details: Readonly<Record<string, Json>>;
  /** How many of its cases have no verdict; left out, its invalid cells count. */
  unknown?: { count: number; of: number };
}

/** Folds cells into what only their level knows. Cells come in any order. */
export interface LevelFold {
  add(result: CellResult): void;
  /** Called before any cell with cases of a subject that count nowhere, for folds that count what was planned. */
  leaveOut?(subject: Subject, suiteId: string, caseIds: ReadonlySet<string>): void;
  figures(subject: Subject, suiteId: string): OwnFigures | Promise<OwnFigures>;
  /** Figures over all subjects, for gates on the whole run. */
  overall?(): Readonly<Record<string, MetricValue>>;
  /** Found out only when all cells have ended. */
  warnings?(): readonly string[];
}

/** How `partialScore` and the composite of a suite are made. */
interface Scoring {
  scoringMethod: "mean" | "weighted_mean" | "pass_at_k";
  k: number;
  maxLatencyMs: number;
}

/** Cells one at a time, and how many there are. */
export type CellPlan<Case extends PlannedCase = PlannedCase, Of extends Subject = Subject> = Iterable<
  Cell<Case, Of>
> & { size: number };

/** Scores a failed call. */
export type FailureScorer = (latencyMs: number, signal: AbortSignal) => Score | Promise<Score>;

/** Something on the disk that decides about cells: it must stay what it was before the first of them. */
export interface RunInput {
  readonly cause: "skill-changed" | "input-changed";
  /** What it is, for people: `the files of weather`. */
  readonly name: string;
  /** Whether it is unchanged, by a look that begins now. */
  look(): boolean | Promise<boolean>;
}

/** The cases of one suite, ready to run. `execute` runs something and decides nothing; `score` decides and runs nothing of the skill. */
export interface SuiteRun<Case extends PlannedCase = PlannedCase, Of extends Subject = Subject> {
  readonly level: Level;
  readonly id: string;
  readonly version: string;
  readonly digest: string;
  readonly subjects: readonly Of[];
  /** Cases of one subject; by default the same for all. */
  casesOf(subject: Of): readonly Case[];
  /** The most trials that any case has. */
  readonly trials: number;
  readonly cells: CellPlan<Case, Of>;
  readonly retries: number;
  readonly scoring: Scoring;
  execute(cell: Cell<Case, Of>, signal: AbortSignal): Promise<Outcome>;
  /**
   * Decides about a stored answer as well as about a new one. `before` is what older rules decided about the same answer and the
   * same case: judges that were asked then are not asked again.
   */
  score(
    answer: Answered,
    cell: Cell<Case, Of>,
    signal: AbortSignal,
    before?: CellResult,
  ): Score | Promise<Score>;
  /** Decides about a call that failed, where its case is about failures: null leaves it the error or timeout it is. */
  failureScorer?(cell: Cell<Case, Of>, failure: SeenFailure): FailureScorer | null;
  /** What a cell rests on: checked before each call and after the cell. The same value for the same thing. */
  inputsOf?(cell: Cell<Case, Of>): readonly RunInput[];
  /** What a cell stores of its own however it ends; `score` may add to it. */
  detailsOf?(cell: Cell<Case, Of>): Readonly<Record<string, Json>>;
  /** Whether a stored result was decided by rules that have changed since, so that resuming decides anew. */
  isOutdated?(result: CellResult): boolean;
  /** How a result of this subject was contained; null where nothing of it runs on this machine. */
  stampOf(subject: Of): ContainmentStamp | null;
  /** What about an output does not match what the skill promised. */
  checkOutput?(cell: Cell<Case, Of>, output: Json): string[];
  /** Whether all of the output is stored: its maker knows how long it can become. */
  readonly keepsWholeOutput?: boolean;
  readonly fold?: LevelFold;
  /** Whether the models that answer are replayed: a cell then takes the time of its recorded replies, and one without any has none. */
  readonly replaysModels?: boolean;
  /** Whether skills say themselves what they used; else our models are asked, and their calls are counted as they are made. */
  readonly reportsUsage?: boolean;
  /** What one subject's tokens cost, where the skill says so. */
  pricingOf?(subject: Of): { inputPerMTok: number; outputPerMTok: number } | undefined;
  /** Whether a cell ends the same every time, so that its verdict can be taken over from an earlier run; left out, where no live model answers. */
  isClosed?(cell: Cell<Case, Of>): boolean;
  /** Called when a cell that ran now is on the disk, for what telemetry says of a level besides its cells. */
  ended?(result: CellResult): void;
  /** A cell as reports show it, where that is less than what is stored. */
  shown?(result: CellResult): CellResult;
  /** What the line log says about a result; null where more results belong to the same line. */
  lineOf(result: CellResult): LogLine | null;
  /** What the line log says besides: what was skipped. */
  readonly extraLines?: readonly LogLine[];
  /** Whether subjects of a run over a part of the suite are left out of `history`. */
  readonly isPartial: boolean;
  /** Whether a subject is followed by `history`; left out, all are. */
  isRecorded?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">): boolean;
  /** The file a case is defined in, for annotations. */
  fileOf?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">, caseId: string): string | undefined;
}

/** A line of the line log, besides its head. Other programs read it; its members are those of the specification. */
export interface LogLine {
  kind: string;
  skillId: string;
  verdict: string | null;
  /** What it is about within its skill: the hash of a cell, or the id of a query. */
  cellKey?: string | undefined;
  queryId?: string | undefined;
  [member: string]: unknown;
}
