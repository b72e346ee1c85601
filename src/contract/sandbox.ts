import type { Readable, Writable } from "node:stream";
import type { SkillFault } from "./cause.ts";
import type { Containment } from "./containment.ts";

export interface SkillCommand {
  /** Program and arguments; never read by a shell. */
  argv: readonly [string, ...string[]];
  /** A program that the one in `argv` starts in turn. */
  starts?: string | undefined;
  cwd: string;
  /** Variables besides the allow-list of the sandbox. */
  env: Readonly<Record<string, string>>;
  /** Longest time one call may take, for the backstop on CPU time; null for a process that serves many calls. */
  deadlineMs: number | null;
  /** The folder whose files it may read, at or above `cwd`; default: `cwd` itself. */
  folder?: string | undefined;
  /** A folder that it may write to and that stays; in the sandbox it is mounted as the work folder, under `/work`. */
  workspace?: string | undefined;
  /** Files and folders besides that it must be able to read, at the same paths: our own program that runs a module. */
  reads?: readonly string[] | undefined;
  /** Which state of `folder` and `reads` is meant: where they have to be copied, another state is copied anew. */
  version?: string | undefined;
  /** Whether expectations and graders in `folder` are shown: to a scorer, which is handed them anyway. Never to a skill. */
  seesEvalMaterial?: boolean | undefined;
  /** A skill that wants no network gets none, where the sandbox can close it. */
  network?: "none" | undefined;
}

/** An attempt of a skill process to reach a host through the proxy of an allow-list. */
export interface NetworkAttempt {
  host: string;
  port: number;
  allowed: boolean;
  /** Why it was refused or failed; null for one that went through. */
  reason: string | null;
}

export interface SkillExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The limit that ended it, where one did. */
  limit: Extract<SkillFault, "cpu-limit" | "memory-limit" | "process-limit" | "disk-limit"> | null;
  /** Why the sandbox did not let it begin, where it failed to; the program itself never ran then. */
  refusal?: string | undefined;
}

/** A process started on a skill's behalf, with everything it may start itself. */
export interface SkillProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process is there; rejects when it could not be started. */
  readonly started: Promise<void>;
  readonly exited: Promise<SkillExit>;
  /** Whether the kernel refuses it memory and disk beyond a cap: it then fails in its own words, and nobody sees a limit passed. */
  readonly hasCaps?: boolean | undefined;
  /** True as soon as it waits for input (at once where the machine does not show that), false when the limit passed first. */
  waitsForInput(limitMs: number): Promise<boolean>;
  /** What it tried to reach since the last call of this; empty without an allow-list. */
  takeNetworkAttempts?(): readonly NetworkAttempt[];
  /** Ends the whole tree now. Settles when it is gone. */
  kill(): Promise<void>;
  /** Orderly end: SIGTERM, the grace, then `kill`. */
  terminate(): Promise<void>;
}

/** What a process said when it failed. */
export interface Failure {
  /** Its message, and what it wrote to stderr. */
  words: string;
  /** What it tried to reach through the proxy of an allow-list. */
  network?: readonly NetworkAttempt[] | undefined;
}

/** Something of the machine that the sandbox kept from a process that failed for want of it. */
export interface Hindrance {
  /** What it was, and the option that would show it. */
  why: string;
  /** Whether the skill wanted it so, and so has only itself to blame. */
  isChosen: boolean;
}

/** Starts processes for skills, as contained as this machine can prove. */
export interface Sandbox extends AsyncDisposable {
  readonly containment: Containment;
  /** That of a dry run: no containment is proven for it, so it refuses every process. */
  readonly startsNothing?: boolean | undefined;
  /** Whether a process in here can be shown this path of the machine: as root it runs under a user that cannot walk to all of them. */
  canReach?(path: string): boolean;
  start(command: SkillCommand): SkillProcess;
  /** What kept such a process from doing its work, if it was the sandbox. The words are a stranger's, so what they name is looked up. */
  explain?(command: SkillCommand, failure: Failure): Hindrance | null;
}

/** What a probe checks from inside a sandbox, in the order of its report. */
export const probeGroups = ["files", "environment", "network", "processes", "privileges", "limits"] as const;
export type ProbeGroup = (typeof probeGroups)[number];

/** One thing that must be blocked, or must work, and what was seen. */
export interface ProbeCheck {
  group: ProbeGroup;
  /** In words, such as `write to the home folder`. */
  name: string;
  /** `blocked`: it must not be possible. `works`: it must be. */
  expected: "blocked" | "works";
  ok: boolean;
  /** What the system said, where that helps. */
  seen: string | null;
}
