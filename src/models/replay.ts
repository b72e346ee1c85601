import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Json } from "../contract/json.ts";
import type { Model, ModelFault, ModelOutcome } from "../contract/model.ts";
import { Cassette, type CassetteModel, cassettePath, changePieces, withNonce } from "./cassette.ts";

export interface ReplayOptions {
  id: string;
  identity: Json;
  folder: string;
  of: CassetteModel;
}

/** Answers from recordings, without any network. A call that was not recorded has no answer. */
export function replayModel({ id, identity, folder, of }: ReplayOptions): Model {
  return {
    id,
    identity,
    async call(request, { signal, onText }) {
      signal.throwIfAborted();
      const path = cassettePath(folder, of, request);
      const text = readIfThere(path);
      if (text === null)
        return failed("not-recorded", `${folder} holds no recording of this call (${basename(path)})`);
      const kept = readCassette(text);
      if (kept === null) return failed("bad-reply", `${path} is no recording`);
      const pieces = changePieces(kept.chunks, (piece) => withNonce(piece, request.nonce));
      for (const piece of pieces) onText?.(piece);
      const { finishReason, usage, latencyMs } = kept;
      return { status: "answered", text: pieces.join(""), finishReason, usage, latencyMs };
    },
  };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function readCassette(text: string): Cassette | null {
  try {
    return Cassette.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function failed(fault: ModelFault, message: string): ModelOutcome {
  return { status: "failed", fault, message, latencyMs: 0 };
}
