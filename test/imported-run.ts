import { type ImportOptions, importTrace } from "../src/agent-runtime/import/import-trace.ts";
import type { ImportedEvent, ImportedRun } from "../src/agent-runtime/import/trace.ts";
import { AgentCaseFile } from "../src/contract/agent-case.ts";
import type { AgentEvent } from "../src/contract/agent-event.ts";
import type { RecordedRun } from "../src/contract/agent-log.ts";
import type { CaseReport } from "../src/contract/agent-report.ts";
import type { TraceKind } from "../src/contract/trace-kind.ts";
import { gradeRun } from "../src/levels/agent/grade/grade-run.ts";
import { sha256 } from "../src/shared/json/canonical-json.ts";
import { forgedCase } from "./forged-run.ts";

/** The runs of a transcript, by its text. */
export function importText(
  kind: TraceKind | null,
  text: string,
  options: Partial<ImportOptions> = {},
): ImportedRun[] {
  return importTrace(kind, Buffer.from(text), { skills: [], ...options });
}

/** An imported run as the grader would read it, without a directory. */
function recordImported({ started, events, finished, final }: ImportedRun): RecordedRun {
  const run_id = "20260203_123456_abcd";
  const digest = final === null ? null : { ref: "final.md", sha256: sha256(final), chars: final.length };
  const all = [
    { turn: 0, type: "run_started", data: started },
    ...events,
    { turn: 0, type: "run_finished", data: { ...finished, final: digest } },
  ];
  const ts = "2026-02-03T12:34:56.789Z";
  const recorded = all.map(({ turn, type, data }, at) => ({
    v: 1,
    seq: at + 1,
    ts,
    run_id,
    turn,
    type,
    data,
  }));
  return {
    dir: "/nowhere",
    runId: run_id,
    events: recorded as AgentEvent[],
    lines: recorded.map((event) => JSON.stringify(event)),
    warnings: [],
    problem: null,
    final,
    hasWorkspace: false,
    read: (ref) => (ref === "final.md" && final !== null ? Buffer.from(final) : null),
    kindAt: (ref) => (ref === "final.md" && final !== null ? "file" : null),
  };
}

/** The grade of an imported run, for a case that asks for this and nothing else. */
export function gradeImported(run: ImportedRun, asks: Record<string, unknown>): Promise<CaseReport> {
  const file = AgentCaseFile.parse({ id: "imported", input: "x", ...asks });
  return gradeRun(recordImported(run), forgedCase({}, { case: file, level: "L2" }), { trial: 1, model: "x" });
}

/** What was done in a run, one line for each action, load and refusal, and for what could not be read. */
export function outline({ events }: { events: readonly (ImportedEvent | AgentEvent)[] }): string[] {
  return events.flatMap((event) => {
    const { turn } = event;
    switch (event.type) {
      case "turn_started":
        return event.data.parent_call_id === undefined ? [] : [`${turn} within ${event.data.parent_call_id}`];
      case "skill_loaded":
        return [`${turn} body of ${event.data.skill.name} for ${event.data.call_id}`];
      case "resource_loaded":
        return [`${turn} ${event.data.path} of ${event.data.skill.name}`];
      case "approval_denied":
        return [`${turn} denied`];
      case "error_occurred":
        return [`${turn} unknown: ${event.data.unknown?.kind}`];
      case "action_executed": {
        const { action, tool, started, ok } = event.data;
        const words = `${turn} ${action} ${tool ?? ""} ${started ? "" : "not "}started, ${ok}`;
        return [words.replaceAll("  ", " ")];
      }
      default:
        return [];
    }
  });
}

/** The calls of the agent; what is a part of another call is none. */
export function countCalls(runs: readonly Pick<ImportedRun, "events">[]): number {
  return runs
    .flatMap(({ events }) => events)
    .filter(
      ({ type, data }) =>
        type === "action_planned" && data.part_of === undefined && data.action.type !== "final_answer",
    ).length;
}
