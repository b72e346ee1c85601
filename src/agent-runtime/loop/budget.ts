import type { EventData } from "../../contract/agent-event.ts";
import type { AgentCounts, AgentLimits, LimitName } from "../../contract/limits.ts";
import type { Clock } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** What is requested: a tool call, one that starts a program, or a resource. */
type Expense = "tool" | "script" | "resource";

/** Counts what a run uses. Up to a limit everything works; one more is refused. */
export class Budget {
  readonly limits: AgentLimits;
  readonly used: AgentCounts = {
    turns: 0,
    tool_calls: 0,
    script_runs: 0,
    resource_loads: 0,
    model_calls: 0,
  };
  readonly #clock: Clock;
  readonly #began: number;
  #costUsd = 0;
  #contextChars = 0;

  constructor(limits: AgentLimits, clock: Clock) {
    this.limits = limits;
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#began;
  }

  get remainingMs(): number {
    return Math.max(0, this.limits.timeout_ms - this.elapsedMs);
  }

  get isTimeUp(): boolean {
    return this.remainingMs === 0;
  }

  get hasTurnLeft(): boolean {
    return this.used.turns < this.limits.max_turns;
  }

  /** The limit that forbids it; null where it may be had. */
  refusal(expense: Expense): LimitName | null {
    const { limits, used } = this;
    if (expense === "resource")
      return used.resource_loads >= (limits.max_resource_loads ?? Number.POSITIVE_INFINITY)
        ? "max_resource_loads"
        : null;
    if (used.tool_calls >= limits.max_tool_calls) return "max_tool_calls";
    if (expense === "script" && used.script_runs >= limits.max_script_runs) return "max_script_runs";
    return null;
  }

  /** Counts a call to the model of this many characters, or names the limit that forbids it. */
  takeModelCall(chars: number): LimitName | null {
    if (this.isTimeUp) return "timeout_ms";
    if (this.used.model_calls >= this.limits.max_model_calls) return "max_model_calls";
    if (chars > this.limits.max_context_chars) return "max_context_chars";
    this.used.model_calls++;
    this.#contextChars = chars;
    return null;
  }

  addCost(usd: number): void {
    this.#costUsd += usd;
  }

  /** What is left of each limit; of turns, after the one that runs. */
  remaining(): JsonObject {
    const { limits, used } = this;
    return {
      max_turns: limits.max_turns - used.turns,
      max_tool_calls: limits.max_tool_calls - used.tool_calls,
      max_script_runs: limits.max_script_runs - used.script_runs,
      ...(limits.max_resource_loads !== null && {
        max_resource_loads: limits.max_resource_loads - used.resource_loads,
      }),
      max_model_calls: limits.max_model_calls - used.model_calls,
      timeout_ms: Math.round(this.remainingMs),
      ...(limits.max_cost_usd !== null && { max_cost_usd: limits.max_cost_usd - this.#costUsd }),
    };
  }

  /** The limits of which four fifths are used. */
  nearLimits(): LimitName[] {
    const { used } = this;
    const uses: Readonly<Record<LimitName, number>> = {
      max_turns: used.turns,
      max_tool_calls: used.tool_calls,
      max_script_runs: used.script_runs,
      max_resource_loads: used.resource_loads,
      max_model_calls: used.model_calls,
      max_context_chars: this.#contextChars,
      timeout_ms: this.elapsedMs,
      max_cost_usd: this.#costUsd,
    };
    return (Object.keys(uses) as LimitName[]).filter((name) => {
      const limit = this.limits[name];
      // A limit of 0 is never near.
      return limit !== null && limit > 0 && uses[name] / limit >= 0.8;
    });
  }
}

/** Adds up what the calls of a run took. Unknown usage is counted separately, never as zero. */
export class UsageSum {
  #inputTokens = 0;
  #outputTokens = 0;
  #costUsd: number | null = null;
  #known = 0;
  #unknownCalls = 0;

  add({ usage }: EventData<"model_response">): void {
    if (usage == null || usage.input_tokens === null || usage.output_tokens === null) this.#unknownCalls++;
    else this.#known++;
    this.#inputTokens += usage?.input_tokens ?? 0;
    this.#outputTokens += usage?.output_tokens ?? 0;
    if (usage?.cost_usd != null) this.#costUsd = (this.#costUsd ?? 0) + usage.cost_usd;
  }

  /** Null where no call reported any usage. */
  facts(): JsonObject {
    const isKnown = this.#known > 0;
    return {
      input_tokens: isKnown ? this.#inputTokens : null,
      output_tokens: isKnown ? this.#outputTokens : null,
      cost_usd: this.#costUsd,
      unknown_calls: this.#unknownCalls,
    };
  }
}
