import { constants } from "node:os";
import { type ProbeCall, scratchBytes } from "./executable.ts";

/** The results of the system calls of a probe. */
export interface ProbeAnswers {
  /** The result of a call; below zero it is an error. */
  of(call: ProbeCall): number;
  /** The bytes read by a call that `reportContent` follows. */
  contentReadBy(reading: ProbeCall): Buffer;
}

const endTag = Buffer.from("\0eval-skills probe: that was all\0");
const standardOutput = 1;

/** Calls that send what was just read to the runner. */
export function reportContent(reading: ProbeCall): ProbeCall {
  return { name: "write", args: [standardOutput, { memory: "scratch" }, reading] };
}

export function readIntoScratch(file: ProbeCall): ProbeCall {
  return { name: "read", args: [file, { memory: "scratch" }, scratchBytes] };
}

/** The calls, followed by those that report the results to the runner. Afterwards it sleeps, so that it can be killed. */
export function reportingProgram(calls: readonly ProbeCall[]): ProbeCall[] {
  return [
    ...calls,
    { name: "write", args: [standardOutput, { memory: "results" }, calls.length * 8] },
    { name: "write", args: [standardOutput, endTag, endTag.length] },
    ...stayAndEnd,
  ];
}

const tenSeconds = Buffer.from(new BigInt64Array([10n, 0n]).buffer);

/** Even if it is never killed, it ends after this time. */
export const stayAndEnd: readonly ProbeCall[] = [
  { name: "nanosleep", args: [tenSeconds, 0] },
  { name: "exit_group", args: [0] },
];

/** Parses the output of a reporting program; null while it is incomplete. */
export function readAnswers(calls: readonly ProbeCall[], output: Buffer): ProbeAnswers | null {
  if (!output.subarray(-endTag.length).equals(endTag)) return null;
  const resultsAt = output.length - endTag.length - calls.length * 8;
  if (resultsAt < 0) return null;
  const results = new Map(
    calls.map((call, index) => [call, Number(output.readBigInt64LE(resultsAt + index * 8))]),
  );
  const contents = new Map<ProbeCall, Buffer>();
  let at = 0;
  for (const call of calls) {
    const reading = call.args[2];
    if (call.name !== "write" || call.args[0] !== standardOutput || typeof reading !== "object") continue;
    const bytes = Math.max(0, results.get(call) ?? 0);
    contents.set(reading as ProbeCall, output.subarray(at, at + bytes));
    at += bytes;
  }
  return {
    of: (call) => results.get(call) ?? Number.NaN,
    contentReadBy: (reading) => contents.get(reading) ?? Buffer.alloc(0),
  };
}

// Two names have the same number; the first one is the one people know.
const errorNames = new Map(
  Object.entries(constants.errno)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** `EPERM` for -1; null if it is not an error. */
export function errorName(result: number): string | null {
  return result >= 0 ? null : (errorNames.get(-result) ?? `error ${-result}`);
}
