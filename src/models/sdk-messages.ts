import type { ModelCall, ModelReply, ModelRequest } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import { shorten } from "../shared/text/visible-text.ts";
import type { LanguageModel } from "./language-model.ts";

type Options = Parameters<LanguageModel["doGenerate"]>[0];
type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;
type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>;
type Reply = Omit<ModelReply, "latencyMs">;

/** A request of ours in the words of the AI SDK. */
export function callOptions(request: ModelRequest, abortSignal: AbortSignal): Options {
  const { messages, temperature, maxOutputTokens, schema } = request;
  return {
    prompt: messages.map(({ role, text }) =>
      role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] },
    ),
    temperature,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(typeof schema === "object" && { responseFormat: { type: "json", name: "reply", schema } }),
    // The other way is a tool the model must call, and whatever it says beside that would be lost.
    providerOptions: { anthropic: { structuredOutputMode: "outputFormat" } },
    abortSignal,
  };
}

/** A reply that came whole. */
export function readReply(
  { content, finishReason, usage, response }: Generated,
  onText: ModelCall["onText"],
): Reply {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (text !== "") onText?.(text);
  return {
    text,
    finishReason: finishReasonOf(finishReason),
    usage: usageOf(usage, text),
    ...answeredBy(response?.modelId),
  };
}

/** A reply that comes piece by piece. */
export async function readStream({ stream }: Streamed, onText: ModelCall["onText"]): Promise<Reply> {
  const reply: Reply = { text: "", finishReason: "other", usage: null };
  // The end of a stream tells the usage after the last piece of text.
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "response-metadata") Object.assign(reply, answeredBy(part.modelId));
    if (part.type === "finish") {
      reply.finishReason = finishReasonOf(part.finishReason);
      reply.usage = usageOf(part.usage, reply.text);
    }
    if (part.type !== "text-delta" || part.delta === "") continue;
    reply.text += part.delta;
    onText?.(part.delta);
  }
  return reply;
}

const longestId = 200;

/** What the provider calls the model that answered; nothing where it does not say. */
function answeredBy(modelId: string | undefined): Pick<Reply, "answeredBy"> {
  return typeof modelId === "string" && modelId !== "" ? { answeredBy: shorten(modelId, longestId) } : {};
}

function finishReasonOf({ unified }: Generated["finishReason"]): Reply["finishReason"] {
  return unified === "stop" || unified === "length" || unified === "content-filter" ? unified : "other";
}

/**
 * The SDK's providers read a count that nobody told as 0. No question has 0 tokens, nor has a reply with words in it:
 * there 0 means unknown. So does what is no count at all.
 */
function usageOf({ inputTokens, outputTokens, raw }: Generated["usage"], text: string): Usage | null {
  const promptTokens = countIn(inputTokens.total) || null;
  const reported = countIn(outputTokens.total);
  const completionTokens = reported || (text === "" ? reported : null);
  const costUsd = typeof raw?.cost === "number" && raw.cost >= 0 ? raw.cost : null;
  if (promptTokens === null && !completionTokens && costUsd === null) return null;
  const isWhole = promptTokens !== null && completionTokens !== null;
  const totalTokens = isWhole ? promptTokens + completionTokens : null;
  return { promptTokens, completionTokens, totalTokens, costUsd };
}

function countIn(reported: number | undefined): number | null {
  return reported !== undefined && Number.isSafeInteger(reported) && reported >= 0 ? reported : null;
}
