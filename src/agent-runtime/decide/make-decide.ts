import type { ActionType } from "../../contract/agent-action.ts";
import type { EventData } from "../../contract/agent-event.ts";
import type { AgentModel, Decide, DecideListener, DecideRequest } from "../../contract/agent-parts.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { contentPath, decisionStream } from "../stream/decision-stream.ts";
import { type Answer, askModels } from "./ask-models.ts";
import { correction } from "./prompt-text.ts";
import { decisionIn, type FoundDecision } from "./read-decision.ts";
import { decisionSchema } from "./schema-hint.ts";

export interface DecideOptions {
  clock: Clock;
  /** 0..1: spreads the pauses between tries. */
  random: () => number;
  /** Answers where the model cannot. */
  fallback?: AgentModel | null | undefined;
}

/** The decisions of one run. Calls are numbered through all of them, so every run has one of its own. */
export function makeDecide(model: AgentModel, { clock, random, fallback = null }: DecideOptions): Decide {
  const ask = askModels(fallback === null ? [model] : [model, fallback], { clock, random });
  const schemaFor = lastSchema();

  return async (request, on, signal) => {
    const { max_retries, max_context_chars } = request.budget;
    const schema = () => schemaFor(request);
    let { messages } = request;
    for (let attempt = 1; ; attempt++) {
      const reading = readStreamedReply(request, attempt, on);
      const answer = await ask({ attempt, messages, schema, listen: reading.listen }, on, signal);
      if (answer.status !== "answered") return answer;
      const { text } = answer.reply;
      const read = decisionIn(text, reading.end(text), request.tools);
      on.response(responseFact(attempt, answer, read), text);

      const { recovered, warnings } = read;
      if (read.ok) return { status: "decided", ...read.decision, attempts: attempt, recovered, warnings };
      if (attempt > max_retries) return { status: "invalid", error: read.error };
      const mistake = { reply: text, problem: read.error.message };
      messages = correction(request.messages, mistake, max_context_chars);
    }
  };
}

/** Reads the reply of each try with its own parser, and streams it to the listener. */
function readStreamedReply({ budget }: DecideRequest, attempt: number, on: DecideListener) {
  const maxChars = budget.max_output_chars;
  const watching = {
    type: (type: ActionType) => on.type?.(type),
    skill: (name: string) => on.skill?.(name),
    content: (text: string) => on.delta(attempt, contentPath, text),
  };
  const open = () => decisionStream({ maxChars, on: budget.allow_streaming ? watching : {} });
  let stream = open();
  let hasStreamed = false;
  return {
    listen() {
      if (hasStreamed) stream = open();
      hasStreamed = false;
      if (!budget.allow_streaming) return undefined;
      return (bytes: Uint8Array) => {
        hasStreamed = true;
        stream.write(bytes);
      };
    },
    /** Without streaming the same is read in one piece. */
    end(text: string) {
      if (!hasStreamed) stream.write(encoder.encode(text));
      return stream.end();
    },
  };
}

const encoder = new TextEncoder();

function responseFact(
  attempt: number,
  { reply, durationMs, fallback }: Answer,
  read: FoundDecision,
): EventData<"model_response"> {
  const { text, usage, mock } = reply;
  return {
    attempt,
    ok: read.ok,
    ...(!read.ok && { error: { ...read.error } }),
    recovered: read.recovered,
    warnings: read.warnings,
    raw: { sha256: sha256(text), chars: text.length },
    usage,
    duration_ms: durationMs,
    ...(fallback !== undefined && { fallback }),
    ...(mock !== undefined && { mock }),
  };
}

/** Most turns may choose among the same skills and tools as the turn before. */
function lastSchema(): (request: DecideRequest) => JsonSchema {
  let last: { key: string; schema: JsonSchema } | null = null;
  return ({ skillNames, tools = null }) => {
    const key = JSON.stringify([skillNames, tools]);
    if (last?.key !== key) last = { key, schema: decisionSchema(skillNames, tools) };
    return last.schema;
  };
}
