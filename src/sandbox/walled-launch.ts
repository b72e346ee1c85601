import { isAbsolute, join, relative, resolve } from "node:path";
import { isInside } from "../base/is-inside.ts";
import { realPath } from "../base/real-path.ts";
import type { SkillCommand } from "../contract/sandbox.ts";
import { bubblewrapFlags, descriptors, workPlace } from "./bubblewrap-flags.ts";
import { ownVariables, walledEnvironment } from "./environment.ts";
import type { Launch } from "./launch.ts";
import { lending } from "./lent-places.ts";
import type { NetworkWay } from "./network/network-way.ts";
import { kernelCap } from "./process-cap.ts";
import { limitedCommand, type ResourceLimits } from "./resource-limits.ts";
import type { Identity } from "./slots.ts";
import { openStartFiles } from "./start-files.ts";
import type { TempRoot } from "./temp-root.ts";
import type { View } from "./view.ts";
import { showWorkspace } from "./workspace.ts";

/** The programs and pieces that walls are made of on this machine. */
export interface BubblewrapPieces {
  bwrap: string;
  prlimit: string | null;
  seccomp: Uint8Array | null;
  disableUserns: boolean;
}

export interface WalledLaunchOptions {
  mark: string;
  view: View;
  pieces: BubblewrapPieces;
  /** What root lends places with, where it can. */
  lender: Parameters<typeof lending>[0] | null;
  tempRoot: TempRoot;
  limits: ResourceLimits;
  memoryBytes: number;
  isNetworkOpen: boolean;
  /** The way out of a closed network, where there is one. */
  way: NetworkWay | null;
  /** How many skill processes live already. */
  living: number;
  env: NodeJS.ProcessEnv;
}

/** Prepares a start behind walls: `prlimit` becomes `bwrap`, which starts the skill process and ends with it. */
export function walledLaunch(command: SkillCommand, options: WalledLaunchOptions): Launch {
  const { mark, pieces, tempRoot, way, lender } = options;
  const view = withWorkspace(options.view, command.workspace);
  const variables = variablesOf(command, { ...options, view });
  const loans = [...view.loans];
  const files = openStartFiles(tempRoot, mark, (workFolder, identity) =>
    bubblewrapFlags({
      ...{ view, tempRoot, variables },
      workFolder: placeToWork(workFolder, identity),
      cwd: placeOf(command, view),
      isNetworkOpen: options.isNetworkOpen,
      reachesHosts: options.isNetworkOpen || way !== null,
      disableUserns: pieces.disableUserns,
      extraBinds: way?.binds ?? [],
    }),
  );
  const { identity } = files.slot;
  const cap = pieces.prlimit === null ? null : kernelCap(identity, pieces.prlimit, options.living);
  const argv = [...(cap?.words ?? []), ...command.argv.map(view.inside)] as [string, ...string[]];
  const walled: [string, ...string[]] = [
    ...([pieces.bwrap, "--args", `${descriptors.flags}`, "--"] as const),
    ...(way?.around(argv) ?? argv),
  ];
  const limits = { ...options.limits, dataBytes: options.memoryBytes, processes: cap?.before };
  const limited =
    pieces.prlimit === null ? walled : limitedCommand(pieces.prlimit, limits, command.deadlineMs, walled);
  const lent =
    lender !== null && identity !== null && loans.length > 0
      ? lending(lender, loans, identity, limited)
      : null;
  return {
    argv: lent ?? limited,
    cwd: "/",
    isOff: false,
    env: walledEnvironment(options.env, view.searchPath, mark),
    streams: ["pipe", "pipe", "pipe", files.seccomp ?? "ignore", files.flags, files.status.descriptor],
    // Lending takes root, so the user is changed by a program on the way and not by us.
    identity: lent === null ? identity : null,
    status: files.status,
    workFolder: command.workspace ?? files.workFolder, // the one it can fill
    way,
    afterSpawn: files.closeRead,
    cleanUp: files.remove,
  };

  function placeToWork(workFolder: string, identity: Identity | null): string {
    if (command.workspace === undefined) return workFolder;
    const workspace = realPath(command.workspace);
    const shown = showWorkspace(workspace, { identity, workFolder, canLend: lender !== null });
    if (shown.loan !== null) loans.push(shown.loan);
    return shown.source;
  }
}

/** The same view, with a workspace under the name it has inside. */
function withWorkspace(view: View, workspace: string | undefined): View {
  if (workspace === undefined) return view;
  const names = [...new Set([resolve(workspace), realPath(workspace)])];
  const inside = (path: string): string => {
    const around = names.find((name) => isAbsolute(path) && isInside(name, path));
    return around === undefined ? view.inside(path) : join(workPlace, relative(around, path));
  };
  return { ...view, inside };
}

/** The folder of the skill, or the workspace, as it is called inside; a command from elsewhere works in its work folder. */
function placeOf({ cwd, workspace, reads = [] }: SkillCommand, view: View): string {
  const place = view.inside(resolve(cwd));
  const isOfWorkspace = workspace !== undefined && isInside(resolve(workspace), resolve(cwd));
  const isShown = view.binds.some(({ at }) => isInside(at, place)) || reads.includes(cwd);
  return isShown || isOfWorkspace ? place : workPlace;
}

function variablesOf(
  command: SkillCommand,
  { env, view, way }: WalledLaunchOptions,
): (readonly [string, string])[] {
  const own = ownVariables(env, command.env).map(([name, value]) => [name, view.inside(value)] as const);
  if (own.length > mostVariables)
    throw new TypeError(`${own.length} variables are more than the ${mostVariables} that can be set`);
  for (const [name, value] of own) {
    // Bubblewrap would read a NUL as the end of a flag, and fail at such a name as if the walls had failed.
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) {
      throw new TypeError(
        `the variable ${JSON.stringify(name)} has an empty name, or "=" or null bytes in it`,
      );
    }
  }
  return way?.variables(own) ?? own;
}

/** Each takes three words, and bubblewrap takes 9000 in all: beyond that it fails as if the walls had failed. */
const mostVariables = 2000;
