import { execFileSync } from "node:child_process";
import { findProgram } from "../src/shared/files/find-program.ts";

const prlimit = findProgram("prlimit", process.env);

/** Whether the size of our own files can be limited on this machine. */
export const canLimitFiles: boolean = prlimit !== null;

/**
 * Does something while no file of this process can grow beyond so many bytes: for SQLite's own writing, which no test
 * can get between, a disk that is full.
 */
export async function withLimitedFiles<Value>(bytes: number, work: () => Promise<Value>): Promise<Value> {
  const ignore = () => {};
  const softLimit = ask(["--output", "SOFT", "--noheadings", "--fsize"]).trim();
  process.on("SIGXFSZ", ignore); // it would end the process before the write can fail
  ask([`--fsize=${bytes}:`]);
  try {
    return await work();
  } finally {
    ask([`--fsize=${softLimit}:`]);
    process.off("SIGXFSZ", ignore);
  }
}

function ask(args: readonly string[]): string {
  return execFileSync(prlimit ?? "prlimit", ["--pid", String(process.pid), ...args], { encoding: "utf8" });
}
