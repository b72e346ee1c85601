import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { projectFileNames } from "../../config/config-files.ts";
import { isInside, nearPath } from "../../shared/files/paths.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { isFolder } from "../../skills/discover/scan-folders.ts";
import type { Material } from "./discover-material.ts";
import type { FileChange, FileChanges } from "./file-changes.ts";
import { openGitChanges } from "./git-changes.ts";
import { followMentions, type MentionedFiles } from "./mentioned-files.ts";

/** Something with tests, of which a file is not what it was at a git ref. */
export interface Affected {
  kind: "skill" | "suite" | "bench";
  name: string;
  /** Counted from the folder of the project. */
  path: string;
  /** `skills/weather/run.py changed since main`. */
  why: string;
}

/** What changed about it: a file of its own, the configuration, or something outside that it rests on. */
type Reach = "own" | "configuration" | "outside";
type Reason = { why: string; reach: Reach };

/** Which part of the material runs, as it is stored with a run: what changes later does not change the plan. */
export interface Since {
  ref: string;
  /** Null until the files were compared. */
  affected: readonly Affected[] | null;
}

/** Nothing of what changed has a test that was chosen: there is nothing to run, and nothing is wrong. */
export class NothingAffected extends Error {
  readonly ref: string;
  /** What changed all the same. */
  readonly affected: readonly Affected[];
  /** The skills among it that nothing tests, and how many there are. */
  readonly skills: { total: number; untested: readonly string[] };

  constructor(since: Since, skills: NothingAffected["skills"] = { total: 0, untested: [] }) {
    super(`nothing to test since ${since.ref}`);
    this.ref = since.ref;
    this.affected = since.affected ?? [];
    this.skills = skills;
  }
}

export interface AffectedRequest {
  since: Since;
  paths: readonly string[];
  cwd: string;
  projectRoot: string;
  /** The configuration that was read, where it has another name than usual. */
  configFile: string | null;
}

export interface AffectedContext {
  env: NodeJS.ProcessEnv;
  /** Files that runs write. */
  exclude: readonly string[];
}

/** The material of which something changed, with the reasons. */
export async function affectedMaterial(
  material: Material,
  request: AffectedRequest,
  context: AffectedContext,
): Promise<{ material: Material; since: Since }> {
  const { since, cwd, projectRoot } = request;
  const affected = since.affected ?? (await affectedSince(material, { ...request, ref: since.ref }, context));
  const isAffected = (kinds: readonly Affected["kind"][]) => {
    const wanted = affected.filter(({ kind }) => kinds.includes(kind));
    const paths = new Set(wanted.map(({ path }) => resolve(projectRoot, path)));
    return (path: string) => paths.has(path);
  };
  const isSkill = isAffected(["skill"]);
  const left = {
    ...material,
    skills: material.skills.filter(({ dir }) => isSkill(dir)),
    folders: material.folders.filter(({ dir }) => isSkill(dir)),
    notLoaded: material.notLoaded.filter(({ path }) => isSkill(resolve(cwd, path))),
    suites: material.suites.filter(isAffected(["suite"])),
    benches: material.benches.filter(isAffected(["bench"])),
  };
  const settled = { ref: since.ref, affected };
  if (affected.length === 0) throw new NothingAffected(settled);
  const note = `--changed ${since.ref}: ${pluralize(left.skills.length, "skill")} of ${material.skills.length} affected; only tests of what changed run`;
  return { material: { ...left, warnings: [...material.warnings, note] }, since: settled };
}

async function affectedSince(
  material: Material,
  { ref, paths, ...request }: Omit<AffectedRequest, "since"> & { ref: string },
  { env, exclude }: AffectedContext,
): Promise<Affected[]> {
  const start = resolve(request.cwd, paths[0] ?? request.projectRoot);
  const changes = await openGitChanges(ref, { cwd: isFolder(start) ? start : dirname(start), env });
  const found = findAffected(material, { ...request, changes, exclude, when: ` since ${ref}` });
  return found.map(({ reach: _, ...affected }) => affected);
}

export interface FoundAffected extends Affected {
  reach: Reach;
}

/** What of the material rests on files that changed. */
export function findAffected(
  { skills, notLoaded, suites, benches }: Material,
  {
    projectRoot,
    configFile,
    ...given
  }: Pick<AffectedRequest, "cwd" | "projectRoot" | "configFile"> & Omit<Look, "mentions">,
): FoundAffected[] {
  const { cwd, changes } = given;
  const look = { ...given, mentions: followMentions(changes) };
  const ofProject = [...projectFileNames, ...dependencyFiles].map((name) => join(projectRoot, name));
  const configuration = [...ofProject, configFile ?? []].flat();
  const configured = configuration.map((file) => ownChange(file, look)).find((why) => why !== null) ?? null;
  const ofAll: Reason | null = configured === null ? null : { why: configured, reach: "configuration" };
  const reason = (path: string, more: () => Reason | null = () => null) =>
    ofAll ?? whyAffected(path, look) ?? more();
  const affected: FoundAffected[] = [];
  const add = (kind: Affected["kind"], name: string, path: string, why: Reason | null) => {
    if (why !== null) affected.push({ kind, name, path: relative(projectRoot, path), ...why });
  };
  for (const { id, dir } of skills) add("skill", id, dir, reason(dir));
  for (const { path } of notLoaded) {
    const dir = resolve(cwd, path);
    add("skill", basename(dir), dir, reason(dir));
  }
  const changed = affected.map(({ name }) => name);
  const names = (path: string) => () => namedSkill(changes.files(path), changed);
  for (const path of suites) add("suite", nearPath(path, cwd), path, reason(path, names(path)));
  for (const path of benches) add("bench", nearPath(path, cwd), path, reason(path, names(path)));
  return affected;
}

/** What is installed for all of a project, or runs all of it: where one of these changes, any skill may have. */
const dependencyFiles: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
  ...["requirements.txt", "pyproject.toml", "uv.lock", "poetry.lock", "Pipfile", "Pipfile.lock"],
  ...[".nvmrc", ".node-version", ".python-version", ".tool-versions"],
];

interface Look {
  changes: FileChanges;
  mentions: MentionedFiles;
  /** What is said after a change: ` since main`. */
  when: string;
  cwd: string;
  /** Files that runs write. */
  exclude: readonly string[];
}

function whyAffected(path: string, look: Look): Reason | null {
  const files = look.changes.files(path);
  if (files.length === 0) return { why: "git does not know its files", reach: "own" };
  const own = ownChange(path, look);
  if (own !== null) return { why: own, reach: "own" };
  const beyond = look.mentions.changedBeyond(path, files);
  return beyond === null ? null : { why: changeWords(beyond, look), reach: "outside" };
}

function ownChange(path: string, look: Look): string | null {
  const changed = [...look.changes.below(path)].filter(
    (change) => !look.exclude.some((folder) => isInside(folder, change.path)),
  );
  const [first, ...others] = changed;
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : `, and ${pluralize(others.length, "more file")}`;
  return `${changeWords(first, look)}${more}`;
}

function changeWords({ path, how }: FileChange, { when, cwd }: Pick<Look, "when" | "cwd">): string {
  const verb = { changed: "changed", new: "added", deleted: "deleted" }[how];
  return `${nearPath(path, cwd)} ${verb}${when}`;
}

/** What tests the project may be about one of its skills. */
function namedSkill(files: readonly string[], changed: readonly string[]): Reason | null {
  const text = files.map(readText).join("\n");
  const words = new Set(text.match(/[\p{L}\p{N}_.@/-]+/gu));
  const name = changed.find((one) => words.has(one));
  return name === undefined ? null : { why: `it names ${name}, which changed`, reach: "outside" };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // deleted since
  }
}
