import { isMap } from "../../../shared/json/is-map.ts";
import type { JsonObject } from "../../../shared/json/json.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { isCallShaped, isToolName } from "./call-shape.ts";

export interface LenientCall {
  name: string;
  arguments: JsonObject;
}

/** What a reader who forgives everything would call, given JSON; null where even that one would not know. For reports, never to be done. */
export function lenientCall(text: string): LenientCall | null {
  const said = firstOf(decode(text));
  if (!isMap(said)) return null;
  const name = own(said, "name") ?? own(said, "action");
  if (!isToolName(name)) return null;
  const given = own(said, "arguments") ?? own(said, "input") ?? {};
  const decoded = typeof given === "string" ? decode(given) : given;
  return isMap(decoded) ? { name, arguments: decoded as JsonObject } : null;
}

/** Providers' own calls stand in lists, and have what counts one level down. */
function firstOf(value: unknown): unknown {
  const listed = isMap(value) ? (own(value, "tool_calls") ?? value) : value;
  const first = Array.isArray(listed) ? (listed.find(isCallShaped) ?? listed.find(isMap)) : listed;
  if (!isMap(first)) return first;
  const inner = own(first, "function");
  return isMap(inner) ? inner : first;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Of two equal keys the last counts, as most readers have it. What is too deep to be kept is not read. */
function decode(text: string): unknown {
  const read = parseStrictJson(text);
  if (read.ok) return read.value;
  if (read.fault !== "duplicate-key") return null;
  try {
    const again = parseStrictJson(JSON.stringify(JSON.parse(text)));
    return again.ok ? again.value : null;
  } catch {
    return null; // no JSON after all, or deeper than a program can say
  }
}
