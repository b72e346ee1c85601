import { randomBytes } from "node:crypto";
import { findProgram } from "../base/find-program.ts";
import type { Containment } from "../contract/containment.ts";
import type { Sandbox, SkillCommand } from "../contract/sandbox.ts";
import type { SandboxLevel } from "../contract/sandbox-level.ts";
import { skillEnvironment, wholeEnvironment } from "./environment.ts";
import { startReaper } from "./reaper.ts";
import { defaultLimits, limitedCommand, type ResourceLimits, withinOwnLimits } from "./resource-limits.ts";
import { startSkillProcess } from "./skill-process.ts";
import { sweepUntilClean } from "./sweep.ts";
import { openSweeper } from "./sweeper.ts";

export interface SandboxOptions {
  level: Extract<SandboxLevel, "process" | "off">;
  killGraceMs: number;
  memoryMb: number | null;
  limits?: Partial<ResourceLimits>;
  env?: NodeJS.ProcessEnv;
}

/** Opens the sandbox of a run at a level that limits and cleans up. It does not hide files or the network. */
export function openSandbox({
  level,
  killGraceMs,
  memoryMb,
  limits,
  env = process.env,
}: SandboxOptions): Sandbox {
  const runMark = randomBytes(12).toString("hex");
  const sweeper = openSweeper();
  const prlimit = level === "off" ? null : findProgram("prlimit", env);
  const resourceLimits = withinOwnLimits({ ...defaultLimits, ...limits });
  let processes = 0;
  let reaper: Disposable | null = null;
  const living = new Set<() => Promise<void>>();

  const containment: Containment = {
    level,
    backend: prlimit === null ? null : "prlimit",
    network: "open",
    unproven: level === "process" && prlimit === null ? ["limits"] : [],
  };

  function start(command: SkillCommand) {
    reaper ??= startReaper(runMark);
    const mark = `${runMark}.${processes++}`;
    const environment = level === "off" ? wholeEnvironment : skillEnvironment;
    const skillProcess = startSkillProcess({
      argv:
        prlimit === null
          ? command.argv
          : limitedCommand(prlimit, resourceLimits, command.deadlineMs, command.argv),
      cwd: command.cwd,
      env: environment(env, command.env, mark),
      killGraceMs,
      memoryCapBytes: memoryMb === null || level === "off" ? null : memoryMb * 1_048_576,
      onGone: () => {
        living.delete(skillProcess.kill);
        sweeper.ended(mark);
      },
      sweepNow: sweeper.now,
    });
    living.add(skillProcess.kill);
    return skillProcess;
  }

  async function close(): Promise<void> {
    await Promise.all([...living].map((kill) => kill()));
    // Not only what ended last: one last look for everything that ever carried a mark of this run.
    if (processes > 0) sweepUntilClean((mark) => mark.startsWith(`${runMark}.`));
    reaper?.[Symbol.dispose]();
    reaper = null;
  }

  return { containment, start, [Symbol.asyncDispose]: close };
}
