import type { SkillCommand } from "../contract/sandbox.ts";
import type { BubblewrapStatus } from "./bubblewrap-status.ts";
import type { DiskMeter } from "./disk-meter.ts";
import { skillEnvironment, wholeEnvironment } from "./host/environment.ts";
import type { ProcessTag } from "./host/run-tag.ts";
import type { Identity } from "./host/slots.ts";
import type { Stream } from "./inherited-descriptors.ts";
import type { NetworkWay } from "./network/network-way.ts";
import { limitedCommand, type ResourceLimits } from "./resource-limits.ts";

/** A prepared start: what to execute, where, as which user, and with which descriptors. */
export interface Launch {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Whether the process runs just as we do, with our inherited descriptors. */
  isOff: boolean;
  streams: readonly Stream[];
  /** Null: as ourselves. */
  identity: Identity | null;
  /** The status of bubblewrap, if the process runs in it. */
  status: BubblewrapStatus | null;
  /** The proxy out of a closed network, if there is one. */
  way: NetworkWay | null;
  /** What the process may fill, if it has something of its own: a folder, or the disks of its sandbox. */
  disk: string | DiskMeter | null;
  /** Called when the child has its descriptors, or never will. */
  afterSpawn(): void;
  /** Settles when nothing is left of it. To be called when the process and all it started are gone. */
  cleanUp(): Promise<void>;
}

/** Prepares a start without a sandbox: under limits and with the allowed variables, or just as we are. */
export function plainLaunch(
  command: SkillCommand,
  tag: ProcessTag,
  {
    isOff,
    prlimit,
    limits,
    env,
  }: { isOff: boolean; prlimit: string | null; limits: ResourceLimits; env: NodeJS.ProcessEnv },
): Launch {
  const environment = isOff ? wholeEnvironment : skillEnvironment;
  return {
    argv:
      prlimit === null
        ? command.argv
        : limitedCommand(prlimit, { ...limits, locks: tag.locks }, command.deadlineMs, command.argv),
    cwd: command.cwd,
    env: environment(env, command.env, tag.word),
    streams: ["pipe", "pipe", "pipe"],
    isOff,
    identity: null,
    status: null,
    way: null,
    disk: command.workspace ?? null,
    afterSpawn: () => {},
    cleanUp: async () => {},
  };
}
