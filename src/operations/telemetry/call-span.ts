import type { Json } from "../../shared/json/json.ts";
import type { SpanTree } from "../../telemetry/otlp/export-spans.ts";

/** A call of a model or a tool within a cell. */
export interface CallSpan {
  /** `chat <model>`, `execute_tool <tool>`: as the conventions for generative AI name them. */
  name: string;
  durationMs: number;
  /** Epoch milliseconds, where it is known; else it begins when the one before it ended. */
  startMs?: number | undefined;
  attributes: Record<string, Json>;
  /** What went wrong; null where nothing did. */
  problem: string | null;
}

export interface Tokens {
  input: number | null;
  output: number | null;
}

export function modelCall(
  model: string,
  call: {
    durationMs: number;
    startMs?: number;
    tokens?: Tokens;
    problem?: string | null;
    attributes?: Record<string, Json>;
  },
): CallSpan {
  return {
    name: `chat ${model}`,
    durationMs: call.durationMs,
    startMs: call.startMs,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": model,
      "gen_ai.usage.input_tokens": call.tokens?.input ?? null,
      "gen_ai.usage.output_tokens": call.tokens?.output ?? null,
      ...call.attributes,
    },
    problem: call.problem ?? null,
  };
}

export function toolCall(
  tool: string,
  call: { durationMs: number; startMs?: number; problem?: string | null; attributes?: Record<string, Json> },
): CallSpan {
  return {
    name: `execute_tool ${tool}`,
    durationMs: call.durationMs,
    startMs: call.startMs,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, ...call.attributes },
    problem: call.problem ?? null,
  };
}

/** Calls as spans below their cell, one after another where their start is unknown. */
export function* layOutSpans(
  calls: Iterable<CallSpan>,
  cell: Pick<SpanTree, "key" | "startMs">,
): Generator<SpanTree> {
  let at = cell.startMs;
  let n = 0;
  for (const { name, durationMs, startMs = at, attributes, problem } of calls) {
    at = startMs + Math.max(0, durationMs);
    yield {
      key: `${cell.key}/${n++}`,
      name,
      kind: "client",
      startMs,
      endMs: at,
      attributes,
      status: problem === null ? "ok" : "error",
      ...(problem !== null && { message: problem }),
      children: [],
    };
  }
}
