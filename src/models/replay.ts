import { readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Model, ModelFault } from "../contract/model.ts";
import type { Json } from "../shared/json/json.ts";
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
      const read = readCassette(path);
      if ("fault" in read) return { status: "failed", ...read, latencyMs: 0 };
      const { kept } = read;
      const pieces = changePieces(kept.chunks, (piece) => withNonce(piece, request.nonce));
      for (const piece of pieces) onText?.(piece);
      const { finishReason, usage, latencyMs, answeredBy } = kept;
      const text = pieces.join("");
      const answering = answeredBy === undefined ? {} : { answeredBy };
      return { status: "answered", text, finishReason, usage, latencyMs, ...answering };
    },
  };
}

function readCassette(path: string): { kept: Cassette } | { fault: ModelFault; message: string } {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error("not a regular file"); // a pipe would be waited for without end
    if (found.size > longestCassette) throw new Error("larger than 64 MiB");
    const kept = Cassette.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
    return kept === undefined ? { fault: "bad-reply", message: `${path} is not a recording` } : { kept };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") return { fault: "bad-reply", message: `${path} is not a recording: ${message}` };
    const place = `${dirname(path)} has no recording of this call (${basename(path)})`;
    return { fault: "not-recorded", message: place };
  }
}

/** Four times the longest reply that is read at all. */
const longestCassette = 64 * 1024 * 1024;
