import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../../agent-runtime/log/read-run.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { ConversationRecord } from "../../contract/conversation.ts";
import type { Judgment } from "../../contract/judge.ts";
import type { PlanEvidence } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import { type CallSpan, modelCall, toolCall } from "./call-span.ts";

/** The recorded model and tool calls of a cell. `content`: whether to include their texts. */
export function* callsInCell(result: CellResult, content: boolean): Generator<CallSpan> {
  const { level, output, judge, model } = result;
  switch (level) {
    case "trigger":
      if (output !== null) yield* judgmentCalls(output as unknown as Judgment, result);
      return;
    case "agent": {
      const { runDir } = (output ?? {}) as { runDir?: string | null };
      if (typeof runDir === "string") yield* runCalls(runDir, model ?? unnamedModel);
      return;
    }
    case "conversation": {
      const { record } = (output ?? {}) as unknown as { record?: ConversationRecord };
      if (record !== undefined) yield* conversationCalls(record, model ?? unnamedModel, content);
      return;
    }
    case "planbench":
      // A plan that is part of the case needs no model.
      if (model !== null) yield* planCalls((output ?? {}) as Partial<PlanEvidence>, model);
      return;
    default: {
      if (judge === null) return;
      const { promptTokens: input = null, completionTokens: output = null } = judge.usage ?? {};
      yield modelCall(judge.model, { durationMs: judge.latencyMs, tokens: { input, output } });
    }
  }
}

/** For calls of an unknown model. */
const unnamedModel = "model";

function* judgmentCalls(judgment: Judgment, { judge, model }: CellResult): Generator<CallSpan> {
  const { cached, ms, tokensIn, tokensOut, outcome } = judgment;
  // Cached answers need no call, and a router answers without a model.
  if (cached || (tokensIn === null && judge === null)) return;
  yield modelCall(judge?.model ?? model ?? "judge", {
    durationMs: ms,
    tokens: { input: tokensIn, output: tokensOut },
    problem: judgment.outcome === "error" ? judgment.code : null,
    attributes: { "eval.judgment": outcome },
  });
}

function runCalls(runDir: string, model: string): Iterable<CallSpan> {
  return existsSync(join(runDir, "events.jsonl")) ? eventCalls(readRun(runDir).events, model) : [];
}

function* conversationCalls(
  { turns }: ConversationRecord,
  model: string,
  content: boolean,
): Generator<CallSpan> {
  for (const { llm_ms, usage, kind, rejection, reply, call } of turns) {
    yield modelCall(model, {
      durationMs: llm_ms,
      tokens: { input: usage?.promptTokens ?? null, output: usage?.completionTokens ?? null },
      attributes: {
        "eval.reply": kind,
        "eval.rejection": rejection,
        ...(content && { "gen_ai.output.messages": reply }),
      },
    });
    if (call === null) continue;
    yield toolCall(call.name, {
      durationMs: call.ms,
      problem: call.code,
      attributes: {
        "eval.skill.id": call.skill,
        "eval.result.bytes": call.result_bytes,
        ...(content && {
          "gen_ai.tool.call.arguments": JSON.stringify(call.arguments),
          "gen_ai.tool.call.result": JSON.stringify(call.data ?? call.message),
        }),
      },
    });
  }
}

function* eventCalls(events: readonly AgentEvent[], model: string): Generator<CallSpan> {
  for (const { type, ts, data } of events) {
    if (type === "model_response") {
      const durationMs = data.duration_ms ?? 0;
      const { input_tokens: input = null, output_tokens: output = null } = data.usage ?? {};
      const problem = data.error?.code ?? null;
      const startMs = Date.parse(ts) - durationMs;
      yield modelCall(data.fallback ?? model, { durationMs, startMs, tokens: { input, output }, problem });
    } else if (type === "action_executed" && data.audit !== undefined) {
      const startMs = Date.parse(String(data.audit.ts_start));
      const durationMs = Date.parse(String(data.audit.ts_end)) - startMs;
      const tool = data.tool ?? data.action;
      yield toolCall(tool, { durationMs, startMs, problem: data.error?.code ?? null });
    }
  }
}

function* planCalls({ attempts = [] }: Partial<PlanEvidence>, model: string): Generator<CallSpan> {
  for (const [n, { ms, valid, violations, answeredBy }] of attempts.entries())
    yield modelCall(model, {
      durationMs: ms ?? 0,
      attributes: {
        "eval.attempt": n,
        "eval.valid": valid,
        "eval.violations": violations.length,
        "gen_ai.response.model": answeredBy,
      },
    });
}
