import type { Json, JsonObject } from "../shared/json/json.ts";

const largeBytes = 8192;

/** Habits in the result of a tool that cost its readers; it is delivered all the same. */
export function resultFindings(data: JsonObject, bytes: number): string[] {
  const findings: string[] = [];
  if (data.ok === false)
    findings.push("swallowed-error: the result says ok: false; raise an exception instead");
  else if (isFilled(data.error))
    findings.push("swallowed-error: the result contains an error; raise an exception instead");
  if (bytes > largeBytes)
    findings.push(`large-result: ${bytes} bytes; return positions instead of passages, below ${largeBytes}`);
  return findings;
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
