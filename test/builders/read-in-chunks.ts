import { JsonStream, type JsonStreamEnd } from "../../src/agent-runtime/stream/json-stream.ts";
import type { WatchedPath } from "../../src/agent-runtime/stream/watched-path.ts";
import type { Json } from "../../src/shared/json/json.ts";

/** Every value that listeners of a text received, in order, and how it ended, for tests. */
export interface ChunkReading {
  end: JsonStreamEnd;
  values: { mode: WatchedPath["mode"]; path: string; value: Json }[];
}

/** Reads a text in chunks of so many bytes; watched paths are realtime, those with a `+` before them incremental. */
export function readInChunks(
  text: string | Uint8Array,
  size: number,
  { watch = [], maxChars = 200_000 }: { watch?: readonly string[]; maxChars?: number } = {},
): ChunkReading {
  const values: ChunkReading["values"] = [];
  const watched = watch.map((pattern): WatchedPath => {
    const mode = pattern.startsWith("+") ? "incremental" : "realtime";
    return {
      mode,
      path: pattern.replace("+", ""),
      on: (value: Json, path: string) => values.push({ mode, path, value }),
    };
  });
  const stream = new JsonStream({ maxChars, watch: watched });
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  return { end: stream.end(), values };
}

/** The parts of strings, joined. */
export function joinedParts(values: ChunkReading["values"]): string {
  return values.flatMap(({ mode, value }) => (mode === "incremental" ? [value as string] : [])).join("");
}
