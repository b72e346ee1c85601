import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInside, realPath, whereLinkLeads } from "../shared/files/paths.ts";
import { plainFileFlags } from "../skills/folder/plain-file.ts";
import { auditedFile, headBytes, longestText } from "./audited-file.ts";
import { isHarmlessMedia } from "./binary-format.ts";
import { isSetAside } from "./file-locations.ts";
import { isDocx, readDocument } from "./read-document.ts";
import type { AuditedFile, AuditedSkill } from "./rule.ts";

interface AuditCaps {
  entries: number;
  textBytes: number;
  /** Word documents: each is read by a thread of its own. */
  documents: number;
}

/** A skill within these fits into memory with all its lines. */
const maxPerSkill: AuditCaps = { entries: 10_000, textBytes: 64 * 1024 * 1024, documents: 32 };

interface FolderContent {
  files: AuditedFile[];
  specials: AuditedSkill["specials"][number][];
  unexamined: AuditedSkill["unexamined"][number][];
}

/**
 * Reads every file of a folder: dot-files, tests and, last, dependencies. Follows no link, waits for no pipe, and what
 * cannot be read or is beyond the caps is named rather than left out in silence.
 */
export async function readSkillFolder(folder: string, caps = maxPerSkill): Promise<FolderContent> {
  const root = realPath(folder);
  const content: FolderContent = { files: [], specials: [], unexamined: [] };
  let documents = 0;
  let bytesLeft = caps.textBytes;
  let entries = 0;
  for (const path of listPaths(root, content)) {
    if (++entries > caps.entries || bytesLeft < 0) {
      const limit = bytesLeft < 0 ? `${caps.textBytes / 1024 / 1024} MiB of text` : `${caps.entries} files`;
      content.unexamined.push({ path: ".", reason: `more than ${limit}: the rest was not scanned` });
      break;
    }
    const read = readEntry(root, path, content);
    if (read !== null) {
      const isRead = isDocx(read.file) && ++documents <= caps.documents;
      const { file, reason } = isRead
        ? await readDocument(read.file, read.bytes)
        : { file: read.file, reason: whyUnexamined(read.file) };
      content.files.push(file);
      if (reason !== null) content.unexamined.push({ path, reason });
      if (file.text !== null) bytesLeft -= file.bytes;
    }
    if (entries % 64 === 0) await setImmediate(); // so that an interrupt is handled in a large folder too
  }
  content.files.sort(byPath);
  content.specials.sort(byPath);
  return content;
}

/** What lies in a folder and below it, the nearest first; what others made and put there comes last. */
function* listPaths(root: string, { unexamined }: FolderContent): Generator<string> {
  const folders = [""];
  const setAside: string[] = [];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift() ?? setAside.shift()) {
    let entries: { name: string; isDirectory(): boolean }[] = [];
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      unexamined.push({ path: folder === "" ? "." : folder, reason: errorReason(error) });
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isGitStore(path)) continue;
      yield path;
      if (entry.isDirectory()) (isSetAside(path) ? setAside : folders).push(path);
    }
  }
}

/** What git keeps for itself; its hooks and its configuration, which make it run programs, are looked at. */
function isGitStore(path: string): boolean {
  const inside = /(?:^|\/)\.git\/(.*)$/.exec(path)?.[1];
  return inside !== undefined && !/^(?:hooks|config|info)(?:\/|$)/.test(inside);
}

interface ReadFile {
  file: AuditedFile;
  /** What was read of it. */
  bytes: Uint8Array;
}

/** Reads one entry; null for what is not a file that can be read. */
function readEntry(root: string, path: string, content: FolderContent): ReadFile | null {
  const absolute = join(root, path);
  try {
    const stats = lstatSync(absolute);
    if (stats.isFile()) return readFile(absolute, path);
    if (!stats.isDirectory()) content.specials.push(describeSpecial(root, path, stats));
  } catch (error) {
    content.unexamined.push({ path, reason: errorReason(error) });
  }
  return null;
}

/** All of a file that may be text, and only the head of what is too large for one. */
function readFile(absolute: string, path: string): ReadFile {
  const file = openSync(absolute, plainFileFlags);
  try {
    const { size, mode } = fstatSync(file);
    const content = Buffer.alloc(size > longestText ? headBytes : size);
    let length = 0;
    while (length < content.length) {
      const read = readSync(file, content, length, content.length - length, length);
      if (read === 0) break; // it became shorter meanwhile
      length += read;
    }
    const bytes = content.subarray(0, length);
    return { file: auditedFile(path, bytes, mode, size), bytes };
  } finally {
    closeSync(file);
  }
}

function whyUnexamined(file: AuditedFile): string | null {
  if (file.isDamaged) return "contains bytes that are not text; the rest was scanned";
  if (file.text !== null || isHarmlessMedia(file)) return null;
  if (file.bytes > longestText) return `larger than ${longestText / 1024 / 1024} MiB`;
  return "neither text nor a supported format";
}

function describeSpecial(root: string, path: string, stats: Stats): AuditedSkill["specials"][number] {
  const absolute = join(root, path);
  if (stats.isSymbolicLink()) {
    const leaves = !isInside(root, whereLinkLeads(absolute));
    return { path, what: "link", target: readlinkSync(absolute), leaves };
  }
  const what = stats.isFIFO() ? "fifo" : stats.isSocket() ? "socket" : "device";
  return { path, what, target: null, leaves: false };
}

function errorReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `cannot be read (${code})`;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}
