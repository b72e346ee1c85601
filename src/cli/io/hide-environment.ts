import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/**
 * Takes what we were started with out of `/proc/<our pid>/environ`, where every process of our user could read it, and so
 * every skill below level `strict`. Our variables stay set: they move to other memory first. On systems without that
 * file there is nothing to hide; where the kernel refuses, it stays as it is.
 */
export function hideEnvironment(env: NodeJS.ProcessEnv): void {
  if (process.platform !== "linux") return;
  try {
    const block = readFileSync("/proc/self/environ");
    const start = environmentAddress(readFileSync("/proc/self/stat", "latin1"));
    const memory = openSync("/proc/self/mem", "r+");
    try {
      for (const { at, bytes } of movedEntries(block, env)) {
        writeSync(memory, Buffer.alloc(bytes), 0, bytes, start + at);
      }
    } finally {
      closeSync(memory);
    }
  } catch {
    // No /proc, or none that may be written.
  }
}

/** The 50th field, counted behind the name of the program, which may hold anything. */
function environmentAddress(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[50 - 3]);
}

/** Sets each variable anew, which moves it, and tells where it was. One that is not UTF-8 cannot be set as it is, and stays. */
function* movedEntries(
  block: Buffer,
  env: NodeJS.ProcessEnv,
): Generator<{ at: number; bytes: number }, void, undefined> {
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(0, at);
    if (end === -1) return;
    const entry = block.subarray(at, end);
    const text = entry.toString("utf8");
    const name = text.slice(0, text.indexOf("=", 1));
    const value = env[name];
    if (value !== undefined && Buffer.from(`${name}=${value}`).equals(entry)) {
      env[name] = value;
      yield { at, bytes: entry.length };
    }
    at = end + 1;
  }
}
