import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { lexicalProblem } from "../shared/files/path-guard.ts";
import { shownText } from "../shared/text/visible-text.ts";
import { UserError } from "../shared/user-error.ts";
import { digestFiles } from "../skills/folder/digest.ts";

/** What an archive of a skill holds. */
export interface UnpackedSkill {
  /** Path → bytes, in code-unit order of path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** As of a folder with these files. */
  digest: string;
}

const maxFiles = 10_000;
const maxFolders = 64;
const maxArchiveBytes = 64 * 1024 * 1024;
const maxContentBytes = 256 * 1024 * 1024;

/** Reads a `.zip` whose skill lies at its top, or in the one folder there. Nothing in it can lead out of the folder it is unpacked to. */
export async function unpackSkill(path: string): Promise<UnpackedSkill> {
  const refuse = (what: string) => new UserError("case-invalid", `${path} ${what}`, { path });
  if (statSync(path).size > maxArchiveBytes) throw refuse("is larger than 64 MiB");
  const { default: Zip } = await import("jszip");
  const archive = await Zip.loadAsync(readFileSync(path)).catch((error: Error) => {
    throw refuse(`is not a readable archive: ${error.message}`);
  });
  const entries = Object.values(archive.files).filter((entry) => !entry.dir);
  if (entries.length > maxFiles) throw refuse(`contains more than ${maxFiles} files`);
  const top = commonFolder(entries.map((entry) => entry.unsafeOriginalName ?? entry.name));
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for (const entry of entries) {
    const whole = entry.unsafeOriginalName ?? entry.name;
    const problem = lexicalProblem(whole);
    if (problem !== null) throw refuse(`contains ${shownText(JSON.stringify(whole), 120)}, which ${problem}`);
    if (whole.split("/").length > maxFolders) throw refuse(`has folders deeper than ${maxFolders} levels`);
    const name = whole.slice(top.length);
    if (isLink(entry.unixPermissions)) throw refuse(`contains ${JSON.stringify(name)}, which is a link`);
    const chunks: Buffer[] = [];
    // Counted as it comes: a small archive may say that it holds little and unpack to more than fits.
    try {
      for await (const chunk of new Readable().wrap(entry.nodeStream()) as AsyncIterable<Buffer>) {
        total += chunk.length;
        if (total > maxContentBytes) throw refuse("contains more than 256 MiB");
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw refuse(`contains ${JSON.stringify(name)}, which cannot be unpacked: ${(error as Error).message}`);
    }
    files.set(name, Buffer.concat(chunks));
  }
  if (files.size === 0) throw refuse("contains no file");
  const both = [...files.keys()].find((name) => parentFolders(name).some((folder) => files.has(folder)));
  if (both !== undefined)
    throw refuse(`contains ${JSON.stringify(both)} and also a file with the name of its folder`);
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const hashed = [...sorted].map(([name, bytes]) => ({
    path: name,
    bytes: bytes.length,
    sha256: hash("sha256", bytes, "hex"),
  }));
  return { files: sorted, digest: digestFiles(hashed).digest };
}

/** `pdf/` where everything lies in that folder and a skill is not at the top; else nothing. */
function commonFolder(names: readonly string[]): string {
  const first = names[0]?.split("/") ?? [];
  if (first.length < 2) return "";
  const top = `${first[0]}/`;
  return names.every((name) => name.startsWith(top)) ? top : "";
}

/** `a` and `a/b` for `a/b/c`. */
function parentFolders(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join("/"));
}

function isLink(mode: number | string | null): boolean {
  return typeof mode === "number" && (mode & 0o170000) === 0o120000;
}
