import type { Embedder, ScriptClass } from "../../contract/model.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { EmbeddingThread, type ThreadOrder } from "./embedding-thread.ts";
import { findLocalPackages } from "./local-packages.ts";
import { vectorProblem } from "./vector-problem.ts";

/**
 * The two models that need no network, from packages installed beside us. A `UserError` if they are not installed. A
 * project may not bring them: they run in this process.
 */
export function localEmbedders(): Record<ScriptClass, Embedder> {
  const files = findLocalPackages(packageFolder());
  return {
    han: localEmbedder({ model: "local/bge-small-zh-v1.5", dim: 512, order: { kind: "bge", files } }),
    other: localEmbedder({ model: "local/all-MiniLM-L6-v2", dim: 384, order: { kind: "minilm", files } }),
  };
}

export interface LocalModel {
  model: string;
  dim: number;
  order: ThreadOrder;
}

/** A model that runs in a thread of ours. */
export function localEmbedder({ model, dim, order }: LocalModel): Embedder {
  const thread = new EmbeddingThread(order);
  return {
    model,
    dim,
    // Each vector is stored as soon as it is ready, and no call waits for more than one.
    textsPerCall: 1,
    async embed(texts, signal) {
      signal.throwIfAborted();
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const answer = await thread.embed(text, signal);
        if ("problem" in answer) return { status: "failed", message: `${model}: ${answer.problem}` };
        vectors.push(answer.vector);
      }
      const problem = vectorProblem(vectors, { count: texts.length, dim });
      if (problem !== null) return { status: "failed", message: `${model}: ${problem}` };
      return { status: "embedded", vectors };
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
