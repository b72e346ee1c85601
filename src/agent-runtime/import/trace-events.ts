import type { EventData, EventType } from "../../contract/agent-event.ts";
import { type Evidence, evidence, type Unknown } from "../../contract/agent-origin.ts";
import { CallEmitter, unknownWords } from "./call-emitter.ts";
import type { Importer } from "./importer.ts";
import { mapToolCall, namesReadFile } from "./map-tool-call.ts";
import { SkillLocator } from "./skill-locator.ts";
import type { ImportedEvent, ImportedRun, SkillFolder, Trace, TraceTurn, TraceUsage } from "./trace.ts";

const answerPath = "$.action.payload.content";
const otherPath = "$.text";

/** Converts a trace to native events. */
export function traceEvents(
  { kind, tools }: Importer,
  trace: Trace,
  skills: readonly SkillFolder[],
  file: { file_sha256: string; importer_version: number },
): ImportedRun {
  const events: ImportedEvent[] = [];
  const locator = new SkillLocator([...skills, ...trace.skillFolders], trace.cwd);
  const turns = trace.entries.flatMap((entry) => ("turn" in entry ? [entry.turn] : []));
  for (const turn of turns)
    for (const { arguments: given } of turn.calls) locator.learn(JSON.stringify(given));
  const answer = findAnswer(trace, turns);
  let recordsReads = false;
  const emitter = new CallEmitter(kind, (turn, type, data, atMs) => addEvent(events, turn, type, data, atMs));

  if (trace.skills !== null)
    addEvent(events, 0, "skills_indexed", buildIndex(trace.skills), turns[0]?.atMs ?? null);
  let number = 0;
  for (const entry of trace.entries) {
    if ("unknown" in entry) {
      emitter.unknown(number, null, entry.unknown);
      continue;
    }
    const { turn } = entry;
    number++;
    const isAnswer = turn === answer?.turn;
    const emit = <Type extends EventType>(type: Type, data: EventData<Type>) =>
      addEvent(events, number, type, data, turn.atMs);
    const parent = turn.parentCall === null ? null : emitter.ownId(turn.parentCall);
    emit("turn_started", {
      remaining: {},
      near_limit: [],
      answer_now: false,
      ...(parent === null ? {} : { parent_call_id: parent }),
    });
    emit("model_request", { attempt: 1, try: 1, context_manifest: null, prompt_sha256: null, chars: null });
    for (const text of isAnswer ? answer.pieces : turn.texts.flatMap(({ pieces }) => pieces))
      emit("model_delta", { attempt: 1, path: isAnswer ? answerPath : otherPath, text });
    emit("model_response", {
      attempt: 1,
      ok: true,
      recovered: "none",
      warnings: [],
      raw: { sha256: null, chars: null },
      usage: turn.usage,
      duration_ms: turn.durationMs,
    });
    for (const call of turn.calls) {
      const mapping = mapToolCall(call, locator, tools);
      for (const one of mapping.mapped)
        if (one.kind === "select") for (const { name } of one.skills) locator.choose(name);
      const isRead = mapping.mapped.some((one) => one.kind === "body" || one.kind === "resource");
      recordsReads ||= isRead || namesReadFile(call, tools);
      emitter.emit(number, turn.atMs, call, mapping, parent);
    }
    if (isAnswer) emitter.answer(number, turn.atMs, answer.text);
    emit("turn_finished", {
      outcome: isAnswer ? "answered" : turn.calls.length === 0 ? "stopped" : "observed",
    });
  }

  const observed = observedIn(trace, turns, {
    hasAnswer: answer !== null,
    hasPieces: (answer?.pieces.length ?? 0) > 0,
    recordsReads,
  });
  const warnings = emitter.items
    .filter((item) => item.kind !== "opaque")
    .map((item) => `${item.location}: ${unknownWords(item.kind)}`);
  const mayEndLater = emitter.items.some(({ could_be }) => could_be.includes("final_answer"));
  const isEndKnown = trace.stop !== null || (answer !== null && !mayEndLater);
  const stop = findStop(trace, answer !== null && isEndKnown);
  return {
    request: trace.request,
    final: answer?.text ?? null,
    started: {
      request_ref: null,
      request_sha256: null,
      limits: null,
      policy: null,
      model: { ...trace.model, params_sha256: null },
      streaming: observed.includes("deltas"),
      recording: "full",
      isolation: null,
      origin: {
        kind,
        ...file,
        observed,
        unknown: [...unknownIn(trace, turns, observed, isEndKnown), ...emitter.items],
        ignored: trace.ignored,
        ...(trace.tools === null ? {} : { tools: [...trace.tools] }),
      },
      index_hash: null,
    },
    events,
    finished: {
      ...stop,
      degraded: null,
      final: null,
      usage: { ...(trace.usage ?? sumUsage(turns)) },
    },
    warnings: limitWarnings(warnings),
  };
}

/** Problems that are reported one by one. */
const maxWarnings = 20;

function limitWarnings(warnings: readonly string[]): string[] {
  const rest = warnings.length - maxWarnings;
  return rest > 0 ? [...warnings.slice(0, maxWarnings), `and ${rest} more`] : [...warnings];
}

interface Answer {
  turn: TraceTurn;
  text: string;
  /** What it was streamed in; empty where that is unknown or of another text. */
  pieces: readonly string[];
}

/** The last reply of the first agent, where it asks for nothing more. */
function findAnswer(trace: Trace, turns: readonly TraceTurn[]): Answer | null {
  const turn = turns.findLast(({ parentCall }) => parentCall === null);
  if (turn === undefined || turn.calls.length > 0) return null;
  const whole = turn.texts.map(({ text }) => text).join("");
  const text = trace.answer ?? whole;
  if (text === "") return null;
  const ways = [turn.texts, turn.texts.slice(-1)].map((texts) => texts.flatMap(({ pieces }) => pieces));
  return { turn, text, pieces: ways.find((pieces) => pieces.join("") === text) ?? [] };
}

function findStop(
  { stop }: Trace,
  hasAnswer: boolean,
): { status: string; stop_reason: string | null; budget?: string } {
  if (stop === null)
    return hasAnswer
      ? { status: "completed", stop_reason: "final_answer" }
      : { status: "stopped", stop_reason: null };
  // What says that it answered and holds no answer was cut.
  if (stop.reason === "final_answer" && !hasAnswer) return { status: "stopped", stop_reason: null };
  return {
    status: stop.status,
    stop_reason: stop.reason,
    ...(stop.budget === undefined ? {} : { budget: stop.budget }),
  };
}

function sumUsage(turns: readonly TraceTurn[]): TraceUsage {
  const total: TraceUsage = { input_tokens: null, output_tokens: null, cost_usd: null };
  for (const { usage } of turns) {
    if (usage?.input_tokens != null) total.input_tokens = (total.input_tokens ?? 0) + usage.input_tokens;
    if (usage?.output_tokens != null) total.output_tokens = (total.output_tokens ?? 0) + usage.output_tokens;
  }
  return total;
}

function buildIndex(names: readonly string[]): EventData<"skills_indexed"> {
  return {
    roots: [],
    found: names.length,
    valid: names.length,
    skills: names.map((name) => ({ name, digest: null })),
    preinstalled: [],
    ignored: [],
    conflicts: [],
    index_hash: null,
    duration_ms: 0,
  };
}

function addEvent<Type extends EventType>(
  events: ImportedEvent[],
  turn: number,
  type: Type,
  data: EventData<Type>,
  atMs: number | null,
): void {
  events.push({ turn, type, data, atMs } as ImportedEvent);
}

/** What a trace is evidence of. */
function observedIn(
  trace: Trace,
  turns: readonly TraceTurn[],
  { hasAnswer, hasPieces, recordsReads }: { hasAnswer: boolean; hasPieces: boolean; recordsReads: boolean },
): Evidence[] {
  const has: Record<Evidence, boolean> = {
    calls: trace.recordsCalls,
    final: hasAnswer,
    file_reads: recordsReads,
    approvals: trace.recordsDenials,
    deltas: hasPieces,
    usage: trace.usage !== null || turns.some(({ usage }) => usage !== null),
  };
  return evidence.filter((word) => has[word]);
}

/** What it does not record: the members of events that are null. */
function unknownIn(
  trace: Trace,
  turns: readonly TraceTurn[],
  observed: readonly Evidence[],
  isEndKnown: boolean,
): Unknown[] {
  const calls = turns.flatMap((turn) => turn.calls);
  const seen = new Set<string>(observed);
  return [
    ...evidence.filter((word) => !seen.has(word)),
    ...(trace.request === null ? (["request"] as const) : []),
    ...(trace.model.name === null ? (["model"] as const) : []),
    "limits",
    "policy",
    "isolation",
    ...(trace.skills === null ? (["index"] as const) : []),
    "digests",
    "load_reports",
    "context",
    ...(calls.some((call) => call.arguments === null) ? (["arguments"] as const) : []),
    ...(calls.some(({ result }) => result === null || result.isError === null) ? (["results"] as const) : []),
    "approval_grants",
    ...(trace.usage?.cost_usd == null ? (["cost"] as const) : []),
    ...(isEndKnown ? [] : (["stop_reason"] as const)),
    "degraded",
    ...(turns.every(({ atMs }) => atMs === null) ? (["times"] as const) : []),
  ];
}
