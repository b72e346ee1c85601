import { mkdirSync, mkdtempSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { removeFolder } from "../../sandbox/work-folder.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { isInside, realPath, whereLinkLeads } from "../../shared/files/paths.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { UserError } from "../../shared/user-error.ts";
import { readPlainFile } from "../../skills/folder/plain-file.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { type FolderEntry, walkFolder } from "../../skills/folder/walk-folder.ts";
import type { AgentProject } from "./judges/agent-judge.ts";
import { readEvalFile } from "./queries/read-eval-file.ts";

/** A skill as an agent finds it in its project. */
interface InstalledSkill {
  /** The folder it is copied from. */
  dir: string;
  /** The folder it is copied to, below `.claude/skills/`; by default the name of its own folder. */
  name?: string | undefined;
}

export interface AgentProjectOptions {
  skills: readonly InstalledSkill[];
  /** Files and folders that contain the answers: query sets, gold labels, recordings, store and reports. */
  hidden: readonly string[];
}

/** Makes projects for agents: each is a folder of its own that holds copies of all skills, without what tests them. */
export function agentProject({
  skills,
  hidden,
}: AgentProjectOptions): (signal: AbortSignal) => Promise<AgentProject> {
  const named = installedOnce(skills);
  refuseUnfit(named);
  let installed: Promise<Source[]> | null = null;

  return async (signal) => {
    signal.throwIfAborted();
    installed ??= Promise.all(named.map((skill) => skillSource(skill, hidden)));
    const sources = await installed;
    const path = mkdtempSync(join(realPath(tmpdir()), "eval-skills-agent-"));
    const close = () => removeFolder(path);
    return openOrClose(close, async () => {
      for (const source of sources) {
        copySkill(source, join(path, ".claude", "skills", source.name));
        await setImmediate(); // many skills take a while: do not block other work
        signal.throwIfAborted();
      }
      return { path, [Symbol.asyncDispose]: close };
    });
  };
}

type Named = Required<InstalledSkill> & { name: string };

interface Source extends Named {
  hidden: readonly string[];
}

/** One folder may hold several skills, each by a manifest of its own. */
function installedOnce(skills: readonly InstalledSkill[]): Named[] {
  const named = skills.map(({ dir, name }) => ({ dir: resolve(dir), name: name ?? basename(resolve(dir)) }));
  return [...new Map(named.map((skill) => [JSON.stringify(skill), skill])).values()];
}

async function skillSource(skill: Named, hidden: readonly string[]): Promise<Source> {
  return { ...skill, hidden: [...hidden, ...(await importedSets(skill.dir))] };
}

function copySkill({ dir, hidden }: Source, to: string): void {
  const root = realPath(resolve(dir));
  for (const entry of walkFolder(dir, { ignore: [], exclude: hidden })) {
    if (!isEvalMaterial(entry.path)) copyEntry(entry, join(to, entry.path), root);
  }
}

function copyEntry({ kind, absolute, stats }: FolderEntry, to: string, root: string): void {
  if (kind === "folder") mkdirSync(to, { recursive: true });
  else if (kind === "file")
    writeFileSync(to, readPlainFile(absolute), { mode: Number(stats.mode & 0o777n) | 0o600 });
  else if (kind === "link") copyLink(absolute, to, root);
}

/** Copies only links within the skill; others would lead the agent outside its project. */
function copyLink(link: string, to: string, root: string): void {
  const target = readlinkSync(link);
  if (!isAbsolute(target) && isInside(root, whereLinkLeads(link))) symlinkSync(target, to);
}

function refuseUnfit(skills: readonly Named[]): void {
  const dirs = new Map<string, string>();
  for (const { dir, name } of skills) {
    if (name !== basename(name) || name === "." || name === ".." || name === "")
      throw new UserError("skill-invalid", `${JSON.stringify(name)} cannot be the name of a folder`, {
        path: dir,
      });
    const other = dirs.get(name.toLowerCase());
    if (other !== undefined)
      throw new UserError("skill-duplicate", `${dir} and ${other} would both be installed as ${name}`, {
        path: dir,
        hint: "choose other folders with --catalog <dirs...>",
      });
    dirs.set(name.toLowerCase(), dir);
  }
}

/** Whether a path of a skill would show an agent what it is tested with. */
function isEvalMaterial(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((name) => names.has(name) || endings.test(name));
}

/** Includes whole test folders: they are not needed to choose a skill. */
const names: ReadonlySet<string> = new Set(["eval.yaml", "eval.yml", "evals", "tests", ".eval.jsonl"]);
/** Task files, query sets with a common name, and recordings. */
const endings =
  /\.eval\.(?:json|ya?ml|jsonl)$|^trigger[-_.]?sets?(?![a-z]).{0,200}\.jsonl?$|^[0-9a-f]{64}\.json$/;

/** The files with queries that a skill's `eval.yaml` imports, absolute; empty where it cannot be read, which is reported elsewhere. */
async function importedSets(dir: string): Promise<string[]> {
  const folder = new SkillFolder(dir);
  const read = await readEvalFile((path) => folder.text(path), new Diagnostics("lenient", folder.name));
  const block = read?.value.triggering;
  const imports = isMap(block) && Array.isArray(block.import) ? block.import : [];
  return imports.filter((path) => typeof path === "string").map((path) => resolve(folder.dir, path));
}
