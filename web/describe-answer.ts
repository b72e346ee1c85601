import type { TaskResult } from "../src/contract/task-result.ts";

/** What the skill answered, whole as it is kept, and what kind of value it is; null where it gave no answer. */
export function describeAnswer(cell: TaskResult): { title: string; text: string } | null {
  const { output, error, outputTruncated, outputBytes } = cell;
  if (output === null && error !== null) return null;
  const kind = typeof output === "string" ? "text" : "JSON";
  const cut = outputTruncated ? `, cut: ${outputBytes.toLocaleString("en")} bytes came` : "";
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
  return { title: `Output (${kind}${cut})`, text: text === "" ? "(an empty text)" : text };
}
