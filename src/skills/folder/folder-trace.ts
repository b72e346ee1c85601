import { readlinkSync } from "node:fs";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { digestFile } from "./digest.ts";
import { type FolderEntry, readable, walkFolder } from "./walk-folder.ts";

/** Everything that lies in a folder: path → what it holds. */
export type FolderTrace = ReadonlyMap<string, string>;

export interface FolderChange {
  /** Relative to the folder, `/`-separated. */
  path: string;
  change: "added" | "changed" | "removed";
}

/** Records what is in a folder, including what is not part of the skill, or says why that cannot be done. */
export async function traceFolder(
  dir: string,
  exclude: readonly string[],
): Promise<{ ok: true; trace: FolderTrace } | { ok: false; problem: string }> {
  const trace = new Map<string, string>();
  const problems: string[] = [];
  const onProblem = (path: string, problem: string) => {
    // A problem with the folder itself, such as a cap, affects all of it.
    if (path === "") problems.push(problem);
    else trace.set(path, "unreadable");
  };
  for (const entry of walkFolder(dir, { ignore: [], exclude, isWhole: true, onProblem }))
    trace.set(entry.path, await readContent(entry));
  const [problem] = problems;
  return problem === undefined ? { ok: true, trace } : { ok: false, problem };
}

async function readContent(entry: FolderEntry): Promise<string> {
  const { kind, absolute } = entry;
  try {
    if (kind === "link") return `link ${readable(absolute, () => readlinkSync(absolute))}`;
    return kind === "file" ? `file ${(await digestFile(entry)).sha256}` : kind;
  } catch (error) {
    if (error instanceof UserError) return "unreadable";
    throw error;
  }
}

/** What changed, in order of path. */
export function changesSince(before: FolderTrace, after: FolderTrace): FolderChange[] {
  const changes: FolderChange[] = [];
  for (const [path, content] of after) {
    const was = before.get(path);
    if (was !== content) changes.push({ path, change: was === undefined ? "added" : "changed" });
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, change: "removed" });
  return changes.sort((a, b) => inOrder(a.path, b.path));
}
