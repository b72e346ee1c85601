import { resolve } from "node:path";
import type { Containment } from "../contract/containment.ts";
import type { SandboxLevel } from "../contract/limits.ts";
import type { NetworkEntry } from "../contract/network-entry.ts";
import type { Failure, Hindrance, Sandbox, SkillCommand, SkillProcess } from "../contract/sandbox.ts";
import { findProgram } from "../shared/files/find-program.ts";
import { realPath } from "../shared/files/paths.ts";
import { type BubblewrapLauncher, openBubblewrap } from "./bubblewrap-launcher.ts";
import { workFolderBytes } from "./disk-meter.ts";
import { startReaper } from "./host/reaper.ts";
import { makeRunTag, type ProcessTag, processTag } from "./host/run-tag.ts";
import { type Launch, plainLaunch } from "./launch.ts";
import { explainNetwork } from "./network/closed-network.ts";
import { networkAllowList } from "./network/network-way.ts";
import { processCap } from "./process-cap.ts";
import { defaultLimits, ownHardLimits, type ResourceLimits } from "./resource-limits.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";
import { failedStart, isCommandFault } from "./skill-exit.ts";
import { startSkillProcess } from "./skill-process.ts";
import { openSweeper, sweepRun } from "./sweep.ts";

export interface SandboxOptions {
  level: SandboxLevel;
  killGraceMs: number;
  memoryMb: number | null;
  limits?: Partial<ResourceLimits>;
  env?: NodeJS.ProcessEnv;
  /** The components of `strict` and `reduced`. */
  bubblewrap?: BubblewrapPieces;
  /** A list closes the network except for its hosts. Open by default. */
  network?: "open" | "none" | readonly string[] | null;
  /** Paths that no skill may see; and those that scorers may not see either. */
  hidden?: readonly string[];
  hiddenAlways?: readonly string[];
  /** Files and folders that the user grants every skill to read. */
  granted?: readonly string[];
  /** For the stamp: what a probe could not prove, and what would help. */
  unproven?: readonly string[];
  hint?: string | null;
  backend?: string;
  /** For a dry run, which proves nothing: every process is refused. */
  startsNothing?: boolean;
}

/** Opens the sandbox of a run. Below `reduced` it limits and cleans up, but hides neither files nor the network. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { level, killGraceMs, startsNothing = false, env = process.env } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const launcher = launcherFor(options, limits, env);
  // In the sandbox everything ends with the first process of its namespace; there are no strays to look for.
  const sweeper = launcher === null ? openSweeper() : null;
  const prlimit = level === "off" ? null : findProgram("prlimit", env);
  // A runner that is limited itself was started by a skill, and can only lower the limit: whoever runs that skill looks.
  const canTag = ownHardLimits()("file locks") === Number.POSITIVE_INFINITY;
  const run = makeRunTag(prlimit !== null && launcher === null && canTag);
  let processes = 0;
  let reaper: Disposable | null = null;
  const living = new Set<SkillProcess>();

  function prepareLaunch(command: SkillCommand, tag: ProcessTag): Launch {
    if (launcher !== null) return launcher.launch(command, tag.word, living.size);
    return plainLaunch(command, tag, { isOff: level === "off", prlimit, limits, env });
  }

  function start(command: SkillCommand): SkillProcess {
    if (startsNothing) {
      const refusal = "a dry run starts no process";
      return failedStart(new Error(refusal), () => {}, refusal);
    }
    const tag = processTag(run, processes++);
    const startedMs = performance.now();
    let launch: Launch;
    try {
      reaper ??= startReaper(run, launcher?.tempFolder() ?? null);
      launch = prepareLaunch(command, tag);
    } catch (error) {
      return failedStart(
        error as Error,
        () => {},
        isCommandFault(error as Error) ? undefined : (error as Error).message,
      );
    }
    const skillProcess = startSkillProcess({
      launch,
      killGraceMs,
      treeLimits:
        level === "off"
          ? null
          : { memoryBytes: memoryCap(options), processes: processCap, diskBytes: workFolderBytes },
      hasCaps: launcher !== null && options.bubblewrap?.prlimit !== null,
      onExit: (pid) => sweeper?.ended({ tag, pid, startedMs }),
      onGone: () => living.delete(skillProcess),
      sweepNow: () => sweeper?.now(),
    });
    living.add(skillProcess);
    return skillProcess;
  }

  async function close(): Promise<void> {
    await Promise.all([...living].map((skillProcess) => skillProcess.kill()));
    // A final sweep for everything that ever carried a tag of this run.
    if (processes > 0 && sweeper !== null) sweepRun(run);
    await launcher?.close();
    reaper?.[Symbol.dispose]();
    reaper = null;
  }

  const containment = describeContainment(options, prlimit);

  function explain(command: SkillCommand, failure: Failure): Hindrance | null {
    if (launcher === null) return null;
    return launcher.explain(command, failure.words) ?? explainNetwork(command, failure, containment);
  }

  return {
    containment,
    startsNothing,
    canReach: launcher?.canReach ?? (() => true),
    start,
    explain,
    [Symbol.asyncDispose]: close,
  };
}

/** What all processes of a skill may hold by default, whatever contains them. */
const defaultMemoryBytes = 2_147_483_648;

function memoryCap({ level, memoryMb }: Pick<SandboxOptions, "level" | "memoryMb">): number | null {
  if (memoryMb !== null) return memoryMb * 1_048_576;
  return level === "off" ? null : defaultMemoryBytes;
}

function launcherFor(
  options: SandboxOptions,
  limits: ResourceLimits,
  env: NodeJS.ProcessEnv,
): BubblewrapLauncher | null {
  const { level, bubblewrap } = options;
  if (level === "process" || level === "off") return null;
  if (bubblewrap === undefined) throw new Error(`level ${level} without the pieces it is built of`);
  return openBubblewrap({
    bubblewrap,
    limits,
    env,
    isNetworkOpen: (options.network ?? "open") === "open",
    hidden: options.hidden ?? [],
    hiddenAlways: options.hiddenAlways ?? [],
    // A link is shown by its name and by where it leads.
    granted: [...new Set((options.granted ?? []).flatMap((path) => [resolve(path), realPath(path)]))],
    allowed: allowedBy(options.network),
    memoryBytes: memoryCap(options) ?? defaultMemoryBytes,
  });
}

function allowedBy(network: SandboxOptions["network"]): NetworkEntry[] | null {
  return typeof network === "string" || !network ? null : networkAllowList(network);
}

function describeContainment(options: SandboxOptions, prlimit: string | null): Containment {
  const { level, hint } = options;
  const withHint = hint === undefined ? {} : { hint };
  if (level === "strict" || level === "reduced") {
    return {
      level,
      backend: options.backend ?? "bubblewrap",
      network: allowedBy(options.network)?.map(({ text }) => text) ?? options.network ?? "open",
      unproven: options.unproven ?? [],
      ...withHint,
    };
  }
  return {
    level,
    backend: options.backend ?? (prlimit === null ? null : "prlimit"),
    network: "open",
    unproven: options.unproven ?? (level === "process" && prlimit === null ? ["limits"] : []),
    ...withHint,
  };
}
