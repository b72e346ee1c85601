import type { StopReason } from "../../contract/agent-error.ts";
import { type EventData, type EventType, eventId } from "../../contract/agent-event.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { AgentGuardrails, LimitName } from "../../contract/limits.ts";
import type { AgentSetup } from "./agent-setup.ts";
import { Budget, UsageSum } from "./budget.ts";
import { ContextMemory } from "./context-memory.ts";
import { isOffered } from "./guard-facts.ts";
import type { Observation, RecordedObservation } from "./observations.ts";
import { PlanBook } from "./plan-book.ts";
import type { Interruption } from "./stop.ts";

/** A run under way: what it is made of, and what it knows by now. */
export class AgentRun {
  readonly setup: AgentSetup;
  readonly catalog: AgentCatalog;
  readonly guardrails: AgentSetup["guardrails"];
  readonly budget: Budget;
  readonly plan = new PlanBook();
  readonly progress: ProgressWatch;
  readonly usage = new UsageSum();
  readonly invoked: ReadonlySet<string>;
  /** The names that a selection may hold. */
  readonly offered: readonly string[];
  readonly context: ContextMemory;
  /** In the order of their selection. */
  readonly selected: AgentSkill[] = [];
  readonly observations: RecordedObservation[] = [];
  readonly interruption: Interruption;
  /** The limit that was used up: the turn that runs is the last, and only for an answer. */
  lastChance: LimitName | null = null;
  isTurnOpen = false;

  constructor(setup: AgentSetup, interruption: Interruption) {
    this.setup = setup;
    this.interruption = interruption;
    this.catalog = setup.catalog ?? noSkills;
    this.guardrails = setup.guardrails;
    this.budget = new Budget(setup.limits, setup.clock);
    this.progress = new ProgressWatch(setup.guardrails);
    this.invoked = new Set(setup.invoked.map((name) => this.catalog.find(name)?.name ?? name));
    const { skills } = this.catalog;
    this.offered = skills.filter((skill) => isOffered(skill, this.invoked)).map(({ name }) => name);
    this.context = new ContextMemory(
      setup.request,
      skills.filter(({ modelInvocable }) => modelInvocable),
    );
  }

  /** One action per turn, so its turn names it. */
  get callId(): string {
    return `c${this.budget.used.turns}`;
  }

  /** Emits an event of this turn; returns its id. */
  emit<Type extends EventType>(type: Type, data: EventData<Type>): string {
    return this.#emit(this.budget.used.turns, type, data);
  }

  /** Emits an event of the whole run. */
  emitForRun<Type extends EventType>(type: Type, data: EventData<Type>): string {
    return this.#emit(0, type, data);
  }

  /** Reports the result of an action to the log, and with the next prompt to the model. */
  observe(doing: string, observation: Observation): void {
    const { success, summary, storage_ref, sha256 } = observation;
    const { callId } = this;
    const storage = storage_ref === undefined ? {} : { storage_ref };
    const event = this.emit("observation_recorded", {
      call_id: callId,
      success,
      summary,
      ...storage,
      sha256,
    });
    const recorded = { ...observation, callId, doing };
    this.observations.push(recorded);
    this.context.addObservation(recorded, event);
  }

  #emit<Type extends EventType>(turn: number, type: Type, data: EventData<Type>): string {
    const { log, onLive } = this.setup;
    const seq = log.emit(turn, type, data);
    onLive?.event?.(turn, type, data);
    return eventId({ run_id: log.runId, seq });
  }
}

/** Used where the catalog could not be built. */
const noSkills: AgentCatalog = {
  skills: [],
  find: () => null,
  indexed: {
    roots: [],
    found: 0,
    valid: 0,
    skills: [],
    preinstalled: [],
    ignored: [],
    conflicts: [],
    index_hash: null,
    duration_ms: 0,
  },
  readBody: async () => ({ ok: false, error: { code: "IOError", message: "there are no skills" } }),
  isUnchanged: () => true,
  isHidden: () => true,
};

/** The result of a turn, as far as it decides whether the run goes on. */
interface TurnFact {
  /** The tool, or the type of an action that is not a tool call. */
  doing: string;
  success: boolean;
  observation: string;
  /** A skill was loaded, or the status of a step is another. */
  hasMoved: boolean;
}

/** Notices a run that fails at the same thing again and again, or turns in circles. */
class ProgressWatch {
  readonly #most: Pick<AgentGuardrails, "max_consecutive_failures" | "no_progress_window">;
  readonly #observations = new Set<string>();
  #failing = { doing: "", times: 0 };
  #idleTurns = 0;

  constructor(guardrails: Pick<AgentGuardrails, "max_consecutive_failures" | "no_progress_window">) {
    this.#most = guardrails;
  }

  /** Why the run should go no further; null where it may. */
  note({ doing, success, observation, hasMoved }: TurnFact): StopReason | null {
    const times = this.#failing.doing === doing ? this.#failing.times + 1 : 1;
    this.#failing = success ? { doing: "", times: 0 } : { doing, times };

    const isNew = !this.#observations.has(observation);
    this.#observations.add(observation);
    this.#idleTurns = hasMoved || isNew ? 0 : this.#idleTurns + 1;

    if (this.#failing.times >= this.#most.max_consecutive_failures) return "consecutive_failures";
    return this.#idleTurns >= this.#most.no_progress_window ? "no_progress" : null;
  }
}
