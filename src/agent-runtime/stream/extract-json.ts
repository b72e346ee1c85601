import type { JsonObject } from "../../shared/json/json.ts";
import type { JsonProblem } from "./json-problem.ts";
import { JsonStream, type JsonStreamEnd } from "./json-stream.ts";

export type ExtractedJson =
  | { ok: true; value: JsonObject /** There was text around it. */; extracted: boolean; warnings: string[] }
  | ({ ok: false } & JsonProblem);

/** The object of a reply: the whole text if it is one, else the first balanced outermost object in it. */
export function extractJson(text: string, maxChars: number = Number.POSITIVE_INFINITY): ExtractedJson {
  const bytes = Buffer.from(text);
  return lookPastLoneBraces(bytes, readWhole(bytes, maxChars));
}

/** What a reply says, as the events of a run put it. */
export type ReadReply =
  | { ok: true; value: JsonObject; recovered: "none" | "extracted"; warnings: string[] }
  | ({ ok: false } & JsonProblem);

/**
 * The object of a reply that went through a stream, at once or in parts, and how the stream ended. Finds what `extractJson`
 * finds: only behind a brace of prose that nothing closes has the stream not looked yet.
 */
export function readReply(text: string, end: JsonStreamEnd): ReadReply {
  const found = end.ok || end.loneBrace === null ? toExtracted(end) : extractJson(text);
  if (!found.ok) return found;
  const { value, extracted, warnings } = found;
  return { ok: true, value, recovered: extracted ? "extracted" : "none", warnings };
}

/** So many braces of prose are looked past; without a bound a text of braces alone would be read once for each. */
const maxLoneBraces = 8;

function lookPastLoneBraces(bytes: Uint8Array, first: JsonStreamEnd): ExtractedJson {
  let rest = bytes;
  let end = first;
  for (let past = 0; past < maxLoneBraces && !end.ok && end.loneBrace !== null; past++) {
    rest = rest.subarray(end.loneBrace + 1);
    end = readWhole(rest, Number.POSITIVE_INFINITY);
    if (end.ok) return toExtracted({ ...end, noise: { ...end.noise, before: true } });
  }
  return toExtracted(first);
}

function readWhole(bytes: Uint8Array, maxChars: number): JsonStreamEnd {
  const stream = new JsonStream({ maxChars, watch: [] });
  stream.write(bytes);
  return stream.end();
}

function toExtracted(end: JsonStreamEnd): ExtractedJson {
  if (!end.ok) return { ok: false, code: end.code, problem: end.problem };
  const { value, noise, warnings } = end;
  return { ok: true, value, extracted: noise.before || noise.after, warnings };
}
