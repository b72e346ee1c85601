import type { Json } from "../../contract/json.ts";
import { JsonStream, type JsonStreamEnd } from "./json-stream.ts";
import type { WatchedPath } from "./watched-path.ts";

/** Everything that listeners of a text heard, in order, and how it ended, for tests. */
export interface Heard {
  end: JsonStreamEnd;
  told: { mode: WatchedPath["mode"]; path: string; value: Json }[];
}

/** Reads a text in chunks of so many bytes; watched paths are realtime, those with a `+` before them incremental. */
export function readInChunks(
  text: string | Uint8Array,
  size: number,
  { watch = [], maxChars = 200_000 }: { watch?: readonly string[]; maxChars?: number } = {},
): Heard {
  const told: Heard["told"] = [];
  const watched = watch.map((pattern): WatchedPath => {
    const mode = pattern.startsWith("+") ? "incremental" : "realtime";
    return {
      mode,
      path: pattern.replace("+", ""),
      on: (value: Json, path: string) => told.push({ mode, path, value }),
    };
  });
  const stream = new JsonStream({ maxChars, watch: watched });
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  return { end: stream.end(), told };
}

/** What was told of the parts of strings, joined. */
export function joinedParts(told: Heard["told"]): string {
  return told.flatMap(({ mode, value }) => (mode === "incremental" ? [value as string] : [])).join("");
}
