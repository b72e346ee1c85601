import { type EventData, type EventType, eventId } from "../../contract/agent-event.ts";
import type { LimitName } from "../../contract/agent-limits.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { AgentSetup } from "./agent-setup.ts";
import { Budget } from "./budget.ts";
import { ContextMemory } from "./context-memory.ts";
import type { Interruption } from "./interruption.ts";
import { noSkills } from "./no-skills.ts";
import type { Observation, RecordedObservation } from "./observations.ts";
import { isOffered } from "./offered-skills.ts";
import { PlanBook } from "./plan-book.ts";
import { ProgressWatch } from "./progress-watch.ts";
import { UsageSum } from "./usage-sum.ts";

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

  /** Tells a fact about this turn; returns the id of its event. */
  emit<Type extends EventType>(type: Type, data: EventData<Type>): string {
    return this.#emit(this.budget.used.turns, type, data);
  }

  /** Tells a fact about the whole run. */
  emitForRun<Type extends EventType>(type: Type, data: EventData<Type>): string {
    return this.#emit(0, type, data);
  }

  /** Tells what came of an action, to the log and with the next prompt to the model. */
  observe(doing: string, observation: Observation): void {
    const { success, summary, storage_ref, sha256 } = observation;
    const { callId } = this;
    const kept = storage_ref === undefined ? {} : { storage_ref };
    const event = this.emit("observation_recorded", { call_id: callId, success, summary, ...kept, sha256 });
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
