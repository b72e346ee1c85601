/** How carrying a plan out ended. */
export type Executed =
  | { status: "done"; ms: number }
  | { status: "failed"; kind: "error" | "crash" | "timeout" | "bad-answer"; message: string; ms: number }
  /** It could not be started as it must be: nothing about the plan. */
  | { status: "refused"; message: string };

interface ExecutionLimits {
  /** Which attempt at the plan it is, from 0. */
  attempt: number;
  /** The call then throws its reason, and nothing of it is left. */
  signal: AbortSignal;
}

/** Carries out a plan. It is handed JSON and nothing else, never code. */
export interface PlanExecutor {
  run(plan: string, limits: ExecutionLimits): Promise<Executed>;
}
