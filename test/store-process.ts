import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** Another process that works on a store. */
export interface StoreProcess extends AsyncDisposable {
  readonly pid: number;
  /** The next line of its output, or null when it has ended. */
  readLine(): Promise<string | null>;
  /** Ends it without warning; settles when it is gone. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("./fixtures/store-process.ts", import.meta.url));

/** Starts `test/fixtures/store-process.ts`, which lists its commands. */
export function startStoreProcess(...args: string[]): StoreProcess {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    ["--import", "tsx", program, ...args],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  async function kill(): Promise<void> {
    child.kill("SIGKILL");
    await exited;
  }
  return {
    pid: child.pid as number,
    async readLine() {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
