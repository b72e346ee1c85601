import { posix } from "node:path";
import { type FolderEntry, listInside, readInside } from "../../shared/files/guarded-file.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { truncationTag, visibleText } from "../../shared/text/visible-text.ts";
import { decodeText } from "../loader/guarded-text.ts";
import { notText } from "../loader/open-loader.ts";
import { makeExcerpt } from "../loader/truncate.ts";
import {
  absentReading,
  failedReading,
  type Hiding,
  hidesFromTool,
  refusedReading,
  type ToolLocation,
  type ToolReading,
  toolPathAudit,
} from "./tool-reading.ts";

/** The tool `read_file`: the beginning of a text file. */
export function readFileTool(location: ToolLocation, hiding: Hiding): ToolReading {
  const read = readInside(location.base, location.path, largestFile);
  if (hidesFromTool(location, hiding, read.path)) return absentReading(location);
  if (!read.ok) return refusedReading(location, read);
  const { bytes, path } = read;
  const whole = decodeText(bytes);
  if (whole === null) return failedReading(location, notText(location.path), path);
  const { text, truncated, chars } = makeExcerpt(whole);
  const cut = truncated ? `\n${truncationTag} ${text.length} of ${chars} characters are shown` : "";
  return {
    ok: true,
    text: `${text}${cut}`,
    whole: truncated ? bytes : undefined,
    facts: { bytes: bytes.length, sha256: sha256(bytes), chars_returned: text.length, truncated },
    path: toolPathAudit(location, path),
  };
}

const largestFile = 1_000_000;

/** The tool `list_dir`: the names in a folder, folders with a `/` at the end. */
export function listDirTool(location: ToolLocation, hiding: Hiding): ToolReading {
  const list = listInside(location.base, location.path, maxNames);
  if (hidesFromTool(location, hiding, list.path)) return absentReading(location);
  if (!list.ok) return refusedReading(location, list);
  const names: string[] = [];
  for (const entry of list.entries) {
    const name = shownName(entry, location, hiding);
    if (name !== null) names.push(name);
  }
  const shown = names.slice(0, maxEntries);
  const truncated = list.isCut || shown.length < names.length;
  const all = list.isCut ? `more than ${maxNames}` : names.length;
  const cut = truncated ? [`${truncationTag} ${shown.length} of ${all} names are shown`] : [];
  return {
    ok: true,
    text: names.length === 0 ? "(empty)" : [...shown, ...cut].join("\n"),
    facts: { entries: shown.length, truncated },
    path: toolPathAudit(location, list.path),
  };
}

const maxEntries = 500;
/** A folder may hold millions. */
const maxNames = 20_000;

/** Null for what is left out. A name with a line break in it must not pass for two. */
function shownName({ name, kind }: FolderEntry, location: ToolLocation, hiding: Hiding): string | null {
  if (name.startsWith(".")) return null;
  const path = posix.join(location.path, name);
  if (kind !== "link") {
    if (hidesFromTool(location, hiding, { requested: path, resolved: null, inside: true })) return null;
    return `${visibleText(name)}${kind === "folder" ? "/" : ""}`;
  }
  const target = locateInside(location.base, path, "folder");
  if (hidesFromTool(location, hiding, { ...target.path, inside: true })) return null;
  return `${visibleText(name)}${target.ok ? "/" : ""}`;
}
