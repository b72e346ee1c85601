import { hash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import type { ModelRequest } from "../contract/model.ts";
import { Usage } from "../contract/outcome.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";

/** What is kept of one model call: the reply, and nothing of how it was asked for. */
export const Cassette = z.object({
  schemaVersion: z.literal(1),
  model: z.string(),
  /** The reply in the pieces it came in. */
  chunks: z.array(z.string()),
  finishReason: z.enum(["stop", "length", "content-filter", "other"]),
  usage: Usage.nullable(),
  latencyMs: z.number(),
  /** The model as the provider named it, where it did. */
  answeredBy: z.string().optional(),
});
export type Cassette = z.infer<typeof Cassette>;

/** The model a call is put to, as recordings know it. */
export interface CassetteModel {
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

/** The hash of everything that decides a reply: who is asked, and what. How long one waits does not. */
export function requestHash(asked: Record<string, Json>, request: ModelRequest): string {
  const { temperature, maxOutputTokens, schema, nonce, trial, ordinal } = request;
  const key = canonicalJson({
    ...asked,
    parameters: { temperature, maxOutputTokens },
    messages: request.messages.map(({ role, text }) => ({ role, text: withoutNonce(text, nonce) })),
    schema,
    trial,
    ordinal,
  });
  return hash("sha256", key, "hex");
}

/** Stands in recordings where the random word of a call stood. */
const placeholder = "«nonce»";

export function withoutNonce(text: string, nonce: string | undefined): string {
  return nonce === undefined || nonce === "" ? text : text.replaceAll(nonce, placeholder);
}

export function withNonce(text: string, nonce: string | undefined): string {
  return nonce === undefined || nonce === "" ? text : text.replaceAll(placeholder, nonce);
}

/** The pieces after a change to the text they make. What crosses the border of two pieces makes all of them one. */
export function changePieces(pieces: readonly string[], change: (text: string) => string): string[] {
  const changed = pieces.map(change);
  const whole = change(pieces.join(""));
  return changed.join("") === whole ? changed : [whole];
}
