import type { HarnessFault } from "../../../contract/cause.ts";
import type { Violation } from "../../../contract/output-contract.ts";
import type { Json } from "../../../shared/json/json.ts";

/** What the next attempt is to fix. */
export interface PlanToRepair {
  output: string;
  violations: readonly Violation[];
}

/** What a service reported besides the plan. */
export interface ServiceWords {
  claimedOk: boolean | null;
  /** Repairs it made by itself; null where unknown. */
  repairs: number | null;
  /** Events by type. */
  events: Readonly<Record<string, number>>;
  /** Why there is no plan that could be checked; null where there is one. */
  problem: string | null;
}

/** How asking for a plan ended. */
export type Generated =
  | {
      status: "generated";
      output: string;
      /** Null where a recording does not say. */
      ms: number | null;
      /** Input and output together; null where unknown. */
      tokens: number | null;
      answeredBy: string | null;
      service?: ServiceWords | undefined;
    }
  /** The source failed to make a plan, which counts as a failure. */
  | { status: "refused"; message: string; ms: number }
  /** The plan is unknown. */
  | { status: "failed"; cause: HarnessFault; message: string; events?: ServiceWords["events"] };

/** Whoever makes plans: a model, a service, a script, a tool. */
export interface PlanSource {
  /** Whether it can repair a plan. */
  readonly canRepair: boolean;
  /** Throws only the signal's reason. `repair` is null for the first attempt, which is 0. */
  generate(attempt: number, repair: PlanToRepair | null, signal: AbortSignal): Promise<Generated>;
}

/** How the execution of a plan ended. */
export type Executed =
  | { status: "done"; ms: number }
  | { status: "failed"; kind: "error" | "crash" | "timeout" | "bad-answer"; message: string; ms: number }
  /** It could not be started, or lacked something that the sandbox hides, which says nothing about the plan. */
  | { status: "refused"; message: string; cause?: HarnessFault };

interface ExecutionLimits {
  /** Which attempt at the plan it is, from 0. */
  attempt: number;
  /** The call then throws its reason, and nothing of it is left. */
  signal: AbortSignal;
}

/** Executes a plan. It gets only JSON, never code. */
export interface PlanExecutor {
  run(plan: string, limits: ExecutionLimits): Promise<Executed>;
}

/** Returns its outputs one per attempt, then repeats the last one. */
export function scriptedSource(outputs: readonly Json[]): PlanSource {
  const texts = outputs.map((output) => (typeof output === "string" ? output : JSON.stringify(output)));
  return {
    canRepair: true,
    async generate(attempt) {
      const output = texts[Math.min(attempt, texts.length - 1)] ?? "";
      return { status: "generated", output, ms: 0, tokens: null, answeredBy: null };
    },
  };
}
