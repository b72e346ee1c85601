import type { AgentEvent, EventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { type RunRecount, recount } from "../../contract/agent-recount.ts";
import { counted, grouped, milliseconds, usd } from "../text/format-numbers.ts";
import { loggedText } from "./action-words.ts";
import {
  changePlan,
  doneWords,
  errorWords,
  executedEntries,
  line,
  loadEntry,
  type Plan,
  planEntries,
  plannedEntry,
  type RunEntry,
  responseEntries,
  stepEntry,
  warning,
} from "./event-entries.ts";
import { indexedSkills, type Named, runConditions } from "./run-conditions.ts";

const maxLines = { request: 12, output: 8, answer: 200 };

/** What a reader needs of a run besides its events. */
export type ReadRun = Pick<RecordedRun, "events" | "final" | "read">;

/** Puts the events of a run into words, one after the other: later ones build on earlier ones. */
export class RunEntries {
  readonly #run: ReadRun;
  readonly #startMs: number | null;
  #plan: Plan | null = null;
  #pieces = 0;
  /** The call that was already shown, so that its observation does not repeat it. */
  #settledCall: string | null = null;

  constructor(run: ReadRun) {
    this.#run = run;
    this.#startMs = runStartMs(run);
  }

  of(event: AgentEvent): RunEntry[] {
    switch (event.type) {
      case "run_started":
        return [
          {
            kind: "heading",
            label: "run",
            text: `Run ${event.run_id}`,
            aside: event.ts.replace("T", " ").replace(/\.\d+Z$/, " UTC"),
          },
          ...this.#request(event.data.request_ref),
          ...facts(runConditions(event.data)),
        ];
      case "skills_indexed":
        return facts(indexedSkills(event.data));
      case "turn_started":
        return this.#turn(event);
      case "model_delta":
        this.#pieces++;
        return [];
      case "model_response": {
        const pieces = this.#pieces;
        this.#pieces = 0;
        return responseEntries(event.data, pieces);
      }
      case "plan_created":
        this.#plan = event.data.plan;
        return planEntries(event.data.plan, event.data.version);
      case "plan_updated":
        return this.#planUpdate(event.data);
      case "action_planned":
        return [plannedEntry(event.data)];
      case "action_validated": {
        const { ok, error, warnings, call_id } = event.data;
        if (!ok) this.#settledCall = call_id;
        return [
          ...(ok ? [] : [line("validation", `refused: ${errorWords(error)}`, "bad")]),
          ...warnings.map(warning),
        ];
      }
      case "approval_required": {
        const { tool, risk, reason } = event.data;
        return [
          {
            ...line("approval", `${tool} needs approval`, "warn"),
            sign: "?",
            aside: `${risk} risk: ${reason}`,
          },
        ];
      }
      case "approval_granted": {
        const { scope, by } = event.data;
        const reach = scope === "run" ? "for the rest of the run" : "for this call";
        return [line("approval", `granted ${reach} by ${by}`, "good")];
      }
      case "approval_denied":
        return [line("approval", `denied by ${event.data.by}: ${event.data.reason}`, "bad")];
      case "skill_loaded":
      case "resource_loaded":
        this.#settledCall = event.data.call_id;
        return [loadEntry(event.data)];
      case "action_executed":
        if (event.data.ok === false && !event.data.started) this.#settledCall = event.data.call_id;
        return executedEntries(event.data);
      case "observation_recorded": {
        const text = loggedText(event.data.summary);
        if (event.data.call_id === this.#settledCall || text === "") return [];
        return [
          { kind: "quote", label: "result", text, maxLines: maxLines.output, rest: event.data.storage_ref },
        ];
      }
      case "workspace_diff":
        return [line("files", changeWords(event.data), "muted")];
      case "error_occurred":
        return [line("error", errorWords(event.data), event.data.fatal ? "bad" : "warn")];
      case "run_finished":
        return this.#end(event);
      default:
        return [];
    }
  }

  /** Milliseconds since the beginning; null where the log does not say. */
  sinceStart(event: AgentEvent): number | null {
    const atMs = eventTimeMs(event);
    return atMs === null || this.#startMs === null ? null : Math.max(0, atMs - this.#startMs);
  }

  #after(event: AgentEvent): string {
    const since = this.sinceStart(event);
    return since === null ? "" : milliseconds(since);
  }

  #request(ref: string | null): RunEntry[] {
    const bytes = ref === null ? null : this.#run.read(ref);
    if (bytes === null) return [];
    return [
      { kind: "quote", label: "user", text: new TextDecoder().decode(bytes), maxLines: maxLines.request },
    ];
  }

  #turn(event: AgentEvent<"turn_started">): RunEntry[] {
    const { near_limit, remaining, answer_now, parent_call_id } = event.data;
    const nested = parent_call_id === undefined ? "" : ` within ${parent_call_id}`;
    const left = near_limit.map((name) => {
      const rest = remaining[name];
      const words = name.replace(/^max_/, "").replaceAll("_", " ");
      return typeof rest === "number" ? `${words} (${rest} left)` : words;
    });
    return [
      { kind: "heading", label: "turn", text: `Turn ${event.turn}${nested}`, aside: this.#after(event) },
      ...(left.length === 0 ? [] : [line("limit", `close to a limit: ${left.join(", ")}`, "warn")]),
      ...(answer_now ? [line("limit", "last turn: the model must answer now", "warn")] : []),
    ];
  }

  #planUpdate({ plan, ops = [], version }: EventData<"plan_updated">): RunEntry[] {
    if (plan !== undefined) {
      this.#plan = plan;
      return planEntries(plan, version);
    }
    const { next, changed } = changePlan(this.#plan, ops);
    this.#plan = next;
    const done = next === null ? "" : `, ${doneWords(next)}`;
    return [
      { ...line("plan", "plan updated"), sign: "≡", aside: `version ${version}${done}` },
      ...changed.map(stepEntry),
    ];
  }

  #end(event: AgentEvent<"run_finished">): RunEntry[] {
    const { status, stop_reason, budget, degraded, usage, mock } = event.data;
    const { final, events } = this.#run;
    const why = [stop_reason, budget].filter((word) => word != null).join(", ");
    const isFallback = degraded === true;
    const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "warn";
    const answer: RunEntry[] =
      final === null
        ? []
        : [
            { kind: "heading", label: "answer", text: isFallback ? "Fallback answer" : "Answer" },
            {
              kind: "quote",
              label: isFallback ? "fallback answer" : "answer",
              text: final,
              maxLines: maxLines.answer,
            },
          ];
    const details = [countWords(recount(events)), usageWords(usage)].filter((words) => words !== "");
    return [
      ...answer,
      { kind: "heading", label: "end", text: "End", aside: this.#after(event) },
      line("end", why === "" ? status : `${status}: ${why}`, tone),
      ...details.map((text): RunEntry => ({ ...line("end", text), sign: " ", isDetail: true })),
      ...(mock === undefined || mock.unused === 0
        ? []
        : [line("end", `${counted(mock.unused, "scripted turn")} not used`, "warn")]),
    ];
  }
}

/** What is wrong with a log as a whole. */
export function logEntries({ problem, warnings }: Pick<RecordedRun, "problem" | "warnings">): RunEntry[] {
  return [
    ...warnings.map(warning),
    ...(problem === null ? [] : [line("log", `${problem.message} (${problem.code})`, "bad")]),
  ];
}

function changeWords({ added, changed, deleted, by }: EventData<"workspace_diff">): string {
  const parts = Object.entries({ added, changed, deleted }).flatMap(([what, paths]) =>
    paths.length === 0 ? [] : [`${what} ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}`],
  );
  return parts.length === 0 ? "unchanged" : `${parts.join("; ")} (by ${by})`;
}

/** When an event happened, in epoch milliseconds; null where it does not say. */
export function eventTimeMs({ ts }: Pick<AgentEvent, "ts">): number | null {
  const ms = Date.parse(ts);
  return Number.isNaN(ms) ? null : ms;
}

/** Whether times are those of the run: those of an imported one may be when it was imported. */
export function hasTimes({ events: [first] }: Pick<RecordedRun, "events">): boolean {
  return first?.type !== "run_started" || first.data.origin.unknown?.includes("times") !== true;
}

function runStartMs(run: Pick<RecordedRun, "events">): number | null {
  const [first] = run.events;
  return first === undefined || !hasTimes(run) ? null : eventTimeMs(first);
}

function facts(named: readonly Named[]): RunEntry[] {
  return named.map(([label, text]) => ({ kind: "fact", label, text }));
}

function countWords(counts: RunRecount): string {
  return [
    counted(counts.turns, "turn"),
    counted(counts.model_calls, "model call"),
    counted(counts.tool_calls, "tool call"),
    counted(counts.script_runs, "script"),
    counted(counts.resource_loads, "resource"),
    ...(counts.context_chars === null
      ? []
      : [`at most ${grouped(counts.context_chars)} characters per request`]),
  ].join(" · ");
}

function usageWords({ input_tokens, output_tokens, cost_usd }: EventData<"run_finished">["usage"]): string {
  return [
    typeof input_tokens === "number" ? `${grouped(input_tokens)} tokens in` : "",
    typeof output_tokens === "number" ? `${grouped(output_tokens)} out` : "",
    typeof cost_usd === "number" ? usd(cost_usd) : "",
  ]
    .filter((word) => word !== "")
    .join(" · ");
}
