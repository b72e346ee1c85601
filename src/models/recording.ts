import type { Model, ModelReply } from "../contract/model.ts";
import { writeWholeFile } from "../shared/files/whole-file.ts";
import { unwritable } from "../shared/user-error.ts";
import { type Cassette, type CassetteModel, cassettePath, changePieces, withoutNonce } from "./cassette.ts";

export interface RecordingOptions {
  folder: string;
  of: CassetteModel;
  /** Takes secrets out of what is written. */
  redact: (text: string) => string;
}

/** A model whose replies are written down, so that the same calls can be answered without it. Failures are not. */
export function recording(model: Model, { folder, of, redact }: RecordingOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, { signal, onText }) {
      const pieces: string[] = [];
      const onPiece = (piece: string) => {
        pieces.push(piece);
        onText?.(piece);
      };
      const outcome = await model.call(request, { signal, onText: onText && onPiece });
      if (outcome.status === "answered") {
        const chunks = changePieces(onText === undefined ? [outcome.text] : pieces, (text) =>
          redact(withoutNonce(text, request.nonce)),
        );
        write(cassettePath(folder, of, request), cassette(model.id, chunks, outcome));
      }
      return outcome;
    },
  };
}

function cassette(model: string, chunks: string[], reply: ModelReply): Cassette {
  const { finishReason, usage, latencyMs, answeredBy } = reply;
  return {
    schemaVersion: 1,
    model,
    chunks,
    finishReason,
    usage,
    latencyMs,
    ...(answeredBy !== undefined && { answeredBy }),
  };
}

function write(path: string, content: Cassette): void {
  try {
    writeWholeFile(path, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw unwritable(path, error, "choose another folder with --record");
  }
}
