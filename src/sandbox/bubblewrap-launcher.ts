import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NetworkEntry } from "../contract/network-entry.ts";
import type { Hindrance, SkillCommand } from "../contract/sandbox.ts";
import { findPrograms } from "../shared/files/find-program.ts";
import { realPath } from "../shared/files/paths.ts";
import { UserError } from "../shared/user-error.ts";
import { explainPath } from "./explain-path.ts";
import { type EvalMaterial, findEvalMaterial, findVersionControl } from "./host/eval-material.ts";
import { findMounter, isMountable, isReachable, programReach } from "./host/reach.ts";
import { isSystemPath } from "./host/system-folders.ts";
import { makeTempRoot, type TempRoot } from "./host/temp-root.ts";
import type { Launch } from "./launch.ts";
import { type NetworkWay, openNetworkWay, shimProgram } from "./network/network-way.ts";
import { reachableCopies } from "./reachable-copies.ts";
import type { ResourceLimits } from "./resource-limits.ts";
import { type BubblewrapPieces, sandboxedLaunch, withWorkspace, workingFolder } from "./sandboxed-launch.ts";
import { type View, viewFor } from "./view.ts";
import { removeFolder } from "./work-folder.ts";

interface LauncherOptions {
  bubblewrap: BubblewrapPieces;
  isNetworkOpen: boolean;
  hidden: readonly string[];
  hiddenAlways: readonly string[];
  granted: readonly string[];
  /** The hosts that a closed network still allows; null if there is no such list. */
  allowed: readonly NetworkEntry[] | null;
  limits: ResourceLimits;
  memoryBytes: number;
  env: NodeJS.ProcessEnv;
}

/** Starts the commands of one run inside bubblewrap. */
export interface BubblewrapLauncher {
  /** The folder to be removed when we are killed; made with the first start. */
  tempFolder(): string;
  canReach(path: string): boolean;
  /** Throws if the command cannot be started. */
  launch(command: SkillCommand, tag: string, living: number): Launch;
  /** Which path of the machine a program failed to see, if it was the sandbox that hid it. */
  explain(command: SkillCommand, words: string): Hindrance | null;
  close(): Promise<void>;
}

/** A view is rebuilt after this long, because a run may write into the folder. */
const viewCacheMs = 1000;

export function openBubblewrap(options: LauncherOptions): BubblewrapLauncher {
  let made: TempRoot | null = null;
  const views = new Map<string, { view: View; untilMs: number }>();
  const materials = new Map<string, EvalMaterial>();
  const versionControls = new Map<string, EvalMaterial>();
  const canReach = process.getuid?.() === 0 ? remembered(isReachable) : () => true;
  const root = () => {
    made ??= makeTempRoot(options.bubblewrap.seccomp, options.granted);
    return made;
  };
  const reachable = reachableCopies(() => root().path, canReach);
  const mounter = findMounter(options.env);
  const mountPoints = new Map<string, string>();
  const node = options.allowed === null ? null : reachableNode(options.env, canReach);
  let ways = 0;

  function findView(command: SkillCommand): View {
    const { folder, cwd, starts, reads, version, seesEvalMaterial } = command;
    const words = [command.argv[0], starts, command.env.PATH, reads, version, seesEvalMaterial];
    const key = JSON.stringify([folder ?? cwd, ...words]);
    const known = views.get(key);
    const now = performance.now();
    if (known !== undefined && now < known.untilMs) return known.view;
    const view = viewFor(command, {
      ...options,
      ...{ tempRoot: root().path, canReach, reachable, mountPointFor },
      evalMaterial: (folder, version = "") => materialIn(folder, version, options.granted),
      versionControl: versionControlIn,
    });
    views.set(key, { view, untilMs: now + viewCacheMs });
    return view;
  }

  /** Looked for once: a run that writes into the folder says so itself. */
  function materialIn(folder: string, version: string, granted: readonly string[]): EvalMaterial {
    const state = [folder, version, ...granted].join("\0");
    const found = materials.get(state) ?? findEvalMaterial(folder, granted);
    materials.set(state, found);
    return found;
  }

  function versionControlIn(folder: string): EvalMaterial {
    const found = versionControls.get(folder) ?? findVersionControl(folder);
    versionControls.set(folder, found);
    return found;
  }

  /** An empty file or folder in the temporary root, on which root mounts the path. */
  function mountPointFor(path: string): string | null {
    if (mounter === null || !isMountable(path)) return null;
    const mountPoint =
      mountPoints.get(path) ?? makeMountPoint(join(root().path, `mount-${mountPoints.size}`), path);
    mountPoints.set(path, mountPoint);
    return mountPoint;
  }

  function launch(command: SkillCommand, tag: string, living: number): Launch {
    const view = findView(command);
    if (view.obstacle !== null) throw new Error(view.obstacle);
    const way = command.network === "none" ? null : openWay();
    try {
      return sandboxedLaunch(command, {
        ...{ tag, living, view, way },
        pieces: options.bubblewrap,
        mounter,
        tempRoot: root(),
        limits: options.limits,
        memoryBytes: options.memoryBytes,
        isNetworkOpen: options.isNetworkOpen && command.network !== "none",
        env: options.env,
      });
    } catch (error) {
      way?.[Symbol.dispose]();
      throw error;
    }
  }

  function openWay(): NetworkWay | null {
    if (options.allowed === null || node === null) return null;
    return openNetworkWay({
      allowed: options.allowed,
      // A short name: the path of a socket is limited to 107 bytes.
      socket: join(root().path, `network-${ways++}`),
      shim: reachable(shimProgram),
      node,
    });
  }

  function explain(command: SkillCommand, words: string): Hindrance | null {
    const view = withWorkspace(findView(command), command.workspace);
    return explainPath(words, {
      ...{ command, view, env: options.env },
      cwd: workingFolder(command, view),
      neverShown: [...options.hidden, ...options.hiddenAlways, root().path].map(realPath),
      evalMaterial: (folder, granted) => materialIn(folder, "", granted),
    });
  }

  async function close(): Promise<void> {
    if (made !== null) await removeFolder(made.path);
    made = null;
    views.clear();
    mountPoints.clear();
  }

  return {
    tempFolder: () => root().path,
    canReach: remembered(programReach(options.env)),
    launch,
    explain,
    close,
  };
}

function makeMountPoint(mountPoint: string, like: string): string {
  if (statSync(like).isDirectory()) mkdirSync(mountPoint);
  else writeFileSync(mountPoint, "", { flag: "wx" });
  return mountPoint;
}

function remembered(ask: (path: string) => boolean): (path: string) => boolean {
  const answers = new Map<string, boolean>();
  return (path) => {
    const known = answers.get(path) ?? ask(path);
    answers.set(path, known);
    return known;
  };
}

/** A Node that can be started in the sandbox: our own, or one of the system. Without it no host can be reached. */
function reachableNode(env: NodeJS.ProcessEnv, canReach: (path: string) => boolean): string {
  // Our own is visible to every process in the sandbox.
  if (canReach(process.execPath)) return process.execPath;
  for (const path of findPrograms("node", env)) if (isSystemPath(path) && canReach(path)) return path;
  throw new UserError(
    "sandbox-unavailable",
    `E_SANDBOX_UNAVAILABLE: --allow-network needs Node inside the sandbox, and the unprivileged sandbox user cannot access ${process.execPath}. Nothing was run.`,
    { hint: "install Node under /usr or /opt, or run as an ordinary user" },
  );
}
