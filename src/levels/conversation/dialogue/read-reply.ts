import type { CallRejection, CallWarning } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { brokenCall } from "./broken-call.ts";
import { callKeys, callKeysIn, isCallAttempt, isCallShaped, isToolName, mixesForms } from "./call-shape.ts";

/** What a reply is: a call, a final answer, or a call in an invalid form. */
export type ReadReply =
  | {
      kind: "call";
      name: string;
      arguments: JsonObject;
      form: "call" | "legacy";
      warnings: CallWarning[];
    }
  | {
      kind: "rejected";
      rejection: CallRejection;
      /** For reports, never executed. */
      lenient: LenientCall | null;
    }
  | { kind: "final"; text: string };

/** Reads a reply. A call is all of it, one JSON object; `isKnown` checks whether a tool exists. Takes linear time. */
export function readReply(reply: string, isKnown: (name: string) => boolean): ReadReply {
  const text = reply.trim(); // a byte order mark counts as blank
  if (text === "") return rejected("empty", null);
  const json = parse(text);
  const verdict = json === undefined ? readBroken(text, isKnown) : readJson(text, json, isKnown);
  return verdict ?? { kind: "final", text: reply };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Null: a final reply. */
function readBroken(text: string, isKnown: (name: string) => boolean): ReadReply | null {
  const broken = brokenCall(text, isKnown);
  if (broken === null) return null;
  const { rejection, call } = broken;
  return rejected(rejection, call && lenientCall(text.slice(call.from, call.to)));
}

/** Null: a final reply, whatever is nested in it. */
function readJson(text: string, json: Json, isKnown: (name: string) => boolean): ReadReply | null {
  if (Array.isArray(json)) return json.some(isCallShaped) ? rejected("array", lenientCall(text)) : null;
  if (!isMap(json)) return null;
  if (Object.hasOwn(json, "tool_calls")) return rejected("tool-calls-wrapper", lenientCall(text));
  if (!isCallAttempt(json, isKnown)) return null;
  const read = readCall(text, json);
  return typeof read === "string" ? rejected(read, lenientCall(text)) : read;
}

/** A call, or the first thing that is wrong with it. */
function readCall(text: string, object: JsonObject): ReadReply | CallRejection {
  const strict = parseStrictJson(text);
  if (!strict.ok && strict.fault === "duplicate-key") return "duplicate-keys";
  const keys = callKeysIn(object);
  if (mixesForms(keys)) return "mixed-forms";
  const isLegacy = (keys & callKeys.action) !== 0;
  const given = isLegacy ? object.input : object.arguments;
  if (given === undefined) return "arguments-missing";
  if (Object.keys(object).length !== 2) return "extra-keys";
  const name = isLegacy ? object.action : object.name;
  if (!isToolName(name)) return "bad-name";
  // Numbers or nesting that cannot be passed on unchanged.
  if (!strict.ok) return "not-json";
  if (isMap(given))
    return {
      kind: "call",
      name,
      arguments: given,
      form: isLegacy ? "legacy" : "call",
      warnings: isLegacy ? ["legacy-form"] : [],
    };
  return isLegacy && typeof given === "string" ? readInput(name, given) : "arguments-not-object";
}

/** The older form sometimes has its arguments in a string. */
function readInput(name: string, input: string): ReadReply | CallRejection {
  const read = parseStrictJson(input);
  if (!read.ok && read.fault === "duplicate-key") return "duplicate-keys";
  if (!read.ok || !isMap(read.value)) return "arguments-not-object";
  return {
    kind: "call",
    name,
    arguments: read.value as JsonObject,
    form: "legacy",
    warnings: ["legacy-form", "string-input"],
  };
}

function rejected(rejection: CallRejection, lenient: LenientCall | null): ReadReply {
  return { kind: "rejected", rejection, lenient };
}

interface LenientCall {
  name: string;
  arguments: JsonObject;
}

/** What a lenient reader would call, given JSON; null where that is unclear. For reports, never executed. */
function lenientCall(text: string): LenientCall | null {
  const object = unwrapCall(decode(text));
  if (!isMap(object)) return null;
  const name = own(object, "name") ?? own(object, "action");
  if (!isToolName(name)) return null;
  const given = own(object, "arguments") ?? own(object, "input") ?? {};
  const decoded = typeof given === "string" ? decode(given) : given;
  return isMap(decoded) ? { name, arguments: decoded as JsonObject } : null;
}

/** Provider-specific calls are in lists, with the call one level down. */
function unwrapCall(value: unknown): unknown {
  const listed = isMap(value) ? (own(value, "tool_calls") ?? value) : value;
  const first = Array.isArray(listed) ? (listed.find(isCallShaped) ?? listed.find(isMap)) : listed;
  if (!isMap(first)) return first;
  const inner = own(first, "function");
  return isMap(inner) ? inner : first;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Of two equal keys the last counts, as in most parsers. Nesting that is too deep to store is not read. */
function decode(text: string): unknown {
  const read = parseStrictJson(text);
  if (read.ok) return read.value;
  if (read.fault !== "duplicate-key") return null;
  try {
    const again = parseStrictJson(JSON.stringify(JSON.parse(text)));
    return again.ok ? again.value : null;
  } catch {
    return null; // not JSON, or nested too deeply
  }
}
