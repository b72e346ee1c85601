import type { VectorCache } from "../contract/cache.ts";
import type { Embedder } from "../contract/model.ts";
import { onAbort, unlessAborted } from "../shared/async/abort.ts";
import { takeChars, textDigest } from "./routing-text.ts";

/** A vector for each text, in their order, or why there is none. */
export type Embedded = { ok: true; vectors: Float32Array[] } | { ok: false; reason: string };

export interface Embedding {
  embedder: Embedder;
  cache: VectorCache;
  /** How long one call may take. */
  timeoutMs: number;
}

const batchSize = 32;

/** Vectors from the cache; missing ones are embedded and stored batch by batch, so that no work is lost. */
export async function embedTexts(
  texts: readonly string[],
  { embedder, cache, timeoutMs }: Embedding,
  signal: AbortSignal,
): Promise<Embedded> {
  const key = { model: embedder.model, dim: embedder.dim };
  const digests = texts.map(textDigest);
  const known = new Map<string, Float32Array>();
  for (const [digest, vector] of cache.vectors(key, [...new Set(digests)]))
    if (findFault(vector, embedder) === null) known.set(digest, vector);
  const missing = new Map<string, string>();
  for (const [index, digest] of digests.entries())
    if (!known.has(digest)) missing.set(digest, texts[index] as string);
  const waiting = [...missing];
  const atOnce = Math.max(1, Math.min(batchSize, embedder.textsPerCall ?? batchSize));
  while (waiting.length > 0) {
    const batch = waiting.splice(0, atOnce);
    const embedded = await callEmbedder(
      embedder,
      batch.map(([, text]) => text),
      timeoutMs,
      signal,
    );
    if (!embedded.ok) return embedded;
    const fresh = new Map(batch.map(([digest], index) => [digest, embedded.vectors[index] as Float32Array]));
    cache.keepVectors(key, fresh);
    for (const [digest, vector] of fresh) known.set(digest, vector);
  }
  return { ok: true, vectors: digests.map((digest) => known.get(digest) as Float32Array) };
}

/** Calls the embedder once and validates everything: it may be third-party code. */
async function callEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Embedded> {
  signal.throwIfAborted();
  const call = new AbortController();
  const timer = setTimeout(() => call.abort(new Error("too late")), timeoutMs);
  const callOff = onAbort(signal, () => call.abort(signal.reason));
  try {
    const outcome = await unlessAborted(embedder.embed(texts, call.signal), call.signal);
    if (outcome.status === "failed") return failed(outcome.message);
    return checked(outcome.vectors, texts.length, embedder);
  } catch (error) {
    signal.throwIfAborted();
    if (call.signal.aborted) return failed(`no answer within ${timeoutMs / 1000} s`);
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    callOff();
  }
}

function checked(vectors: Float32Array[], count: number, embedder: Embedder): Embedded {
  if (vectors.length !== count) return failed(`${vectors.length} vectors for ${count} texts`);
  for (const vector of vectors) {
    const fault = findFault(vector, embedder);
    if (fault !== null) return failed(fault);
  }
  return { ok: true, vectors };
}

function findFault(vector: Float32Array, { dim }: Embedder): string | null {
  if (vector.length !== dim) return `wrong dimension: ${vector.length} instead of ${dim}`;
  return vector.every(Number.isFinite) ? null : "a vector contains a value that is not a finite number";
}

const longestReason = 300;

function failed(message: string): Embedded {
  return { ok: false, reason: `embedder: ${takeChars(message, longestReason)}` };
}
