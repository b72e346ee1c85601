import type { Fault } from "../../../cases/grade/dimension.ts";
import { type StopReason, statusOfStop } from "../../../contract/agent-error.ts";
import type { AgentEvent, EventType } from "../../../contract/agent-event.ts";
import type { RecordedRun } from "../../../contract/agent-log.ts";
import { type Evidence, evidence, type Unknown } from "../../../contract/agent-origin.ts";
import { type RunRecount, recount } from "../../../contract/agent-recount.ts";
import type { LoadedAgentCase } from "../../../contract/loaded-case.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, callsIn } from "./call.ts";
import { commandItems, type HiddenItem, hiddenItems } from "./hidden-items.ts";
import { type Selections, type SkillIndex, selectionsIn, skillIndex } from "./selected-skills.ts";

/** A run with its case, as every dimension sees it. */
export interface RunView {
  run: RecordedRun;
  loaded: LoadedAgentCase;
  case: LoadedAgentCase["case"];
  started: AgentEvent<"run_started">;
  finished: AgentEvent<"run_finished">;
  /** Null where it was not recorded. */
  indexed: AgentEvent<"skills_indexed"> | null;
  index: SkillIndex;
  selections: Selections;
  counts: RunRecount;
  /** Made by our own loop, so there is evidence of everything. */
  isNative: boolean;
  /** Its model followed the script of the case. */
  isMock: boolean;
  /** It ended for a reason that gives no verdict: what did not happen proves nothing, what happened counts. */
  isCutShort: boolean;
  of<Type extends EventType>(type: Type): readonly AgentEvent<Type>[];
  /** In the order they were planned or first recorded. */
  calls: readonly Call[];
  /** The call of this id that a line speaks of. */
  call(id: string, line: number): Call | undefined;
  /** Whether the run can be evidence of something at all. */
  records(word: Evidence | Unknown): boolean;
  /** What of a trace could not be read, in order. */
  hidden: readonly HiddenItem[];
}

/** Null for a log without beginning or end. */
export function viewRun(run: RecordedRun, loaded: LoadedAgentCase): RunView | null {
  const byType = new Map<EventType, AgentEvent[]>();
  for (const event of run.events) {
    const known = byType.get(event.type);
    if (known === undefined) byType.set(event.type, [event]);
    else known.push(event);
  }
  const of = <Type extends EventType>(type: Type) =>
    (byType.get(type) ?? []) as unknown as readonly AgentEvent<Type>[];
  const [started] = of("run_started");
  const finished = of("run_finished").at(-1);
  if (started === undefined || finished === undefined) return null;

  const byId = callsIn(run.events);
  const calls = [...byId.values()].flat().sort((a, b) => a.since - b.since);
  const index = skillIndex(of("skills_indexed")[0]);
  const { origin } = started.data;
  const isNative = origin.kind === "native";
  const observed = new Set(origin.observed);
  const unknown = new Set(origin.unknown);
  return {
    hidden: [
      ...hiddenItems(started, of("error_occurred"), of("workspace_diff")),
      ...(isNative ? commandItems(started, of("action_executed"), of("workspace_diff")) : []),
    ],
    run,
    loaded,
    case: loaded.case,
    started,
    finished,
    indexed: of("skills_indexed")[0] ?? null,
    index,
    selections: selectionsIn(calls, index, of("skill_loaded")),
    counts: recount(run.events),
    isNative,
    isMock: isNative && saysMock(started, finished, of("model_response")),
    isCutShort: givesNoVerdict(finished, loaded),
    of,
    calls,
    call: (id, line) => byId.get(id)?.findLast(({ since }) => since <= line),
    records: (word) => isNative || (evidenceWords.has(word) ? observed.has(word) : !unknown.has(word)),
  };
}

/** Why the absence of something in a run proves nothing; null where it does prove something. */
export function whyUnobserved(view: RunView, word: Evidence | Unknown): string | null {
  if (!view.records(word)) return unknownWords(word);
  return view.isCutShort ? "the run ended early" : null;
}

/** Whether one of our runs ended before its first model request: the prompt was too long, or time was up. */
export function hasNoModelCall({ isNative, of, calls }: RunView): boolean {
  return isNative && calls.length === 0 && of("model_request").length + of("model_response").length === 0;
}

/** Why nothing is known of something. */
export function unknownWords(word: Evidence | Unknown): string {
  return `the trace does not record ${wordsFor[word] ?? word.replaceAll("_", " ")}`;
}

const wordsFor: Readonly<Record<string, string>> = {
  calls: "which tools were called",
  final: "what was answered",
  file_reads: "which files were read",
  approvals: "what was allowed and denied",
  approval_grants: "who allowed what ran",
  deltas: "how the answer was streamed",
  load_reports: "how much of a file was read",
  context: "what the prompts contained",
  digests: "the versions of the skills",
  index: "which skills were available",
  policy: "which tools were allowed",
  limits: "the limits of the run",
  isolation: "how the run was contained",
  degraded: "whether the answer is degraded",
  stop_reason: "why the run ended",
  results: "how calls ended",
  arguments: "the arguments of calls",
};

const evidenceWords: ReadonlySet<string> = new Set(evidence);

function saysMock(
  started: AgentEvent<"run_started">,
  finished: AgentEvent<"run_finished">,
  responses: readonly AgentEvent<"model_response">[],
): boolean {
  return (
    started.data.model.provider === "mock" ||
    finished.data.mock !== undefined ||
    responses.some(({ data }) => data.mock !== undefined)
  );
}

function givesNoVerdict({ data }: AgentEvent<"run_finished">, { case: written }: LoadedAgentCase): boolean {
  const { stop_reason, status } = data;
  if (stop_reason != null && stop_reason === written.expect.stop_reason) return false;
  const stopStatus = Object.hasOwn(statusOfStop, stop_reason ?? "")
    ? statusOfStop[stop_reason as StopReason]
    : status;
  return stopStatus === "failed";
}

/** Why a requested skill is not in the index, to append to a message; empty unless its folder was left out. */
export function leftOutWords({ indexed, index }: RunView, names: readonly string[]): string {
  const missing = new Set(names.filter((name) => index.named(index.indexedName(name)).length === 0));
  const { path, reason } =
    indexed?.data.ignored.find((folder) => missing.has(folder.path.split(/[\\/]/).at(-1) ?? "")) ?? {};
  if (path === undefined || reason === undefined) return "";
  return `; ${shownText(path)} was left out of the index: ${shownText(reason)}`;
}

/** One fault for all the events that show it, described by the first; none where there are none. */
export function faultAt<Type extends EventType>(
  events: readonly AgentEvent<Type>[],
  describe: (events: readonly [AgentEvent<Type>, ...AgentEvent<Type>[]]) => Omit<Fault, "at">,
): Fault[] {
  const [first, ...rest] = events;
  return first === undefined ? [] : [{ ...describe([first, ...rest]), at: events as readonly AgentEvent[] }];
}
