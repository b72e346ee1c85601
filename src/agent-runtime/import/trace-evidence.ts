import { type Evidence, evidence, type Unknown } from "../../contract/agent-origin.ts";
import type { Trace } from "./trace.ts";

/** What a trace is evidence of. */
export function observedIn(
  trace: Trace,
  { hasAnswer, hasPieces, recordsReads }: { hasAnswer: boolean; hasPieces: boolean; recordsReads: boolean },
): Evidence[] {
  const has: Record<Evidence, boolean> = {
    calls: trace.recordsCalls,
    final: hasAnswer,
    file_reads: recordsReads,
    approvals: trace.recordsDenials,
    deltas: hasPieces,
    usage: trace.usage !== null || trace.turns.some(({ usage }) => usage !== null),
  };
  return evidence.filter((word) => has[word]);
}

/** What it does not record: the members of events that are null. */
export function unknownIn(trace: Trace, observed: readonly Evidence[]): Unknown[] {
  const calls = trace.turns.flatMap((turn) => turn.calls);
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
    ...(trace.stop === null && !seen.has("final") ? (["stop_reason"] as const) : []),
    "degraded",
    ...(trace.turns.every(({ atMs }) => atMs === null) ? (["times"] as const) : []),
  ];
}
