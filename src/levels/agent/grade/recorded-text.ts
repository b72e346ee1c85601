import type { RecordedRun } from "../../../contract/agent-log.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";

/** A text as a log may hold it: itself, or its hash, with or without the file it is in. */
type Recorded = { text: string } | { sha256: string; ref: string | null };

/** Reads a text out of an event; null where there is none. */
export function recordedText(value: unknown): Recorded | null {
  if (typeof value === "string") return { text: value };
  if (typeof value !== "object" || value === null) return null;
  const { sha256: hash, ref } = value as { sha256?: unknown; ref?: unknown };
  return typeof hash === "string" ? { sha256: hash, ref: typeof ref === "string" ? ref : null } : null;
}

/** Whether a text that was recorded is this one, by itself or by its hash. */
export function isRecorded(recorded: Recorded, text: string): boolean {
  return "text" in recorded ? recorded.text === text : isHashOf(recorded.sha256, text);
}

/** The text itself, from its file where it has one; null where only its hash is left, or the file is another. */
export function wholeText(run: RecordedRun, recorded: Recorded): string | null {
  if ("text" in recorded) return recorded.text;
  const bytes = recorded.ref === null ? null : run.read(recorded.ref);
  return bytes !== null && isHashOf(recorded.sha256, bytes) ? new TextDecoder().decode(bytes) : null;
}

/** A recorded value that can be held against another: a text that is known by its hash is that hash, wherever it is stored. */
export function comparable(value: Json): Json {
  return mapTexts(value, ({ sha256: hash }) => ({ sha256: bare(hash) }));
}

/** Whether a hash is that of recorded parameters. Null: some of their text is known by its hash alone. */
export function isParamsHash(run: RecordedRun, hash: string, params: Json): boolean | null {
  if (isHashOf(hash, canonicalJson(params))) return true;
  let isHidden = false;
  const whole = mapTexts(params, (stored) => {
    const text = wholeText(run, stored);
    isHidden ||= text === null;
    return text;
  });
  return isHidden ? null : isHashOf(hash, canonicalJson(whole));
}

/** Replaces every text that is stored elsewhere. */
function mapTexts(value: Json, replace: (stored: Recorded & { sha256: string }) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (!isMap(value)) return value;
  const stored = isStoredText(value) ? recordedText(value) : null;
  if (stored !== null && "sha256" in stored) return replace(stored);
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => [key, mapTexts(member, replace)]),
  );
}

/** As a log replaces a long text: nothing but where it is, its hash and its length. */
function isStoredText(value: object): boolean {
  return Object.keys(value).every((key) => storedMembers.has(key));
}

const storedMembers: ReadonlySet<string> = new Set(["ref", "sha256", "bytes", "chars"]);

/** Whether a hash is that of these bytes, with or without the `sha256:` prefix. */
export function isHashOf(hash: string, content: string | Uint8Array): boolean {
  return isSameHash(hash, sha256(content));
}

export function isSameHash(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(hash: string): string {
  return hash.toLowerCase().replace(/^sha256:/, "");
}
