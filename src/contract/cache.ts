import type { JudgeKind } from "./judge-kind.ts";
import type { ModelReply, ScriptClass } from "./model.ts";

/** One text under one model. */
export interface VectorKey {
  model: string;
  dim: number;
}

/** What unrelated texts get from a model: where similarity begins to say something. */
export interface Floor {
  lo: number;
  sigma: number;
}

export interface FloorKey extends VectorKey {
  /** Digest of the routing texts. */
  catalog: string;
  /** Digest of the probes. */
  probes: string;
  script: ScriptClass;
}

/** Caches vectors, so that no text is ever embedded twice. Writing never fails: what cannot be stored is embedded again next time. */
export interface VectorCache {
  /** Those that are there, by digest. */
  vectors(key: VectorKey, digests: readonly string[]): Map<string, Float32Array>;
  /** Leaves out those of another length and those that hold no number somewhere. */
  keepVectors(key: VectorKey, vectors: ReadonlyMap<string, Float32Array>): void;
  floor(key: FloorKey): Floor | null;
  keepFloor(key: FloorKey, floor: Floor): void;
}

/** Caches replies of models, so that no question is paid for twice. Writing never fails here either. */
export interface ReplyCache {
  reply(key: string): ModelReply | null;
  keepReply(key: string, model: string, reply: ModelReply): void;
}

/** Which judge a calibration is about: it is void when one of these changes. */
export interface CalibratedJudge {
  kind: JudgeKind;
  /** Empty where no model judges. */
  model: string;
  prompt: string;
}

/** How far a judge agrees with labels of people. */
export interface Calibration extends CalibratedJudge {
  labels: number;
  /** Labels it gave no usable answer to. */
  unanswered: number;
  agreement: number | null;
  /** Null where chance alone explains everything. */
  kappa: number | null;
  interval: { lower: number; upper: number } | null;
  goldSha256: string;
  seed: number;
  at: string;
}

interface CalibrationCache {
  calibration(judge: CalibratedJudge): Calibration | null;
  /** Throws a `UserError` where it cannot be stored. */
  keepCalibration(calibration: Calibration): void;
}

/** What is cached between runs besides their results, in the same file. */
export interface Cache extends VectorCache, ReplyCache, CalibrationCache, AsyncDisposable {}
