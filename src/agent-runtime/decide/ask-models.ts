import type { AgentError, AgentErrorCode } from "../../contract/agent-error.ts";
import type {
  AgentMessage,
  AgentModel,
  AgentReply,
  DecideListener,
  DecideOutcome,
} from "../../contract/agent-parts.ts";
import type { Clock } from "../../shared/async/clock.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { longestDemandMs } from "../../shared/network/http.ts";

/** One attempt at a decision: the request, and who receives the bytes of each try. */
export interface Question {
  attempt: number;
  messages: readonly AgentMessage[];
  /** Made only for models that read it. */
  schema: () => JsonSchema;
  /** Called for every try; what it returns receives that try's reply as it streams. */
  listen: () => ((bytes: Uint8Array) => void) | undefined;
}

export interface Answer {
  status: "answered";
  reply: Extract<AgentReply, { status: "answered" }>;
  durationMs: number;
  /** The id of the model that answered instead of the first. */
  fallback: string | undefined;
}
export type AskResult = Answer | Exclude<DecideOutcome, { status: "decided" | "invalid" }>;

export interface AskOptions {
  clock: Clock;
  /** 0..1: spreads the pauses. */
  random: () => number;
}

const maxTries = 3;
const firstPauseMs = 500;
const maxPauseMs = 8000;

/** Asks the first model until it answers, cannot be waited for or was tried often enough; then the next, for the rest of the run. */
export function askModels(models: readonly [AgentModel, ...AgentModel[]], { clock, random }: AskOptions) {
  let modelIndex = 0;
  let answered = 0;

  return async (question: Question, on: DecideListener, signal: AbortSignal): Promise<AskResult> => {
    const { attempt, messages } = question;
    for (let tries = 1, ofModel = 1; ; tries++, ofModel++) {
      const limit = on.mayCall(messages);
      if (limit !== null) return { status: "exhausted", limit };
      const model = models[modelIndex] as AgentModel;
      const fallback = modelIndex === 0 ? undefined : model.id;
      const notified = on.request({ attempt, try: tries, messages });
      if (notified !== undefined) await notified;

      const began = clock.monotonic();
      const reply = await call(model, question, answered + 1, signal);
      const durationMs = Math.round(clock.monotonic() - began);
      if (reply.status === "answered") {
        answered++;
        return { status: "answered", reply, durationMs, fallback };
      }
      const { fault, mock } = reply;
      const error = toAgentError(reply, ofModel);
      on.response(
        {
          attempt,
          ok: false,
          error: { ...error },
          recovered: "none",
          warnings: [],
          raw: { sha256: null, chars: null },
          duration_ms: durationMs,
          ...(fallback !== undefined && { fallback }),
          ...(mock !== undefined && { mock }),
        },
        "",
      );
      if (fault === "mock-exhausted") return { status: "mock-exhausted" };
      if (fault === "budget") return { status: "exhausted", limit: "max_cost_usd" };
      if (fault === "retryable" && ofModel < maxTries && isBearable(reply)) {
        await clock.sleep(pauseMs(ofModel, reply.retryAfterMs, random), signal);
      } else if (modelIndex + 1 < models.length) {
        modelIndex++;
        ofModel = 0;
      } else {
        return { status: "unavailable", error };
      }
    }
  };
}

/** Calls once. What the listener throws is its own fault, and not the model's to handle. */
async function call(
  model: AgentModel,
  { messages, schema, listen }: Question,
  ordinal: number,
  signal: AbortSignal,
): Promise<AgentReply> {
  const listener = listen();
  let thrown: { error: unknown } | null = null;
  const onBytes = (bytes: Uint8Array) => {
    if (thrown !== null) return;
    try {
      listener?.(bytes);
    } catch (error) {
      thrown = { error };
    }
  };
  const request = {
    messages,
    ordinal,
    get schema() {
      return schema();
    },
  };
  const reply = await model.call(request, { signal, onBytes: listener && onBytes });
  if (thrown !== null) throw (thrown as { error: unknown }).error;
  return reply;
}

type Failure = Extract<AgentReply, { status: "failed" }>;

const codes: Readonly<Record<Failure["fault"], AgentErrorCode>> = {
  retryable: "ModelUnavailable",
  final: "ModelUnavailable",
  "cassette-miss": "CassetteMiss",
  budget: "BudgetExceeded",
  "mock-exhausted": "MockExhausted",
};

function toAgentError(reply: Failure, tries: number): AgentError {
  const demand = isBearable(reply) ? "" : `; it asks to wait more than ${longestDemandMs / 1000} s`;
  const count = tries === 1 ? "" : ` (try ${tries})`;
  return { code: codes[reply.fault], message: `${reply.message}${demand}${count}` };
}

/** A provider that asks for a longer pause is not called again. */
function isBearable({ retryAfterMs }: Failure): boolean {
  return retryAfterMs === undefined || retryAfterMs <= longestDemandMs;
}

function pauseMs(tries: number, demandMs: number | undefined, random: () => number): number {
  if (demandMs !== undefined) return demandMs;
  return random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1));
}
