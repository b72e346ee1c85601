import type { HarnessFault } from "../../../contract/cause.ts";
import type { Violation } from "../../../contract/violation.ts";

/** What the next attempt is to fix. */
export interface PlanToRepair {
  output: string;
  violations: readonly Violation[];
}

/** What a service said about its answer besides the plan. */
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
      ms: number;
      /** Input and output together; null where unknown. */
      tokens: number | null;
      answeredBy: string | null;
      service?: ServiceWords | undefined;
    }
  /** What makes plans did it wrong: no plan, and a finding. */
  | { status: "refused"; message: string; ms: number }
  /** Nobody knows what the plan would have been. */
  | { status: "failed"; cause: HarnessFault; message: string; ms: number; events?: ServiceWords["events"] };

/** Whoever makes plans: a model, a service, a script, a tool. */
export interface PlanSource {
  /** Whether it can repair a plan. */
  readonly canRepair: boolean;
  /** Throws only the signal's reason. `repair` is null for the first attempt, which is 0. */
  generate(attempt: number, repair: PlanToRepair | null, signal: AbortSignal): Promise<Generated>;
}
