import type { SkillExit } from "../contract/sandbox.ts";

// What every adapter says alike, so that people and their scripts meet one wording.

export const unsafeIntegerWarning = "the answer has an integer beyond 2^53; its last digits are not exact";

export function floodMessage(bytesSeen: number): string {
  return `more than the allowed output: stopped after ${bytesSeen} bytes`;
}

export function silenceMessage(deadlineMs: number): string {
  return `no answer within ${deadlineMs} ms`;
}

/** How a process ended: `exit 3`, or `ended by SIGSEGV`. */
export function describeExit({ code, signal }: SkillExit): string {
  return signal === null ? `exit ${code}` : `ended by ${signal}`;
}
