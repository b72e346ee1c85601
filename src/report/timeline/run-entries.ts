import type { AgentEvent, EventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { listed } from "../../shared/text/phrases.ts";
import { milliseconds } from "../text/format-numbers.ts";
import { loggedText, type Recorded } from "./action-words.ts";
import { endEntries, maxAnswer } from "./end-entries.ts";
import {
  changePlan,
  doneWords,
  errorWords,
  executedEntries,
  line,
  loadEntry,
  otherParams,
  type Plan,
  planEntries,
  plannedEntries,
  promptEntry,
  quote,
  type RunEntry,
  responseEntries,
  stepEntry,
  warning,
} from "./event-entries.ts";
import { indexedSkills, type Named, runConditions } from "./run-conditions.ts";

const maxRequest = 24;
const answerPath = "$.action.payload.content";

/** What a reader needs of a run besides its events. */
export type ReadRun = Pick<RecordedRun, "events" | "final" | "read">;

/** Puts the events of a run into words, one after the other: later ones build on earlier ones. */
export class RunEntries {
  readonly #run: ReadRun;
  readonly #startMs: number | null;
  #plan: Plan | null = null;
  readonly #isFull: boolean;
  #streamed = { pieces: 0, text: "" };
  /** What the last accepted reply streamed as its answer. */
  #answered = "";
  readonly #planned = new Map<string, Recorded>();
  /** The files with what the program of the last call printed. */
  #streams: readonly (string | undefined)[] = [];
  /** The call that was already shown, so that its observation does not repeat it. */
  #settledCall: string | null = null;

  /** `isFull`: texts that were kept beside the log are read. */
  constructor(run: ReadRun, { isFull = false }: { isFull?: boolean | undefined } = {}) {
    this.#run = run;
    this.#isFull = isFull;
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
      case "model_request":
        return promptEntry(event.data);
      case "model_delta":
        // Other paths announce what the reply is going to be.
        if (event.data.path !== answerPath) return [];
        this.#streamed.pieces++;
        this.#streamed.text += loggedText(event.data.text ?? "");
        return [];
      case "model_response": {
        const streamed = this.#streamed;
        this.#streamed = { pieces: 0, text: "" };
        if (event.data.ok) this.#answered = streamed.text;
        return responseEntries(event.data, streamed);
      }
      case "plan_created":
        this.#plan = event.data.plan;
        return planEntries(event.data.plan, event.data.version);
      case "plan_updated":
        return this.#planUpdate(event.data);
      case "action_planned":
        this.#planned.set(event.data.call_id, event.data.action);
        return [
          ...plannedEntries({ ...event.data, action: this.#whole(event.data.action) as Recorded }),
          ...this.#answer(event.data),
        ];
      case "action_validated": {
        const { ok, error, warnings, call_id } = event.data;
        if (!ok) this.#settledCall = call_id;
        return [
          ...(ok ? [] : [line("validation", `refused: ${errorWords(error)}`, "bad")]),
          ...warnings.map(warning),
        ];
      }
      case "approval_required": {
        const { tool, risk, reason, call_id, params } = event.data;
        return [
          {
            ...line("approval", `${tool} needs approval`, "warn"),
            sign: "?",
            aside: `${risk} risk: ${reason}`,
          },
          ...otherParams(this.#planned.get(call_id), params, "the approval shows other arguments"),
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
        return [loadEntry(event.data), ...this.#loaded(event.data.report.storage_ref)];
      case "action_executed": {
        const { call_id, ok, started, audit } = event.data;
        if (ok === false && !started) this.#settledCall = call_id;
        const params = started ? audit?.params : undefined;
        this.#streams = [audit?.result.stdout_ref, audit?.result.stderr_ref];
        return [
          ...(params === undefined
            ? []
            : otherParams(this.#planned.get(call_id), params, "executed with other arguments")),
          ...executedEntries(event.data),
        ];
      }
      case "observation_recorded": {
        const { summary, call_id, storage_ref } = event.data;
        const ref = isMap(summary) && typeof summary.ref === "string" ? summary.ref : storage_ref;
        const text = loggedText(summary);
        if (call_id === this.#settledCall || text === "") return [];
        return [this.#kept(ref, text)];
      }
      case "workspace_diff":
        return [line("files", changeWords(event.data), "muted")];
      case "error_occurred":
        return [line("error", errorWords(event.data), event.data.fatal ? "bad" : "warn")];
      case "run_finished":
        return endEntries(event.data, this.#run, this.#after(event));
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
    const text = ref === null ? null : this.#read(ref);
    return text === null ? [] : [quote("user", text, maxRequest)];
  }

  /** The text of a log, or all of it from the file that has it; of a program, from the files of both its streams. */
  #kept(ref: string | undefined, text: string): RunEntry {
    if (ref === undefined || !this.#isFull) return { ...quote("result", text), rest: ref };
    if (!this.#streams.includes(ref)) return quote("result", this.#read(ref) ?? text);
    const [end = ""] = text.split("\n", 1);
    const streams = this.#streams.map((one, at) => {
      const printed = one === undefined ? null : this.#read(one);
      return printed === null ? "" : `\n--- ${at === 0 ? "stdout" : "stderr"}\n${printed}`;
    });
    return quote("result", end + streams.join(""));
  }

  /** Of loads, only what was too long to be shown whole is kept. */
  #loaded(ref: string | undefined): RunEntry[] {
    const text = this.#isFull && ref !== undefined ? this.#read(ref) : null;
    return text === null ? [] : [quote("loaded", text)];
  }

  /** A value with the texts that were too long for a line, where all is shown. */
  #whole(value: unknown): unknown {
    if (!this.#isFull) return value;
    if (Array.isArray(value)) return value.map((item) => this.#whole(item));
    if (!isMap(value)) return value;
    const text = typeof value.ref === "string" && "sha256" in value ? this.#read(value.ref) : null;
    if (text !== null) return text;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#whole(member)]));
  }

  #read(ref: string): string | null {
    const bytes = this.#run.read(ref);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** The answer is shown at the end; here, where it is nowhere else, or is not what was streamed. */
  #answer({ action: { type, payload } }: EventData<"action_planned">): RunEntry[] {
    if (type !== "final_answer") return [];
    const text = loggedText(payload.content);
    const streamed = this.#answered;
    this.#answered = "";
    return [
      ...(this.#run.final === null ? [quote("answer", text, maxAnswer)] : []),
      ...(streamed === "" || streamed === text || isMap(payload.content)
        ? []
        : [line("streamed", "another text was streamed", "warn"), quote("streamed", streamed)]),
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
    paths.length === 0 ? [] : [`${what} ${listed(paths, 20)}`],
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
