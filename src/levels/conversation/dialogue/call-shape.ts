import type { JsonObject } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";

/** The keys of the two forms of a call, each a bit: what an object has of them fits in one number. */
export const callKeys = { name: 1, arguments: 2, action: 4, input: 8 } as const;
export type CallKey = keyof typeof callKeys;

const callForm = callKeys.name | callKeys.arguments;
const legacyForm = callKeys.action | callKeys.input;

/** Whether both keys of a form are among these. */
export function holdsCall(keys: number): boolean {
  return (keys & callForm) === callForm || (keys & legacyForm) === legacyForm;
}

/** Whether keys of both forms are among these. */
export function mixesForms(keys: number): boolean {
  return (keys & callForm) !== 0 && (keys & legacyForm) !== 0;
}

/** The keys of a call that an object has itself. */
export function callKeysIn(value: object): number {
  let keys = 0;
  for (const [key, bit] of Object.entries(callKeys)) if (Object.hasOwn(value, key)) keys |= bit;
  return keys;
}

export function isCallShaped(value: unknown): value is JsonObject {
  return isMap(value) && holdsCall(callKeysIn(value));
}

/** A call, or an object with the name of a known tool: both are meant as a call. */
export function isCallAttempt(value: unknown, isKnown: (name: string) => boolean): value is JsonObject {
  if (!isMap(value)) return false;
  if (isCallShaped(value)) return true;
  return (["name", "action"] as const).some((key) => {
    const name = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof name === "string" && isKnown(name);
  });
}

/** What names of tools look like. */
export function isToolName(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name);
}

/** `"arguments"` with every letter escaped. */
const maxLiteralLength = 56;

/** The bit of a key as it is written in JSON, quotes and escapes included; 0 for any other. */
export function callKeyBit(literal: string): number {
  if (literal.length > maxLiteralLength) return 0;
  const key = literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  return Object.hasOwn(callKeys, key) ? callKeys[key as CallKey] : 0;
}
