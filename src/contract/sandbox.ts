import type { Readable, Writable } from "node:stream";
import type { SkillFault } from "./cause.ts";
import type { Containment } from "./containment.ts";

export interface SkillCommand {
  /** Program and arguments; never read by a shell. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** Variables besides the allow-list of the sandbox. */
  env: Readonly<Record<string, string>>;
  /** Longest time one call may take, for the backstop on CPU time; null for a process that serves many calls. */
  deadlineMs: number | null;
}

export interface SkillExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The limit that ended it, where one did. */
  limit: Extract<SkillFault, "cpu-limit" | "memory-limit" | "process-limit" | "disk-limit"> | null;
}

/** A process started on a skill's behalf, with everything it may start itself. */
export interface SkillProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process is there; rejects when it could not be started. */
  readonly started: Promise<void>;
  readonly exited: Promise<SkillExit>;
  /** True as soon as it waits for input (at once where the machine does not show that), false when the limit passed first. */
  waitsForInput(limitMs: number): Promise<boolean>;
  /** Ends the whole tree now. Settles when it is gone. */
  kill(): Promise<void>;
  /** Orderly end: SIGTERM, the grace, then `kill`. */
  terminate(): Promise<void>;
}

/** Starts processes for skills, as contained as this machine can prove. */
export interface Sandbox extends AsyncDisposable {
  readonly containment: Containment;
  start(command: SkillCommand): SkillProcess;
}
