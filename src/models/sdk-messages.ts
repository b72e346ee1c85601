import type { ModelCall, ModelReply, ModelRequest } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import { shorten } from "../shared/text/visible-text.ts";
import type { LanguageModel } from "./language-model.ts";
import { ProviderError, type ProviderFault } from "./provider-fault.ts";

type Options = Parameters<LanguageModel["doGenerate"]>[0];
type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;
type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>;
type Reply = Omit<ModelReply, "latencyMs">;

/** Converts a request for the AI SDK. */
export function callOptions(request: ModelRequest, abortSignal: AbortSignal): Options {
  const { messages, temperature, maxOutputTokens, schema } = request;
  return {
    prompt: messages.map(({ role, text }) =>
      role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] },
    ),
    temperature,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(typeof schema === "object" && { responseFormat: { type: "json", name: "reply", schema } }),
    // The alternative is a forced tool call, which would lose any text beside it.
    providerOptions: { anthropic: { structuredOutputMode: "outputFormat" } },
    abortSignal,
  };
}

/** Reads a reply that came whole. */
export function readReply(
  { content, finishReason, usage, response }: Generated,
  onText: ModelCall["onText"],
): Reply {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (text !== "") onText?.(text);
  return {
    text,
    finishReason: toFinishReason(finishReason),
    usage: toUsage(usage, text),
    ...answeredBy(response?.modelId),
  };
}

/** Reads a streamed reply. */
export async function readStream({ stream }: Streamed, onText: ModelCall["onText"]): Promise<Reply> {
  const reply: Reply = { text: "", finishReason: "other", usage: null };
  let isWhole = false;
  // The usage comes at the end of the stream, after the last piece of text.
  for await (const part of stream) {
    if (part.type === "error") throw isAboutEnd(part.error) ? new ProviderError(cutStream) : part.error;
    if (part.type === "response-metadata") Object.assign(reply, answeredBy(part.modelId));
    if (part.type === "finish") {
      isWhole = part.finishReason.raw !== undefined;
      reply.finishReason = toFinishReason(part.finishReason);
      reply.usage = toUsage(part.usage, reply.text);
    }
    if (part.type !== "text-delta" || part.delta === "") continue;
    reply.text += part.delta;
    onText?.(part.delta);
  }
  if (!isWhole) throw new ProviderError(cutStream);
  return reply;
}

/** A connection that is closed in good order may still have been closed too early. */
const cutStream: ProviderFault = {
  fault: "unavailable",
  message: "incomplete reply: the stream ended before the provider said why",
};

/** Some of the SDK's providers notice it themselves. */
function isAboutEnd(error: unknown): boolean {
  return error instanceof Error && /ended without a finish reason/i.test(error.message);
}

const longestId = 200;

/** The name of the model that answered; empty if the provider gives none. */
function answeredBy(modelId: string | undefined): Pick<Reply, "answeredBy"> {
  return typeof modelId === "string" && modelId !== "" ? { answeredBy: shorten(modelId, longestId) } : {};
}

function toFinishReason({ unified }: Generated["finishReason"]): Reply["finishReason"] {
  return unified === "stop" || unified === "length" || unified === "content-filter" ? unified : "other";
}

/**
 * The SDK's providers read a missing count as 0. No request has 0 tokens, nor has a reply with text: there 0 means
 * unknown. So does anything that is not a count.
 */
function toUsage({ inputTokens, outputTokens, raw }: Generated["usage"], text: string): Usage | null {
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
