import type { Json } from "../shared/json/json.ts";
import type { CauseCode, HarnessFault } from "./cause.ts";
import type { Probing, ProgramProbing } from "./probing.ts";
import type { JudgeRecord } from "./result.ts";
import type { ScorerType, severalScorers } from "./scorer-type.ts";
import type { SeenOutcome } from "./seen-outcome.ts";
import type { Task } from "./task.ts";

/** How a call ended without an answer. */
export interface SeenFailure {
  status: Exclude<SeenOutcome, "answer">;
  code: CauseCode;
  message: string;
  /** HTTP status, JSON-RPC code or exit code; null where there was none. */
  statusCode: number | null;
  /** Whether another attempt may help. */
  isRetryable: boolean;
  /** Whether the skill said so itself. */
  isReported: boolean;
}

/** What a scorer gets to see of a cell. */
export interface Answer {
  task: Task;
  /** Null where there was none. */
  output: Json;
  /** Set where the call failed, which only scorers see that asked for it. */
  failure?: SeenFailure | undefined;
  latencyMs: number;
  trial: number;
  /** Aborted when the run is interrupted: a scorer that waits for others may then throw the signal's reason. */
  signal: AbortSignal;
}

/** Turns an answer into a score. Made once per task, so everything it needs is checked before the first cell. */
export interface Scorer {
  readonly type: ScorerType | typeof severalScorers;
  /** Its whole effective configuration, file hashes included: part of the cell's identity. */
  readonly identity: Json;
  /** The outcomes it decides about; left out, answers alone. Others keep their status. */
  readonly sees?: readonly SeenOutcome[];
  /** How it is tried with wrong answers before the run; left out where no wrong answer can pass. */
  readonly probing?: Probing;
  /** The same for a scorer that is a program. */
  readonly programProbing?: ProgramProbing;
  score(answer: Answer): Score | Promise<Score>;
}

interface Graded {
  /** What asking a model took, where one was asked. Never charged to the skill. */
  judge?: JudgeRecord | undefined;
  /** What the level stores of its own. */
  details?: Readonly<Record<string, Json>> | undefined;
  /** Things worth knowing that do not change the verdict. */
  warnings?: readonly string[] | undefined;
}

/** An answer was scored. */
export interface Scored extends Graded {
  /** 0..1 */
  score: number;
  passed: boolean;
  reason: string | null;
}

/** The scorer itself failed: no number may be invented. */
export interface Unscored extends Graded {
  score: null;
  cause: HarnessFault;
  message: string;
}

export type Score = Scored | Unscored;
