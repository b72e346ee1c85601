import { hash } from "node:crypto";
import { isMap } from "./json-values.ts";
import { jsonPointer } from "./locations.ts";

/** JSON with sorted keys and no spaces: equal values give equal text, on any machine. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members).sort()) {
    if (members[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(members[key])}`;
  }
  return `{${text}}`;
}

/** `sha256:` and the hash of this text or these bytes. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${hash("sha256", content, "hex")}`;
}

/** Where two JSON values differ; undefined where one of them has no value. */
export interface Difference {
  /** JSON pointer; empty where they differ as a whole. */
  pointer: string;
  one: unknown;
  other: unknown;
}

/** Where two JSON values differ, as deep as possible, at most `max` of them. */
export function differingPointers(one: unknown, other: unknown, max: number): Difference[] {
  const differences: Difference[] = [];
  const look = (a: unknown, b: unknown, steps: readonly PropertyKey[]): void => {
    if (differences.length >= max || canonicalJson(a) === canonicalJson(b)) return;
    const keys = keysOfBoth(a, b);
    if (keys === null) differences.push({ pointer: jsonPointer(steps), one: a, other: b });
    else
      for (const key of keys) {
        const [inA, inB] = [readMember(a, key), readMember(b, key)];
        if (inA === undefined || inB === undefined) {
          if (inA !== inB && differences.length < max)
            differences.push({ pointer: jsonPointer([...steps, key]), one: inA, other: inB });
        } else look(inA, inB, [...steps, key]);
      }
  };
  look(one, other, []);
  return differences;
}

/** Where both are objects, or both lists: everything either has. */
function keysOfBoth(a: unknown, b: unknown): PropertyKey[] | null {
  if (Array.isArray(a) && Array.isArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => n);
  if (!isMap(a) || !isMap(b)) return null;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

function readMember(value: unknown, key: PropertyKey): unknown {
  return Object.hasOwn(value as object, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}
