import { createHash } from "node:crypto";

/** The id of a trace: the same run has the same one wherever and however often it is sent. */
export function traceIdOf(runId: string): string {
  return digestOf(["trace", runId], 16);
}

/** The id of a span by its name in the trace. */
export function spanIdOf(runId: string, key: string): string {
  return digestOf(["span", runId, key], 8);
}

/** Hexadecimal; all zeros would be no id. */
function digestOf(parts: readonly string[], bytes: number): string {
  const hex = createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .slice(0, bytes * 2);
  return /^0+$/.test(hex) ? `${hex.slice(1)}1` : hex;
}
