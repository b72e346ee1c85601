import { mkdirSync, mkdtempSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import type { EventData } from "../contract/agent-event.ts";
import type { LoadedAgentCase } from "../contract/loaded-case.ts";
import type { SkillRoot } from "../engine/skills/skill-root-folders.ts";
import { removeFolder } from "../sandbox/work-folder.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { realPath } from "../shared/files/paths.ts";
import { UserError } from "../shared/user-error.ts";
import { digestFolder } from "../skills/folder/digest.ts";
import { readPlainFile } from "../skills/folder/plain-file.ts";
import { type FolderEntry, walkFolder } from "../skills/folder/walk-folder.ts";
import { unpackSkill } from "./unpack-skill.ts";

/** Skills that were installed for one cell alone; gone when it is disposed of. */
export interface PreinstalledSkills extends AsyncDisposable {
  roots: SkillRoot[];
  /** What was installed, and whether it is byte for byte what was distributed. */
  installed: EventData<"skills_indexed">["preinstalled"];
}

const nothing: PreinstalledSkills = {
  roots: [],
  installed: [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Copies skills into a private root, each a folder or a `.zip`. */
export async function preinstallSkills(wanted: LoadedAgentCase["preinstall"]): Promise<PreinstalledSkills> {
  if (wanted.length === 0) return nothing;
  const root = mkdtempSync(join(realPath(tmpdir()), "eval-skills-installed-"));
  const close = () => removeFolder(root);
  return openOrClose(close, async () => {
    const roots: SkillRoot[] = [];
    const installed: PreinstalledSkills["installed"] = [];
    for (const [n, { path, source }] of wanted.entries()) {
      // A root each: two of one name are then a conflict that is reported, and none overwrites the other.
      const dir = join(root, String(n), skillName(path));
      mkdirSync(dirname(dir), { recursive: true });
      const origin_digest = await install(path, dir);
      const { digest } = await digestFolder(dir, wholeFolder);
      installed.push({ name: basename(dir), digest, origin_digest });
      roots.push({ source, path: dir });
    }
    return { roots, installed, [Symbol.asyncDispose]: close };
  });
}

const wholeFolder = { ignore: [], exclude: [] };

/** The digest of what is installed: of the folder it is copied from, or of what the archive holds. */
export async function originDigest(path: string): Promise<string> {
  if (!isArchive(path)) return (await digestFolder(path, wholeFolder)).digest;
  return (await unpackSkill(path)).digest;
}

async function install(path: string, dir: string): Promise<string> {
  if (!isArchive(path)) {
    for (const entry of walkFolder(path, wholeFolder)) copyEntry(entry, join(dir, entry.path));
    return originDigest(path);
  }
  const { files, digest } = await unpackSkill(path);
  for (const [name, bytes] of files) {
    const to = join(dir, name);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
  return digest;
}

function copyEntry({ kind, absolute, stats }: FolderEntry, to: string): void {
  if (kind === "folder") mkdirSync(to, { recursive: true });
  else if (kind === "file")
    writeFileSync(to, readPlainFile(absolute), { mode: Number(stats.mode & 0o777n) | 0o600 });
  else if (kind === "link") symlinkSync(readlinkSync(absolute), to);
  else
    throw new UserError("case-invalid", `${absolute} is not a regular file, folder or link`, {
      path: absolute,
    });
}

function isArchive(path: string): boolean {
  return extname(path).toLowerCase() === ".zip";
}

function skillName(path: string): string {
  return isArchive(path) ? basename(path, extname(path)) : basename(path);
}
