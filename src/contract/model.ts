import type { Json, JsonSchema } from "../shared/json/json.ts";
import type { Usage } from "./outcome.ts";

/** One message of a question, and who says it. */
export interface ChatMessage {
  role: "system" | "user" | "assistant";
  text: string;
}

/** One question to a language model. */
export interface ModelRequest {
  messages: readonly ChatMessage[];
  temperature: number;
  maxOutputTokens?: number | undefined;
  /** What the reply must fit, where the provider can enforce it. Whoever asks checks the reply all the same. */
  schema?: JsonSchema | undefined;
  /** A random word in the messages that nobody may guess. Recordings leave it out, or no call would ever match. */
  nonce?: string | undefined;
  /** Which repetition of the same question this is: recordings keep them apart. */
  trial?: number | undefined;
  ordinal?: number | undefined;
  /** The longest wait for a reply, where it is not the configured one. */
  timeoutMs?: number | undefined;
}

/** What a model said, and what that took. */
export interface ModelReply {
  text: string;
  finishReason: "stop" | "length" | "content-filter" | "other";
  /** Null where the provider did not report it; never zero instead. */
  usage: Usage | null;
  /** Of the last try, from handing the request over to the end of the reply; null where a recording does not say. */
  latencyMs: number | null;
  /** Whether it came from the store instead of the model: then nothing was paid for it now. */
  isCached?: boolean | undefined;
  /** The id of the model as the provider names what answered, where it does. */
  answeredBy?: string | undefined;
}

/** Why no reply came. */
export type ModelFault =
  | "timeout"
  | "rate-limited"
  | "unavailable"
  | "refused"
  | "bad-reply"
  | "not-recorded"
  | "budget";

/** How a call to a model ended. What a provider does wrong is a value, never a throw. */
export type ModelOutcome =
  | ({ status: "answered" } & ModelReply)
  | {
      status: "failed";
      fault: ModelFault;
      message: string;
      latencyMs: number;
      retryAfterMs?: number | undefined;
    };

/** How a caller can stop a call and listen to it. */
export interface ModelCall {
  /** Aborted when the run is interrupted: the call then throws the signal's reason. */
  signal: AbortSignal;
  /** Called with the reply piece by piece as it comes. The pieces add up to its text. */
  onText?: ((piece: string) => void) | undefined;
}

/** A language model: a question goes in, what came back comes out. Write one and every judge can use it. */
export interface Model {
  /** `<provider>/<model>`, as reports name it. */
  readonly id: string;
  /** Everything about it that may change its answers: part of the identity of what it judges. Holds no secret. */
  readonly identity: Json;
  call(request: ModelRequest, call: ModelCall): Promise<ModelOutcome>;
}

/** The two classes of requests, by the characters in them; each may have an embedder of its own. */
export const scriptClasses = ["han", "other"] as const;
export type ScriptClass = (typeof scriptClasses)[number];

/** How a call to an embedder ended. What a provider does wrong is a value, never a throw. */
export type EmbedOutcome =
  | { status: "embedded"; vectors: Float32Array[] }
  | { status: "failed"; message: string };

/** Texts go in, a vector for each comes out, in their order. Write one and the router can use it. */
export interface Embedder extends AsyncDisposable {
  /** `<provider>/<model>`, as reports and the store name it. */
  readonly model: string;
  readonly dim: number;
  /** How many texts it is handed at once, where that is fewer than others take: a model on this machine is slow, not down. */
  readonly textsPerCall?: number | undefined;
  /** Throws only the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedOutcome>;
}

/** The embedder of each class of requests; a class without one stays lexical. */
export type Embedders = { readonly [script in ScriptClass]?: Embedder | undefined };
