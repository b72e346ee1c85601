import type { CauseCode } from "./cause.ts";
import type { Json } from "./json.ts";
import type { Usage } from "./outcome.ts";
import type { ScorerType } from "./scorer.ts";
import type { Verdict } from "./verdict.ts";

/** One try at a cell. */
export interface Attempt {
  n: number;
  /** `interrupted`: it began, and the runner was stopped before it ended. */
  status: "answered" | "interrupted" | Exclude<Verdict, "pass" | "fail">;
  code: CauseCode | null;
  latencyMs: number;
  message: string | null;
}

/** Everything kept about a cell that ended: the `taskResults` element of a report. */
export interface CellResult {
  taskId: string;
  skillId: string;
  trial: number;
  taskDigest: string;
  cellKey: string;
  status: Verdict;
  score: number | null;
  latencyMs: number;
  scorerType: ScorerType;
  reason: string | null;
  output: Json;
  outputTruncated: boolean;
  outputBytes: number;
  /** Only where the output was cut or could not be decoded. */
  outputSha256?: string;
  error: { code: CauseCode; message: string } | null;
  usage: Usage | null;
  judge: Json;
  weight: number;
  tags: readonly string[];
  attempts: readonly Attempt[];
  /** Only where there is something to say. */
  startupMs?: number;
  warnings?: readonly string[];
  stderrTail?: string;
  stray?: readonly string[];
  rawBase64?: string;
  /** Wall-clock begin of the deciding attempt, epoch milliseconds: tells which cells ran beside each other. */
  beganAtMs: number;
  finishedAt: string;
}
