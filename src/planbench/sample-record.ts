import type { Clock } from "../base/clock.ts";
import { cutMark } from "../base/cut-mark.ts";
import { parseStrictJson } from "../base/strict-json.ts";
import { shorten } from "../base/visible-text.ts";
import type { HarnessFault } from "../contract/cause.ts";
import type { Json } from "../contract/json.ts";
import type { PlanAttempt, PlanSample } from "../contract/planbench-report.ts";
import { mostViolations, type Violation } from "../contract/violation.ts";
import type { Generated } from "./plan-source.ts";

export interface RecordFacts {
  clock: Clock;
  /** The skills behind the source, as the record names them. */
  skills: Pick<PlanSample, "selected" | "skills">;
}

/** What is known of the attempts so far, and what a sample comes to by them. */
export class SampleRecord {
  violations: Violation[] = [];
  readonly #options: RecordFacts;
  readonly #attempts: PlanAttempt[] = [];
  readonly #began: number;
  #output: string | null = null;
  #made: Generated | null = null;
  /** The times that were told, which a replay tells as they were. */
  #toldMs = 0;
  #service: Pick<PlanSample, "claimedOk" | "events"> & { repairs: number | null } = {
    claimedOk: null,
    events: {},
    repairs: null,
  };

  constructor(options: RecordFacts) {
    this.#options = options;
    this.#began = options.clock.monotonic();
  }

  begin(): void {
    this.#made = null;
  }

  hear(made: Generated): void {
    this.#made = made;
    this.#toldMs += made.ms;
    if (made.status === "generated") {
      this.#output = made.output;
      if (made.service !== undefined) this.#service = { ...made.service };
    }
    if (made.status === "failed") this.#service.events = { ...made.events };
  }

  end({
    isValid,
    violations,
    executed,
  }: {
    isValid: boolean;
    violations: readonly Violation[];
    executed: boolean | null;
  }): void {
    const made = this.#made;
    this.violations = violations.slice(0, mostViolations).map(kept);
    this.#attempts.push({
      valid: isValid,
      ms: Math.round(made?.ms ?? 0),
      tokens: made?.status === "generated" ? made.tokens : null,
      violations: this.violations,
      executed,
      answeredBy: made?.status === "generated" ? made.answeredBy : null,
    });
  }

  ok(): PlanSample {
    const repairs = this.#service.repairs ?? this.#attempts.length - 1;
    return this.#sample({ outcome: "ok", repairs, cause: null, problem: null });
  }

  fail(): PlanSample {
    return this.#sample({ outcome: "fail", repairs: null, cause: null, problem: null });
  }

  /** The deadline passed in the midst of an attempt: whatever it would have come to, it is too late. */
  overdue(timeoutMs: number): PlanSample {
    const violations = [{ pointer: "", reason: `no valid plan within ${timeoutMs} ms` }];
    // What had come was valid and handed over: checking takes no time that anybody could run out of.
    if (this.#made !== null) this.end({ isValid: true, violations, executed: false });
    this.violations = violations;
    const sample = this.fail();
    return this.#made === null ? { ...sample, tokens: null } : sample;
  }

  error(cause: HarnessFault, message: string): PlanSample {
    return this.#sample({
      outcome: "error",
      repairs: null,
      cause,
      problem: shorten(message, longestProblem),
    });
  }

  #sample(end: Pick<PlanSample, "outcome" | "repairs" | "cause" | "problem">): PlanSample {
    const { clock, skills } = this.#options;
    const { claimedOk, events, repairs } = this.#service;
    // What a service repaired by itself is part of its one answer: how long the first attempt took, nobody told.
    const firstMs = (repairs ?? 0) > 0 ? null : (this.#attempts[0]?.ms ?? null);
    return {
      ...end,
      attempts: this.#attempts,
      firstMs,
      ms: Math.round(Math.max(clock.monotonic() - this.#began, this.#toldMs)),
      tokens: tokensOf(this.#attempts),
      claimedOk,
      ...skills,
      events,
      violations: this.violations,
      plan: planOf(this.#output),
    };
  }
}

const longestProblem = 500;
const longestReason = 300;
const longestPointer = 300;

function kept({ pointer, reason }: Violation): Violation {
  return { pointer: shorten(pointer, longestPointer), reason: shorten(reason, longestReason) };
}

function tokensOf(attempts: readonly PlanAttempt[]): PlanSample["tokens"] {
  const [first, ...later] = attempts.map(({ tokens }) => tokens);
  if (first === undefined || first === null) return null;
  let repairs = 0;
  for (const tokens of later) {
    if (tokens === null) return null;
    repairs += tokens;
  }
  return { first, repairs, total: first + repairs };
}

const longestPlan = 1024 * 1024;

/** The last output as it is kept: what it says where it is JSON, else its text. */
function planOf(output: string | null): Json {
  if (output === null) return null;
  if (output.length > longestPlan) return `${output.slice(0, longestPlan)}${cutMark}`;
  const read = parseStrictJson(output.trim());
  return read.ok ? (read.value as Json) : output;
}
