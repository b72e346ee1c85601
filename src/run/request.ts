import type { ModelSettings } from "../contract/config.ts";
import type { SandboxLevel } from "../contract/containment.ts";

/** What decides the cells of a run and how they end. Kept in the store, so that a resumed run does the same. */
export interface PlanOptions {
  skills: string[];
  /** Id or path; null where `tasks` takes its place. */
  benchmark: string | null;
  tasks: string | null;
  benchmarksDir: string;
  taskTags: string[];
  cases: string[];
  runs: number;
  retries: number;
  evaluator: string;
  timeoutMs: number;
  isTimeoutTyped: boolean;
  seed: number;
  sandbox: "auto" | SandboxLevel;
  floor: "reduced" | "strict" | null;
  floorFile: string | null;
  network: "none" | "open" | null;
  allowNetwork: string[];
  memoryMb: number | null;
  maxOutputBytes: number;
  killGraceMs: number;
  envKeys: string[];
  models: ModelSettings;
  /** The folder relative paths counted from. */
  cwd: string;
}

/** What may differ between a run and its resumption. */
export interface OutputOptions {
  concurrency: number;
  formats: string[];
  outputDir: string;
  store: string;
  evalLog: string;
  minCompletion: number;
  gateOn: "point" | "lower";
  exitOnFail: boolean;
  allowInvalid: boolean;
  requireTriggering: boolean;
}
