import type { SkillCommand } from "../contract/sandbox.ts";
import { skillEnvironment, wholeEnvironment } from "./host/environment.ts";
import type { Launch } from "./launch.ts";
import { limitedCommand, type ResourceLimits } from "./resource-limits.ts";

/** Prepares a start without a sandbox: under limits and with the allowed variables, or just as we are. */
export function plainLaunch(
  command: SkillCommand,
  tag: string,
  {
    isOff,
    prlimit,
    limits,
    env,
  }: { isOff: boolean; prlimit: string | null; limits: ResourceLimits; env: NodeJS.ProcessEnv },
): Launch {
  const environment = isOff ? wholeEnvironment : skillEnvironment;
  return {
    argv: prlimit === null ? command.argv : limitedCommand(prlimit, limits, command.deadlineMs, command.argv),
    cwd: command.cwd,
    env: environment(env, command.env, tag),
    streams: ["pipe", "pipe", "pipe"],
    isOff,
    identity: null,
    status: null,
    way: null,
    workFolder: command.workspace ?? null,
    afterSpawn: () => {},
    cleanUp: async () => {},
  };
}
