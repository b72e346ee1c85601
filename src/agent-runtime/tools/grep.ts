import { posix } from "node:path";
import type { AgentError } from "../../contract/agent-error.ts";
import { listInside, readInside } from "../../shared/files/guarded-file.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import { type LineHit, matchLimitMs, matchLinesInThread } from "../../shared/json/match-in-thread.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { shorten, shownText, truncationTag, visibleText } from "../../shared/text/visible-text.ts";
import { decodeText } from "../loader/guarded-text.ts";
import {
  absentReading,
  failedReading,
  type Hiding,
  hidesFromTool,
  refusedReading,
  type ToolLocation,
  type ToolReading,
  toolPath,
  toolPathAudit,
} from "./tool-reading.ts";

interface GrepRequest {
  pattern: string;
  mode: "content" | "files";
}

/** The tool `grep`: lines that match an expression, or the files that have one, in a file or in all files of a folder. */
export async function grepTool(
  location: ToolLocation,
  { pattern, mode }: GrepRequest,
  hiding: Hiding,
): Promise<ToolReading> {
  const found = whatToSearch(location);
  if (hidesFromTool(location, hiding, found.path)) return absentReading(location);
  if (!found.ok) return refusedReading(location, found);
  const flags = flagsFor(pattern);
  if (flags === null) return failedReading(location, badPattern(pattern), found.path, false);

  const files =
    found.kind === "file"
      ? { paths: [found.path.resolved ?? location.path], isCut: false }
      : findFiles(location, found.path.resolved ?? ".", hiding);
  const read = readTexts(location, files.paths);
  const oncePerText = mode === "files";
  const search =
    read.texts.length === 0
      ? { status: "searched" as const, hits: [] }
      : await matchLinesInThread({ pattern, flags, texts: read.texts, maxHits: maxHits + 1, oncePerText });
  if (search.status === "overran") return failedReading(location, overran(pattern), found.path);
  if (search.status === "broken") return failedReading(location, badPattern(pattern), found.path);

  const hits = search.hits.slice(0, maxHits);
  const isCut = files.isCut || read.isCut;
  const truncated = hits.length < search.hits.length || isCut;
  const lines = shownHits(location, hits, read, mode);
  if (hits.length < search.hits.length) lines.push(`${truncationTag} there are more than ${maxHits} hits`);
  if (isCut) lines.push(`${truncationTag} there are more files than were searched`);
  return {
    ok: true,
    text: lines.length === 0 ? "no match" : lines.join("\n"),
    facts: { hits: hits.length, files: read.texts.length, skipped: read.skipped, truncated },
    path: toolPathAudit(location, found.path),
  };
}

const maxHits = 200;
const maxLineLength = 300;
const largestFile = 1_000_000;
const maxBytes = 20_000_000;

function whatToSearch({ base, path }: ToolLocation): ReturnType<typeof locateInside> {
  const folder = locateInside(base, path, "folder");
  return !folder.ok && folder.reason === "not_a_folder" ? locateInside(base, path, "file") : folder;
}

/** The flags of an expression: with `u` where it allows that, which many do not. Null: it is not a valid expression. */
function flagsFor(pattern: string): "u" | "" | null {
  for (const flags of ["u", ""] as const) {
    try {
      new RegExp(pattern, flags);
      return flags;
    } catch {
      // the other way of reading is tried
    }
  }
  return null;
}

interface ReadTexts {
  /** Of each text. */
  paths: string[];
  texts: string[];
  /** Not text, too large, or not a plain file. */
  skipped: number;
  isCut: boolean;
}

function readTexts({ base }: ToolLocation, paths: readonly string[]): ReadTexts {
  const read: ReadTexts = { paths: [], texts: [], skipped: 0, isCut: false };
  let total = 0;
  for (const path of paths) {
    const file = readInside(base, path, largestFile);
    const text = file.ok ? decodeText(file.bytes) : null;
    if (text === null) {
      read.skipped++;
      continue;
    }
    total += text.length;
    if (total > maxBytes) return { ...read, isCut: true };
    read.paths.push(path);
    read.texts.push(text);
  }
  return read;
}

function shownHits(
  location: ToolLocation,
  hits: readonly LineHit[],
  { paths, texts }: ReadTexts,
  mode: GrepRequest["mode"],
): string[] {
  let split: { of: number; lines: string[] } = { of: -1, lines: [] };
  return hits.map(([of, line]) => {
    const path = visibleText(toolPath(location, paths[of] ?? ""));
    if (mode === "files") return path;
    if (split.of !== of) split = { of, lines: (texts[of] ?? "").split(/\r?\n/) };
    return `${path}:${line + 1}: ${shorten(split.lines[line] ?? "", maxLineLength)}`;
  });
}

function badPattern(pattern: string): AgentError {
  return {
    code: "InvalidAction",
    reason: "bad_pattern",
    message: `${shownText(pattern)} is no regular expression that can be used`,
  };
}

function overran(pattern: string): AgentError {
  return { code: "Timeout", message: `${shownText(pattern)} ran longer than ${matchLimitMs} ms` };
}

/** The files below a folder, by code units of their paths. Links are not followed, dot names and what is hidden left out. */
function findFiles(
  location: ToolLocation,
  folder: string,
  hiding: Hiding,
): { paths: string[]; isCut: boolean } {
  const paths: string[] = [];
  const folders = [{ path: folder, depth: 0 }];
  let namesLeft = maxNames;
  let isCut = false;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const list = listInside(location.base, next.path, namesLeft);
    if (!list.ok) continue; // gone meanwhile, or not ours to read
    namesLeft -= list.entries.length;
    isCut ||= list.isCut;
    const below: typeof folders = [];
    for (const { name, kind } of list.entries) {
      const path = posix.join(next.path, name);
      const isLeftOut =
        name.startsWith(".") ||
        hidesFromTool(location, hiding, { requested: path, resolved: null, inside: true });
      if (isLeftOut) continue;
      if (kind === "file") paths.push(path);
      else if (kind === "folder") below.push({ path, depth: next.depth + 1 });
      if (paths.length > maxFiles) return { paths: paths.slice(0, maxFiles).sort(inOrder), isCut: true };
    }
    if (next.depth < maxDepth) folders.push(...below.reverse());
    else isCut ||= below.length > 0;
  }
  return { paths: paths.sort(inOrder), isCut };
}

const maxFiles = 2000;
const maxNames = 20_000;
const maxDepth = 32;
