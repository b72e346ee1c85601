import type { HarnessFault } from "../../../contract/cause.ts";
import type { Violation } from "../../../contract/output-contract.ts";
import type { PlanAttempt, PlanEvidence } from "../../../contract/planbench-report.ts";
import { shortenWords } from "../../../shared/text/visible-text.ts";
import type { Generated } from "./plan-source.ts";
import { overdueViolation, shortViolations } from "./score-sample.ts";

export interface RecordFacts {
  /** Whether its times mean anything: not those of tools and scripts in a replay. */
  isTimed: boolean;
  /** The skills behind the source, as the record names them. */
  skills: Pick<PlanEvidence, "selected" | "skills">;
}

/** The part of the last answer that affects the outcome. */
type LastAnswer = Pick<PlanEvidence, "output" | "problem" | "service" | "executionError">;

/** Records the attempts of a sample. It decides nothing. */
export class SampleRecord {
  readonly #facts: RecordFacts;
  readonly #attempts: PlanAttempt[] = [];
  #made: Generated | null = null;
  #events: PlanEvidence["events"] = {};
  #last: LastAnswer = { output: null, problem: null, service: null, executionError: null };

  constructor(facts: RecordFacts) {
    this.#facts = facts;
  }

  begin(): void {
    this.#made = null;
  }

  /** Adds the result of a generation and returns the last answer. */
  add(made: Generated): LastAnswer {
    this.#made = made;
    const executionError = null;
    if (made.status === "generated") {
      const { output, service } = made;
      this.#last = {
        output,
        problem: service === undefined ? null : shortProblem(service.problem),
        service: service === undefined ? null : { claimedOk: service.claimedOk, repairs: service.repairs },
        executionError,
      };
      if (service !== undefined) this.#events = { ...service.events };
    }
    if (made.status === "refused")
      this.#last = { ...this.#last, problem: shortProblem(made.message), executionError };
    if (made.status === "failed") this.#events = { ...made.events };
    return this.#last;
  }

  end({ isValid, violations, executed }: Ended): PlanAttempt {
    const made = this.#made;
    const attempt: PlanAttempt = {
      valid: isValid,
      ms: this.#facts.isTimed ? wholeMs(made === null || made.status === "failed" ? 0 : made.ms) : null,
      tokens: made?.status === "generated" ? made.tokens : null,
      violations: shortViolations(violations),
      executed,
      answeredBy: made?.status === "generated" ? made.answeredBy : null,
    };
    this.#attempts.push(attempt);
    if (isValid && executed === false)
      this.#last = { ...this.#last, executionError: attempt.violations[0]?.reason ?? "" };
    return attempt;
  }

  /** The deadline passed during an attempt. */
  overdue(timeoutMs: number): PlanEvidence {
    const isHandedOver = this.#made !== null;
    // The plan was valid and in execution: checks are too fast to time out.
    if (isHandedOver) this.end({ isValid: true, violations: [overdueViolation(timeoutMs)], executed: false });
    const evidence = { ...this.evidence(), overdueMs: timeoutMs };
    return isHandedOver ? evidence : { ...evidence, tokens: null };
  }

  /** The sample has no outcome, for a reason other than the plan. */
  fault(cause: HarnessFault, message: string): PlanEvidence {
    return { ...this.evidence(), fault: { cause, message: shortenWords(message, maxMessageLength) } };
  }

  evidence(): PlanEvidence {
    const { skills } = this.#facts;
    const { output, ...last } = this.#last;
    // Repairs by the service are part of its one answer, so the time of the first attempt is unknown.
    const isRepaired = (last.service?.repairs ?? 0) > 0;
    const isOutputCut = output !== null && output.length > maxOutputLength;
    return {
      attempts: this.#attempts,
      output: isOutputCut ? output.slice(0, maxOutputLength) : output,
      isOutputCut,
      ...last,
      overdueMs: null,
      fault: null,
      events: this.#events,
      firstMs: isRepaired ? null : (this.#attempts[0]?.ms ?? null),
      tokens: sumTokens(this.#attempts),
      ...skills,
    };
  }
}

/** How an attempt ended. */
interface Ended {
  isValid: boolean;
  violations: readonly Violation[];
  executed: boolean | null;
}

function wholeMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

const maxMessageLength = 500;
const maxOutputLength = 1024 * 1024;

function shortProblem(problem: string | null): string | null {
  return problem && shortenWords(problem, maxMessageLength);
}

function sumTokens(attempts: readonly PlanAttempt[]): PlanEvidence["tokens"] {
  const [first, ...later] = attempts.map(({ tokens }) => tokens);
  if (first === undefined || first === null) return null;
  let repairs = 0;
  for (const tokens of later) {
    if (tokens === null) return null;
    repairs += tokens;
  }
  return { first, repairs, total: first + repairs };
}
