import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { Model, ModelFault, ModelReply, ModelRequest } from "../contract/model.ts";
import { Usage } from "../contract/outcome.ts";
import { type Clock, isoTime, systemClock } from "../shared/async/clock.ts";
import { passRecordedTime } from "../shared/async/recorded-time.ts";
import { writeWholeFile } from "../shared/files/whole-file.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { roundMs } from "../shared/statistics/numbers.ts";
import { unwritable } from "../shared/user-error.ts";

/** The recording of one model call: the reply, without the request. */
const Cassette = z.object({
  schemaVersion: z.literal(1),
  model: z.string(),
  /** The reply in the pieces it came in. */
  chunks: z.array(z.string()),
  finishReason: z.enum(["stop", "length", "content-filter", "other"]),
  usage: Usage.nullable(),
  /** Null in recordings that were written without a clock. */
  latencyMs: z.number().nullable().default(null),
  /** From the request to the first piece of the reply, where it came in pieces. */
  firstMs: z.number().nullable().default(null),
  recordedAt: z.string().nullable().default(null),
  /** The name the provider gave the model, if any. */
  answeredBy: z.string().optional(),
});
type Cassette = z.infer<typeof Cassette>;

/** The model of a call, as named in recordings. */
interface CassetteModel {
  provider: string;
  model: string;
}

/** The file of one call. */
export function cassettePath(
  folder: string,
  { provider, model }: CassetteModel,
  request: ModelRequest,
): string {
  return join(folder, `${requestHash({ provider, model }, request)}.json`);
}

/** The hash of everything that determines a reply: the model and the request, without its time limit. */
export function requestHash(model: Record<string, Json>, request: ModelRequest): string {
  const { temperature, maxOutputTokens, schema, nonce, trial, ordinal } = request;
  const key = canonicalJson({
    ...model,
    parameters: { temperature, maxOutputTokens },
    messages: request.messages.map(({ role, text }) => ({ role, text: withoutNonce(text, nonce) })),
    schema,
    trial,
    ordinal,
  });
  return hash("sha256", key, "hex");
}

/** Replaces the nonce of a call in recordings. */
const placeholder = "«nonce»";

function withoutNonce(text: string, nonce: string | undefined): string {
  return nonce === undefined || nonce === "" ? text : text.replaceAll(nonce, placeholder);
}

function withNonce(text: string, nonce: string | undefined): string {
  return nonce === undefined || nonce === "" ? text : text.replaceAll(placeholder, nonce);
}

/** Applies a change to each piece. If a match crosses the border of two pieces, all are joined into one. */
function changePieces(pieces: readonly string[], change: (text: string) => string): string[] {
  const changed = pieces.map(change);
  const whole = change(pieces.join(""));
  return changed.join("") === whole ? changed : [whole];
}

interface RecordingOptions {
  folder: string;
  of: CassetteModel;
  /** Takes secrets out of what is written. */
  redact: (text: string) => string;
  clock?: Clock | undefined;
}

/** A model whose replies are written down, so that the same calls can be answered without it. Failures are not. */
export function recording(
  model: Model,
  { folder, of, redact, clock = systemClock }: RecordingOptions,
): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, { signal, onText }) {
      const pieces: string[] = [];
      const began = clock.monotonic();
      let firstMs: number | null = null;
      const onPiece = (piece: string) => {
        firstMs ??= roundMs(clock.monotonic() - began);
        pieces.push(piece);
        onText?.(piece);
      };
      const outcome = await model.call(request, { signal, onText: onText && onPiece });
      if (outcome.status === "answered") {
        const chunks = changePieces(onText === undefined ? [outcome.text] : pieces, (text) =>
          redact(withoutNonce(text, request.nonce)),
        );
        const facts = { model: model.id, chunks, firstMs, recordedAt: isoTime(clock.now()) };
        write(cassettePath(folder, of, request), cassette(facts, outcome));
      }
      return outcome;
    },
  };
}

function cassette(
  { model, chunks, firstMs, recordedAt }: Pick<Cassette, "model" | "chunks" | "firstMs" | "recordedAt">,
  reply: ModelReply,
): Cassette {
  const { finishReason, usage, latencyMs, answeredBy } = reply;
  return {
    schemaVersion: 1,
    model,
    chunks,
    finishReason,
    usage,
    latencyMs,
    firstMs,
    recordedAt,
    ...(answeredBy !== undefined && { answeredBy }),
  };
}

function write(path: string, content: Cassette): void {
  try {
    writeWholeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw unwritable(path, error, "choose another folder with --record");
  }
}

interface ReplayOptions {
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
      const { cassette } = read;
      const pieces = changePieces(cassette.chunks, (piece) => withNonce(piece, request.nonce));
      for (const piece of pieces) onText?.(piece);
      const { finishReason, usage, latencyMs, recordedAt, answeredBy } = cassette;
      passRecordedTime({ ms: latencyMs, at: recordedAt });
      const text = pieces.join("");
      const answering = answeredBy === undefined ? {} : { answeredBy };
      return { status: "answered", text, finishReason, usage, latencyMs, ...answering };
    },
  };
}

function readCassette(path: string): { cassette: Cassette } | { fault: ModelFault; message: string } {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error("not a regular file"); // reading a pipe could block forever
    if (found.size > longestCassette) throw new Error("larger than 64 MiB");
    const cassette = Cassette.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
    return cassette === undefined
      ? { fault: "bad-reply", message: `${path} is not a recording` }
      : { cassette };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") return { fault: "bad-reply", message: `${path} is not a recording: ${message}` };
    const missing = `${dirname(path)} has no recording of this call (${basename(path)})`;
    return { fault: "not-recorded", message: missing };
  }
}

/** Four times the longest reply that is read at all. */
const longestCassette = 64 * 1024 * 1024;
