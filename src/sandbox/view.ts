import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { SkillCommand } from "../contract/sandbox.ts";
import { findProgram } from "../shared/files/find-program.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import type { EvalMaterial } from "./host/eval-material.ts";
import { type Bind, type Mask, masksFor } from "./host/masks.ts";
import { isSystemPath } from "./host/system-folders.ts";
import { isPersonal, ownProgramPaths, type ProgramPath, programPaths } from "./program-paths.ts";

/** What a skill process sees of the machine besides the system. */
export interface View {
  /** The real folder of the skill, and what it is called inside. */
  folder: string;
  at: string;
  /** Shown read-only. */
  binds: readonly Bind[];
  /** Shown empty. */
  masks: readonly Mask[];
  /** Further names of what is shown. */
  links: readonly { at: string; target: string }[];
  /** Paths that must be mounted before they can be shown: the user inside cannot reach them. */
  mounts: readonly Bind[];
  /** The folders its programs are looked for in. */
  searchPath: string;
  /** The program, or what it leads to, where nobody offers it to skills; else null. */
  hiddenProgram: string | null;
  /** Why the command cannot be started; else null. */
  obstacle: string | null;
  /** Translates a path of the machine to its path inside. */
  inside(path: string): string;
}

export interface ViewOptions {
  env: NodeJS.ProcessEnv;
  /** Paths that are hidden from skills, and from scorers too. */
  hidden: readonly string[];
  hiddenAlways: readonly string[];
  /** Real paths that the user grants every skill to read. */
  granted: readonly string[];
  /** What a folder holds that would tell a skill what is expected of it. */
  evalMaterial(folder: string, version?: string): EvalMaterial;
  /** What a folder holds of version control. */
  versionControl(folder: string): EvalMaterial;
  tempRoot: string;
  /** Whether the user of the sandbox can be shown this path. */
  canReach(path: string): boolean;
  /** A copy that can be shown, of what cannot be itself. */
  reachable(path: string, version?: string): string;
  /** Where a path can be mounted, or null when it cannot be. */
  mountPointFor(path: string): string | null;
}

/** The name of the skill's folder inside, which it always has. */
export const skillPath = "/skill";

export function viewFor(command: SkillCommand, options: ViewOptions): View {
  const folder = resolve(command.folder ?? command.cwd);
  const real = realPath(folder);
  const folders = [...new Set([folder, real])];
  const granted = options.granted.filter((path) => !isInside(real, path) && !isSystemPath(path));
  // Beside a granted folder it is where it is on the machine, so that paths like `../shared` lead there too.
  const at = granted.length === 0 ? skillPath : real;
  const isPrivate = (path: string) =>
    isPersonal(path) || isInside(path, folder) || isInside(path, options.tempRoot);

  const inside = (path: string): string => {
    if (!isAbsolute(path)) return path;
    const container = folders.find((candidate) => isInside(candidate, path));
    return container === undefined ? path : join(at, relative(container, path));
  };

  const program = hostProgram(command, options.env);
  const shown = [...folders, ...granted];
  const programContext = { env: options.env, shown, isPrivate };
  const { paths, hidden: hiddenItself } =
    program === null ? { paths: [], hidden: null } : programPaths(program, programContext);
  const started = command.starts === undefined ? null : programPaths(command.starts, programContext);
  const hiddenProgram = hiddenItself ?? started?.hidden ?? null;
  const environments = environmentPrograms(folder).flatMap(
    (path) => programPaths(path, programContext).paths,
  );
  const runner = ownProgramPaths(process.execPath, isPrivate).filter(({ path }) => options.canReach(path));
  const all = [...paths, ...(started?.paths ?? []), ...environments, ...runner];
  const programs = [...new Map(all.map((part) => [part.path, part])).values()].filter(
    ({ path }) => !shown.some((container) => isInside(container, path)),
  );
  const { binds: programBinds, mounts, unreachable } = showPrograms(programs, options);
  const reads = [...new Set((command.reads ?? []).flatMap((path) => [path, realPath(path)]))];
  const binds: Bind[] = [
    ...programBinds,
    ...granted.map((path) => ({ source: options.reachable(path), at: path })),
    ...reads.map((path) => ({ source: options.reachable(path, command.version), at: path })),
    { source: options.reachable(folder, command.version), at },
  ];
  const originals = binds.map((bind) => ({ source: bind.at === at ? real : bind.at, at: bind.at }));
  const material = [
    ...[real, ...granted].map((path) => ({
      path,
      ...(command.seesEvalMaterial
        ? options.versionControl(path)
        : options.evalMaterial(path, command.version)),
    })),
    ...(command.reads ?? []).map((path) => ({ path, ...options.versionControl(realPath(path)) })),
  ];
  const hidden = [
    ...material.flatMap(({ paths }) => paths),
    ...(command.seesEvalMaterial ? [] : options.hidden),
  ];
  const masks = masksFor(
    originals,
    // What holds the skill itself cannot be hidden from it.
    [...options.hiddenAlways, options.tempRoot, ...hidden].filter((path) => !isInside(realPath(path), real)),
  );
  return {
    ...{ folder: real, at },
    binds,
    masks: masks.map((mask) => ({ ...mask, source: findSource(mask.at, binds, mounts) })),
    links: at === skillPath || isInside(skillPath, at) ? [] : [{ at: skillPath, target: at }],
    mounts,
    searchPath: searchPathFor(options.env.PATH ?? "", programs, paths.length > 0 ? program : null),
    hiddenProgram,
    obstacle:
      tooMuch(material.find(({ isTooLarge }) => isTooLarge)?.path, masks.length) ??
      findObstacle(folder, hiddenProgram, unreachable),
    inside,
  };
}

/** Each mask takes three arguments, and bubblewrap accepts 9000 in all. */
const maxMasks = 2000;

function tooMuch(folder: string | undefined, masks: number): string | null {
  if (folder !== undefined) return `${folder} has too many files to look for what must be hidden`;
  return masks > maxMasks ? `${masks} files and folders would have to be hidden, limit ${maxMasks}` : null;
}

function findObstacle(folder: string, hidden: string | null, unreachable: string | undefined): string | null {
  if (folder === "/") return "the root folder cannot be a skill folder";
  if (hidden !== null) return `the sandbox does not show ${hidden}`;
  if (unreachable === undefined) return null;
  return `the unprivileged sandbox user cannot access ${unreachable}`;
}

/** Programs at their own paths. One that the user of the sandbox cannot reach is mounted first, with its whole installation. */
function showPrograms(
  programs: readonly ProgramPath[],
  { canReach, mountPointFor }: ViewOptions,
): { binds: Bind[]; mounts: Bind[]; unreachable: string | undefined } {
  const mounts = new Map<string, Bind>();
  const binds = programs.flatMap(({ path, installation }): Bind[] => {
    if (canReach(path)) return [{ source: path, at: path }];
    const at = mounts.get(installation)?.at ?? mountPointFor(installation);
    if (at === null) return [];
    mounts.set(installation, { source: installation, at });
    return [{ source: join(at, relative(installation, path)), at: path }];
  });
  const bound = new Set(binds.map(({ at }) => at));
  return {
    binds,
    mounts: [...mounts.values()],
    unreachable: programs.find(({ path }) => !bound.has(path))?.path,
  };
}

/** The file behind a path inside, which may be a copy of the original. */
function findSource(at: string, binds: readonly Bind[], mounts: readonly Bind[]): string {
  const bind = binds.findLast((candidate) => isInside(candidate.at, at));
  // What is mounted for the start alone is not there yet.
  if (bind === undefined || mounts.some((mount) => isInside(mount.at, bind.source))) return at;
  return join(bind.source, relative(bind.at, at));
}

/** The interpreters of virtual environments in the folder of a skill: a script of it may start them. */
function environmentPrograms(folder: string): string[] {
  return [".venv", "venv"]
    .map((name) => join(folder, name))
    .filter((environment) => existsSync(join(environment, "pyvenv.cfg")))
    .map((environment) => join(environment, "bin/python"));
}

/** The path of the program of a command on the machine, or null if it is not found. */
function hostProgram({ argv: [name], cwd, env }: SkillCommand, runner: NodeJS.ProcessEnv): string | null {
  return name.includes("/") ? resolve(cwd, name) : findProgram(name, { PATH: env.PATH ?? runner.PATH });
}

/** Only folders that exist inside, that of a program outside the system first. */
function searchPathFor(path: string, programs: readonly ProgramPath[], program: string | null): string {
  const isThere = (folder: string) =>
    isSystemPath(folder) ||
    programs.some((shown) => isInside(shown.path, folder) || dirname(shown.path) === folder);
  const own = program === null ? [] : [dirname(program)];
  const folders = [...own, ...path.split(delimiter), dirname(process.execPath), "/usr/bin", "/bin"];
  return [...new Set(folders)].filter((folder) => isAbsolute(folder) && isThere(folder)).join(delimiter);
}
