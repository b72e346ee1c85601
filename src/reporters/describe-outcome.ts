import { shorten } from "../base/visible-text.ts";
import type { TaskResult } from "../contract/task-result.ts";

/** Why a cell ended as it did, as plain text: the cause where something broke, else the scorer's reason. */
export function describeOutcome({ error, reason }: Pick<TaskResult, "error" | "reason">): string {
  return error === null ? (reason ?? "") : `${error.code}: ${error.message}`;
}

/** What a skill answered, as short JSON; empty where there was no answer. */
export function describeOutput(cell: TaskResult, limit: number): string {
  if (cell.output === null && cell.error !== null) return "";
  const text = shorten(JSON.stringify(cell.output), limit);
  return cell.outputTruncated ? `${text} (of ${cell.outputBytes} bytes)` : text;
}
