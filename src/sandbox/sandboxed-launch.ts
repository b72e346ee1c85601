import { isAbsolute, join, relative, resolve } from "node:path";
import type { SkillCommand } from "../contract/sandbox.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { bubblewrapFlags, descriptors, memoryDisks, workPath } from "./bubblewrap-flags.ts";
import { memoryDiskMeter } from "./disk-meter.ts";
import { ownVariables, sandboxedEnvironment } from "./host/environment.ts";
import { mountedCommand } from "./host/reach.ts";
import type { Identity } from "./host/slots.ts";
import type { TempRoot } from "./host/temp-root.ts";
import type { Launch } from "./launch.ts";
import type { NetworkWay } from "./network/network-way.ts";
import { kernelCap } from "./process-cap.ts";
import { limitedCommand, type ResourceLimits } from "./resource-limits.ts";
import { openStartFiles } from "./start-files.ts";
import type { View } from "./view.ts";
import { showWorkspace } from "./work-folder.ts";

/** The programs and components of the sandbox on this machine. */
export interface BubblewrapPieces {
  bwrap: string;
  prlimit: string | null;
  seccomp: Uint8Array | null;
  disableUserns: boolean;
}

export interface SandboxedLaunchOptions {
  tag: string;
  view: View;
  pieces: BubblewrapPieces;
  /** The programs with which root mounts paths, if available. */
  mounter: Parameters<typeof mountedCommand>[0] | null;
  tempRoot: TempRoot;
  limits: ResourceLimits;
  memoryBytes: number;
  isNetworkOpen: boolean;
  /** The proxy out of a closed network, if there is one. */
  way: NetworkWay | null;
  /** How many skill processes are running already. */
  living: number;
  env: NodeJS.ProcessEnv;
}

/** Prepares a start in the sandbox: `prlimit` becomes `bwrap`, which starts the skill process and ends with it. */
export function sandboxedLaunch(command: SkillCommand, options: SandboxedLaunchOptions): Launch {
  const { tag, pieces, tempRoot, way, mounter } = options;
  const view = withWorkspace(options.view, command.workspace);
  const variables = sandboxVariables(command, { ...options, view });
  const mounts = [...view.mounts];
  const files = openStartFiles(tempRoot, tag, (identity, emptyFolder) =>
    bubblewrapFlags({
      ...{ view, tempRoot, variables },
      workFolder:
        command.workspace === undefined ? null : bindSource(command.workspace, identity, emptyFolder),
      cwd: workingFolder(command, view),
      isNetworkOpen: options.isNetworkOpen,
      reachesHosts: options.isNetworkOpen || way !== null,
      disableUserns: pieces.disableUserns,
      extraBinds: way?.binds ?? [],
    }),
  );
  const { identity } = files.slot;
  const cap = pieces.prlimit === null ? null : kernelCap(identity, pieces.prlimit, options.living);
  const argv = [...(cap?.words ?? []), ...command.argv.map(view.inside)] as [string, ...string[]];
  const sandboxed: [string, ...string[]] = [
    ...([pieces.bwrap, "--args", `${descriptors.flags}`, "--"] as const),
    ...(way?.wrap(argv) ?? argv),
  ];
  const limits = { ...options.limits, dataBytes: options.memoryBytes, processes: cap?.before };
  const limited =
    pieces.prlimit === null
      ? sandboxed
      : limitedCommand(pieces.prlimit, limits, command.deadlineMs, sandboxed);
  const mounted =
    mounter !== null && identity !== null && mounts.length > 0
      ? mountedCommand(mounter, mounts, identity, limited)
      : null;
  return {
    argv: mounted ?? limited,
    cwd: "/",
    isOff: false,
    env: sandboxedEnvironment(options.env, view.searchPath, tag),
    streams: ["pipe", "pipe", "pipe", files.seccomp ?? "ignore", files.flags, files.status.descriptor],
    // Mounting takes root, so the user is changed by a program on the way and not by us.
    identity: mounted === null ? identity : null,
    status: files.status,
    disk: command.workspace ?? memoryDiskMeter(insideRoot, memoryDisks),
    way,
    afterSpawn: files.closeRead,
    cleanUp: files.remove,
  };

  function insideRoot(): string | null {
    const first = files.status.firstProcess();
    return first === null ? null : `/proc/${first}/root`;
  }

  function bindSource(named: string, identity: Identity | null, emptyFolder: () => string): string {
    const shown = showWorkspace(realPath(named), { identity, emptyFolder, canMount: mounter !== null });
    if (shown.mount !== null) mounts.push(shown.mount);
    return shown.source;
  }
}

/** The same view, with a workspace under the name it has inside. */
export function withWorkspace(view: View, workspace: string | undefined): View {
  if (workspace === undefined) return view;
  const names = [...new Set([resolve(workspace), realPath(workspace)])];
  const inside = (path: string): string => {
    const workspaceName = names.find((name) => isAbsolute(path) && isInside(name, path));
    return workspaceName === undefined ? view.inside(path) : join(workPath, relative(workspaceName, path));
  };
  return { ...view, inside };
}

/** The working folder inside: the folder of the skill, the workspace, or for other commands the work folder. */
export function workingFolder({ cwd, workspace, reads = [] }: SkillCommand, view: View): string {
  const inside = view.inside(resolve(cwd));
  const isOfWorkspace = workspace !== undefined && isInside(resolve(workspace), resolve(cwd));
  const isShown = view.binds.some(({ at }) => isInside(at, inside)) || reads.includes(cwd);
  return isShown || isOfWorkspace ? inside : workPath;
}

function sandboxVariables(
  command: SkillCommand,
  { env, view, way }: SandboxedLaunchOptions,
): (readonly [string, string])[] {
  const own = ownVariables(env, command.env).map(([name, value]) => [name, view.inside(value)] as const);
  if (own.length > maxVariables)
    throw new TypeError(`too many environment variables: ${own.length}, limit ${maxVariables}`);
  for (const [name, value] of own) {
    // Bubblewrap would read a NUL as the end of a flag, and its error would look like a failure of the sandbox.
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) {
      throw new TypeError(
        `the variable ${JSON.stringify(name)} has an empty name, or contains "=" or null bytes`,
      );
    }
  }
  return way?.variables(own) ?? own;
}

/** Each takes three arguments, and bubblewrap accepts 9000 in all: beyond that its error looks like a failure of the sandbox. */
const maxVariables = 2000;
