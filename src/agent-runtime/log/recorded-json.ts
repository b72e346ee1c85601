import type { StoredText } from "../../contract/agent-log.ts";
import type { Recording } from "../../contract/limits.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { shorten, truncationTag } from "../../shared/text/visible-text.ts";

const maxTextBytes = 16_384;
/** Characters of a text in an action that minimal recording keeps. */
const maxMinimalTextLength = 200;

/** Members that the model, a skill or a tool fills: a long text in them is replaced by where it is. */
const filled: ReadonlySet<string> = new Set([
  "action",
  "params",
  "result",
  "details",
  "plan",
  "ops",
  "summary",
  "text",
]);
/** Members that hold what a model wants done. */
const wanted: ReadonlySet<string> = new Set(["action", "params", "diagnostics", "plan", "ops"]);

/** The data of an event, and its JSON, as a line holds it at this recording; long texts go where `keep` puts them. */
export function recordedJson(
  data: object,
  json: string,
  { recording, keep }: { recording: Recording; keep: (text: string) => StoredText },
): string {
  const isMinimal = recording === "minimal";
  if (!isMinimal && isShort(json)) return json;
  const stored: (StoredText & { member: string })[] = [];

  function walk(value: unknown, at: MemberContext): unknown {
    if (typeof value === "string") return recordedText(value, at);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => walk(item, at));
    const isAnswer = at.isAnswer || (value as { type?: unknown }).type === "final_answer";
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        walk(member, {
          member: key,
          isFilled: at.isFilled || filled.has(key),
          isWanted: at.isWanted || wanted.has(key),
          isAnswer,
        }),
      ]),
    );
  }

  function recordedText(text: string, { member, isFilled, isWanted, isAnswer }: MemberContext): unknown {
    const isPrivate = isWanted && (text.length > maxMinimalTextLength || (isAnswer && member === "content"));
    if (isMinimal && isPrivate) return { chars: text.length, sha256: sha256(text) };
    if (isShort(text)) return text;
    const put = keep(text);
    if (isFilled) return put;
    stored.push({ member, ...put });
    return `${shorten(text, maxMinimalTextLength)}${truncationTag}`;
  }

  const recorded = walk(data, { member: "", isFilled: false, isWanted: false, isAnswer: false }) as object;
  return JSON.stringify(stored.length === 0 ? recorded : { ...recorded, kept: stored });
}

/** A character has three bytes at most. */
function isShort(text: string): boolean {
  return text.length * 3 <= maxTextBytes || Buffer.byteLength(text) <= maxTextBytes;
}

interface MemberContext {
  /** The nearest key. */
  member: string;
  isFilled: boolean;
  isWanted: boolean;
  isAnswer: boolean;
}
