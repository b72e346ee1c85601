import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { SkillCommand } from "../contract/sandbox.ts";
import { findProgram } from "../shared/files/find-program.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { type Bind, evalMaterial, type Mask, masksFor } from "./host/masks.ts";
import { isSystemPath } from "./host/system-folders.ts";
import { isPersonal, programPaths } from "./program-paths.ts";

/** What a skill process sees of the machine besides the system. */
export interface View {
  /** Shown read-only. */
  binds: readonly Bind[];
  /** Shown empty. */
  masks: readonly Mask[];
  /** Paths that must be mounted before they can be shown: the user inside cannot reach them. */
  mounts: readonly Bind[];
  /** The folders its programs are looked for in. */
  searchPath: string;
  /** Why the program cannot be mounted; else null. */
  obstacle: string | null;
  /** Translates a path of the machine to its path inside. */
  inside(path: string): string;
}

export interface ViewOptions {
  env: NodeJS.ProcessEnv;
  /** Paths that are hidden from skills, and from scorers too. */
  hidden: readonly string[];
  hiddenAlways: readonly string[];
  tempRoot: string;
  /** Whether the user of the sandbox can be shown this path. */
  canReach(path: string): boolean;
  /** A copy that can be shown, of what cannot be itself. */
  reachable(path: string, version?: string): string;
  /** Where a path can be mounted, or null when it cannot be. */
  mountPointFor(path: string): string | null;
}

const skillPath = "/skill";

export function viewFor(command: SkillCommand, options: ViewOptions): View {
  const folder = resolve(command.folder ?? command.cwd);
  const folders = [...new Set([folder, realPath(folder)])];
  const isPrivate = (path: string) =>
    isPersonal(path) || isInside(path, folder) || isInside(path, options.tempRoot);

  const inside = (path: string): string => {
    if (!isAbsolute(path)) return path;
    const container = folders.find((candidate) => isInside(candidate, path));
    return container === undefined ? path : join(skillPath, relative(container, path));
  };

  const program = hostProgram(command, options.env);
  const programRoots = program === null ? [] : programPaths(program, isPrivate);
  const runnerRoots = programPaths(process.execPath, isPrivate).filter(options.canReach);
  const shown = [...new Set([...programRoots, ...runnerRoots])].filter(
    (path) => !folders.some((container) => isInside(container, path)),
  );
  const mounts = shown
    .filter((path) => !options.canReach(path))
    .map((path) => ({ path, at: options.mountPointFor(path) }));
  const unreachable = mounts.find(({ at }) => at === null)?.path;
  const reads = [...new Set((command.reads ?? []).flatMap((path) => [path, realPath(path)]))];
  const binds: Bind[] = [
    ...shown.filter(options.canReach).map((path) => ({ source: path, at: path })),
    ...mounts.flatMap(({ path, at }) => (at === null ? [] : [{ source: at, at: path }])),
    ...reads.map((path) => ({ source: options.reachable(path, command.version), at: path })),
    { source: options.reachable(folder, command.version), at: skillPath },
  ];
  const originals = binds.map((bind) => ({ source: bind.at === skillPath ? folder : bind.at, at: bind.at }));
  const hidden = command.seesEvalMaterial ? [] : [...evalMaterial(folder), ...options.hidden];
  const masks = masksFor(originals, [...options.hiddenAlways, options.tempRoot, ...hidden]);
  return {
    binds,
    masks: masks.map((mask) => ({ ...mask, source: findSource(mask.at, binds) })),
    mounts: mounts.flatMap(({ path, at }) => (at === null ? [] : [{ source: path, at }])),
    searchPath: searchPathFor(options.env.PATH ?? "", programRoots, shown, program),
    obstacle: findObstacle(folder, unreachable),
    inside,
  };
}

function findObstacle(folder: string, unreachable: string | undefined): string | null {
  if (folder === "/") return "the root folder cannot be a skill folder";
  if (unreachable === undefined) return null;
  return `the unprivileged sandbox user cannot access ${unreachable}`;
}

/** The file behind a path inside, which may be a copy of the original. */
function findSource(at: string, binds: readonly Bind[]): string {
  const bind = binds.findLast((candidate) => isInside(candidate.at, at));
  return bind === undefined ? at : join(bind.source, relative(bind.at, at));
}

/** The path of the program of a command on the machine, or null if it is not found. */
function hostProgram({ argv: [name], cwd, env }: SkillCommand, runner: NodeJS.ProcessEnv): string | null {
  return name.includes("/") ? resolve(cwd, name) : findProgram(name, { PATH: env.PATH ?? runner.PATH });
}

/** Only folders that exist inside, the program's own first. */
function searchPathFor(
  path: string,
  programRoots: readonly string[],
  shown: readonly string[],
  program: string | null,
): string {
  const isThere = (folder: string) =>
    isSystemPath(folder) || shown.some((path) => isInside(path, folder) || dirname(path) === folder);
  const own = program !== null && programRoots.length > 0 ? [dirname(program)] : [];
  const folders = [...own, ...path.split(delimiter), dirname(process.execPath), "/usr/bin", "/bin"];
  return [...new Set(folders)].filter((folder) => isAbsolute(folder) && isThere(folder)).join(delimiter);
}
