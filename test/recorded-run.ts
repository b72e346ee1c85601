import type { AgentEvent, EventType } from "../src/contract/agent-event.ts";
import type { RecordedRun } from "../src/contract/agent-log.ts";
import { sampleData } from "./builders/sample-run-log.ts";

/** A run directory as its reader finds it, with these events: each of them plain but for what is given. */
export function recordedRun(
  given: [number, EventType, object?][],
  over: Partial<RecordedRun> = {},
): RecordedRun {
  const events = given.map(([turn, type, data], at) => ({
    v: 1,
    seq: at + 1,
    ts: new Date(Date.UTC(2026, 1, 3, 12, 34, 56) + at * 100).toISOString(),
    run_id: "20260203_123456_abcd",
    turn,
    type,
    data: { ...sampleData(type), ...data },
  })) as AgentEvent[];
  const files: Record<string, string> = { "inputs/request.txt": "请把表单填好 \u001b[31m!" };
  return {
    dir: "/run",
    runId: "20260203_123456_abcd",
    events,
    lines: [],
    warnings: [],
    problem: null,
    final: "## Done\n\n- filled in\n",
    hasWorkspace: true,
    read: (ref) => (files[ref] === undefined ? null : Buffer.from(files[ref])),
    kindAt: (ref) => (files[ref] === undefined ? null : "file"),
    ...over,
  };
}
