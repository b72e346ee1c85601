import pc from "picocolors";
import type { AgentEvent, EventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { recount } from "../../contract/agent-recount.ts";
import { milliseconds } from "../format-numbers.ts";
import { actionWords } from "./action-words.ts";
import { endLines } from "./end-lines.ts";
import { headLines, indexLines } from "./head-lines.ts";
import { changedPlan, planLines, stepLines } from "./plan-lines.ts";
import { errorWords, executedLines, loadLines, observationLines, responseLines } from "./result-lines.ts";
import { type StoryPage, storyPage } from "./story-page.ts";

/** What one event has to say. Events with nothing to say are no parts. */
export interface StoryPart {
  /** The line of the log; 0 for what is said of the log itself. */
  seq: number;
  turn: number;
  /** When it happened, in epoch milliseconds; null where the log does not tell. */
  atMs: number | null;
  lines: readonly string[];
}

/** Tells a run for people, event by event. Starts nothing; all text is safe to print. A width of null: nothing has to fit. */
export function* tellStory(
  run: RecordedRun,
  { color, width }: { color: boolean; width: number | null },
): Generator<StoryPart> {
  const page = storyPage(pc.createColors(color), width);
  const teller = new Teller(run, page);
  const hasTimes = tellsTimes(run);
  for (const event of run.events) {
    const lines = teller.linesOf(event);
    if (lines.length > 0)
      yield { seq: event.seq, turn: event.turn, atMs: hasTimes ? timeOf(event) : null, lines };
  }
  const lines = logLines(run, page);
  if (lines.length > 0) yield { seq: 0, turn: 0, atMs: null, lines };
}

/** Tells a run while it goes on: what each event says as it comes. What comes with the whole run alone is left out. */
export function liveStory(look: { color: boolean; width: number | null }): (event: AgentEvent) => string[] {
  const nothing = {
    dir: "",
    runId: "",
    events: [],
    lines: [],
    warnings: [],
    problem: null,
    final: null,
    hasWorkspace: false,
  };
  const teller = new Teller(
    { ...nothing, read: () => null, kindAt: () => null },
    storyPage(pc.createColors(look.color), look.width),
  );
  return (event) => teller.linesOf(event);
}

/** Remembers of a run what later parts of its story need. */
class Teller {
  readonly #run: RecordedRun;
  readonly #page: StoryPage;
  readonly #startMs: number | null;
  #plan: EventData<"plan_created">["plan"] | null = null;
  #pieces = 0;
  /** The call of which enough was said: what the model is told of it says the same again. */
  #toldCall: string | null = null;

  constructor(run: RecordedRun, page: StoryPage) {
    this.#run = run;
    this.#page = page;
    const [first] = run.events;
    this.#startMs = first === undefined || !tellsTimes(run) ? null : timeOf(first);
  }

  linesOf(event: AgentEvent): string[] {
    const page = this.#page;
    const { paint } = page;
    switch (event.type) {
      case "run_started":
        return headLines(event.run_id, event.ts, event.data, this.#request(event.data.request_ref), page);
      case "skills_indexed":
        return indexLines(event.data, page);
      case "turn_started":
        return this.#turnLines(event);
      case "model_delta":
        this.#pieces++;
        return [];
      case "model_response": {
        const pieces = this.#pieces;
        this.#pieces = 0;
        return responseLines(event.data, pieces, page);
      }
      case "plan_created":
        this.#plan = event.data.plan;
        return planLines(event.data.plan, event.data.version, page);
      case "plan_updated":
        return this.#planLines(event.data);
      case "action_planned": {
        const { action, inferred } = event.data;
        const { reason } = action.payload;
        const notes = [
          inferred === true ? "inferred" : "",
          typeof reason === "string" ? `because: ${reason}` : "",
        ];
        const aside = notes.filter((note) => note !== "").join(", ");
        return page.told("▸", actionWords(action), { tone: (text) => paint.bold(paint.cyan(text)), aside });
      }
      case "action_validated": {
        const { ok, error, warnings, call_id } = event.data;
        if (!ok) this.#toldCall = call_id;
        return [
          ...(ok ? [] : page.told("✗", `is refused: ${errorWords(error)}`, { tone: paint.red })),
          ...warnings.flatMap((warning) => page.told("!", warning, { tone: paint.yellow })),
        ];
      }
      case "approval_required": {
        const { tool, risk, reason } = event.data;
        return page.told("?", `${tool} needs leave`, {
          tone: paint.yellow,
          aside: `${risk} risk: ${reason}`,
        });
      }
      case "approval_granted": {
        const { scope, by } = event.data;
        const reach = scope === "run" ? "for the rest of the run" : "for this call";
        return page.told("✓", `granted ${reach} by ${by}`, { tone: paint.green });
      }
      case "approval_denied":
        return page.told("✗", `denied by ${event.data.by}: ${event.data.reason}`, { tone: paint.red });
      case "skill_loaded":
      case "resource_loaded":
        this.#toldCall = event.data.call_id;
        return loadLines(event.data, page);
      case "action_executed":
        if (event.data.ok === false && !event.data.started) this.#toldCall = event.data.call_id;
        return executedLines(event.data, page);
      case "observation_recorded":
        return event.data.call_id === this.#toldCall ? [] : observationLines(event.data, page);
      case "error_occurred": {
        const { fatal } = event.data;
        return page.told(fatal ? "✗" : "!", errorWords(event.data), {
          tone: fatal ? paint.red : paint.yellow,
        });
      }
      case "run_finished":
        return endLines(
          event.data,
          { final: this.#run.final, counts: recount(this.#run.events), after: this.#after(event) },
          page,
        );
      default:
        return [];
    }
  }

  #turnLines(event: AgentEvent<"turn_started">): string[] {
    const { near_limit, remaining, answer_now, parent_call_id } = event.data;
    const nested = parent_call_id === undefined ? "" : ` within ${parent_call_id}`;
    const left = near_limit.map((name) => {
      const rest = remaining[name];
      const words = name.replace(/^max_/, "").replaceAll("_", " ");
      return typeof rest === "number" ? `${words} (${rest} left)` : words;
    });
    const { paint } = this.#page;
    return [
      "",
      this.#page.rule(`Turn ${event.turn}${nested}`, this.#after(event)),
      ...(left.length === 0
        ? []
        : this.#page.told("!", `near a limit: ${left.join(", ")}`, { tone: paint.yellow })),
      ...(answer_now
        ? this.#page.told("!", "the last turn: it should answer now", { tone: paint.yellow })
        : []),
    ];
  }

  #planLines({ plan, ops = [], version }: EventData<"plan_updated">): string[] {
    if (plan !== undefined) {
      this.#plan = plan;
      return planLines(plan, version, this.#page);
    }
    const { plan: next, changed } = changedPlan(this.#plan, ops);
    this.#plan = next;
    return [
      ...this.#page.told("≡", "the plan goes on", { aside: `version ${version}` }),
      ...changed.flatMap((step) => stepLines(step, this.#page)),
    ];
  }

  #request(ref: string | null): string | null {
    const bytes = ref === null ? null : this.#run.read(ref);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  #after(event: AgentEvent): string {
    const atMs = timeOf(event);
    return atMs === null || this.#startMs === null ? "" : milliseconds(Math.max(0, atMs - this.#startMs));
  }
}

function logLines({ problem, warnings }: RecordedRun, page: StoryPage): string[] {
  const { paint } = page;
  const told = [
    ...warnings.flatMap((warning) => page.told("!", warning, { tone: paint.yellow })),
    ...(problem === null ? [] : page.told("✗", `${problem.message} (${problem.code})`, { tone: paint.red })),
  ];
  return told.length === 0 ? [] : ["", ...told];
}

/** Those of an imported run may be when it was imported. */
function tellsTimes({ events: [first] }: RecordedRun): boolean {
  return first?.type !== "run_started" || first.data.origin.unknown?.includes("times") !== true;
}

function timeOf({ ts }: AgentEvent): number | null {
  const ms = Date.parse(ts);
  return Number.isNaN(ms) ? null : ms;
}
