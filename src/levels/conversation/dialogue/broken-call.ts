import type { CallRejection } from "../../../contract/conversation.ts";
import { isCallAttempt } from "./call-shape.ts";
import { callTraces, isLeftOpen } from "./call-traces.ts";
import { type FoundObjects, findObjects, type Span } from "./find-objects.ts";

export interface BrokenCall {
  rejection: CallRejection;
  /** The first object in it that is shaped like a call. */
  call: Span | null;
}

/** What is wrong with a text that is no JSON and holds a call all the same; null where it holds none. */
export function brokenCall(text: string, isKnown: (name: string) => boolean): BrokenCall | null {
  const found = findObjects(text);
  const rejection = rejectionOf(text, found, isKnown);
  return rejection === null ? null : { rejection, call: found.calls[0] ?? null };
}

function rejectionOf(
  text: string,
  { objects, calls }: FoundObjects,
  isKnown: (name: string) => boolean,
): CallRejection | null {
  const rest = without(text, objects);
  const { hasKeys, namesTool } = callTraces(rest, isKnown);
  const isCall = calls.length > 0 || hasKeys;
  if (text.startsWith("TOOL_CALL") && (isCall || namesTool || isAttempt(text, objects[0], isKnown)))
    return "prefixed";
  if (isCall && isFenced(rest, calls)) return "fenced";
  if (calls.length > 1) return "multiple-calls";
  if (calls.length === 1) return "surrounding-text";
  // What begins as an object and names a tool was meant to be a call, also where it breaks off before its arguments.
  if (!hasKeys && !(text.startsWith("{") && (namesTool || isSwallowed(text, isKnown)))) return null;
  return isLeftOpen(rest) ? "truncated" : "not-json";
}

/** Whether a missing brace put the name into the arguments: `{"arguments":{"a":1,"name":"t"}`. */
function isSwallowed(text: string, isKnown: (name: string) => boolean): boolean {
  const { hasKeys, namesTool } = callTraces(text, isKnown);
  return hasKeys && namesTool;
}

/** The text with blanks in place of its objects: every character stands where it stood. */
function without(text: string, objects: readonly Span[]): string {
  let rest = "";
  let end = 0;
  for (const { from, to } of objects) {
    rest += `${text.slice(end, from)}${" ".repeat(to - from)}`;
    end = to;
  }
  return rest + text.slice(end);
}

function isAttempt(text: string, object: Span | undefined, isKnown: (name: string) => boolean): boolean {
  return object !== undefined && isCallAttempt(JSON.parse(text.slice(object.from, object.to)), isKnown);
}

/** Whether a call, or both keys of one, stand between the same two fences. */
function isFenced(rest: string, calls: readonly Span[]): boolean {
  let next = 0;
  for (const { from, to } of fences(rest)) {
    while ((calls[next]?.from ?? to) < from) next++;
    if ((calls[next]?.to ?? Number.POSITIVE_INFINITY) <= to) return true;
    if (callTraces(rest.slice(from, to), () => false).hasKeys) return true;
  }
  return false;
}

/** What stands between rows of three or more backticks or tildes; the last may be left open. */
function fences(text: string): Span[] {
  const spans: Span[] = [];
  const row = /`{3,}|~{3,}/g;
  for (let opened = row.exec(text); opened !== null; opened = row.exec(text)) {
    const from = row.lastIndex;
    let closed = row.exec(text);
    while (closed !== null && !closed[0].startsWith(opened[0])) closed = row.exec(text);
    spans.push({ from, to: closed?.index ?? text.length });
    if (closed === null) break;
  }
  return spans;
}
