import type { AgentEvent, EventType } from "../../src/contract/agent-event.ts";
import type { RunLog, RunState } from "../../src/contract/agent-log.ts";
import type { Recording } from "../../src/contract/limits.ts";
import { canonicalJson, sha256 } from "../../src/shared/json/canonical-json.ts";

/** For tests: a log in memory that also records when it was synced. */
export interface MemoryLog extends RunLog {
  events: AgentEvent[];
  states: RunState[];
  raw: Map<string, string>;
  final: string | null;
  /** How many lines there were at each sync. */
  syncs: number[];
  of<Type extends EventType>(type: Type): AgentEvent<Type>["data"][];
}

export function memoryLog(recording: Recording = "full"): MemoryLog {
  const runId = "20260203_123456_abcd";
  const log: MemoryLog = {
    runId,
    dir: "/runs/one",
    workspace: "/runs/one/sandbox",
    recording,
    events: [],
    states: [],
    raw: new Map(),
    final: null,
    syncs: [],
    of: (type) => log.events.filter((event) => event.type === type).map(({ data }) => data) as never,
    emit(turn, type, data) {
      const seq = log.events.length + 1;
      log.events.push({
        v: 1,
        seq,
        ts: "",
        run_id: runId,
        turn,
        type,
        data: structuredClone(data),
      } as AgentEvent);
      return seq;
    },
    emitDelta: (turn, delta) => void log.emit(turn, "model_delta", delta),
    async synced() {
      log.syncs.push(log.events.length);
    },
    digest: () => sha256(JSON.stringify(log.events)),
    paramsHash: (params) => sha256(canonicalJson(params)),
    writeRequest: (text) => ({ ref: "inputs/request.txt", sha256: sha256(text), bytes: text.length }),
    keep: (name, content) => ({
      ref: `observations/${name}`,
      sha256: sha256(content),
      bytes: content.length,
    }),
    keepRaw: (name, content) => void log.raw.set(name, content),
    writeState: (state) => void log.states.push(state),
    writeFinal(text) {
      log.final = text;
      return { ref: "final.md", sha256: sha256(text), chars: text.length };
    },
    async [Symbol.asyncDispose]() {},
  };
  return log;
}
