import { constants } from "node:os";
import { type ProbeCall, scratchBytes } from "./executable.ts";

/** What the system said to the calls of a probe. */
export interface ProbeAnswers {
  /** The result of a call; below zero it is an error. */
  of(call: ProbeCall): number;
  /** What was read by a call that `reportContent` follows. */
  contentOf(reading: ProbeCall): Buffer;
}

const endMark = Buffer.from("\0eval-skills probe: that was all\0");
const standardOutput = 1;

/** Calls that send what was just read to the runner. */
export function reportContent(reading: ProbeCall): ProbeCall {
  return { name: "write", args: [standardOutput, { memory: "scratch" }, reading] };
}

export function readIntoScratch(file: ProbeCall): ProbeCall {
  return { name: "read", args: [file, { memory: "scratch" }, scratchBytes] };
}

/** The calls, and then those that tell the runner what came of them. Afterwards it stays a while, so that it can be killed. */
export function tellingProgram(calls: readonly ProbeCall[]): ProbeCall[] {
  return [
    ...calls,
    { name: "write", args: [standardOutput, { memory: "results" }, calls.length * 8] },
    { name: "write", args: [standardOutput, endMark, endMark.length] },
    ...stayAndEnd,
  ];
}

const tenSeconds = Buffer.from(new BigInt64Array([10n, 0n]).buffer);

/** Nothing that was meant to be killed stays for ever. */
export const stayAndEnd: readonly ProbeCall[] = [
  { name: "nanosleep", args: [tenSeconds, 0] },
  { name: "exit_group", args: [0] },
];

/** What a telling program wrote; null while it is not complete. */
export function readAnswers(calls: readonly ProbeCall[], output: Buffer): ProbeAnswers | null {
  if (!output.subarray(-endMark.length).equals(endMark)) return null;
  const resultsAt = output.length - endMark.length - calls.length * 8;
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
    contentOf: (reading) => contents.get(reading) ?? Buffer.alloc(0),
  };
}

// Two names have the same number; the first one is the one people know.
const errorNames = new Map(
  Object.entries(constants.errno)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** `EPERM` for -1; null for what is no error. */
export function errorName(result: number): string | null {
  return result >= 0 ? null : (errorNames.get(-result) ?? `error ${-result}`);
}
