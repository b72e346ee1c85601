import { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { memberInJson } from "../../shared/json/position-in-json.ts";
import { detectKind } from "../../skills/folder/detect-kind.ts";
import type { JsonFile } from "../../skills/folder/json-file.ts";
import { renamed, withoutOldSpellings } from "../../skills/prompt-tool/old-spellings.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import { applyEdits, type Proposal, type TextEdit } from "./fixer.ts";

/** A manifest that can be fixed. */
interface FixableManifest {
  manifest: JsonFile;
  /** Its text without a byte order mark, which is put back by `whole`. */
  text: string;
  whole: (text: string) => string;
}

/** The manifest of a skill of this kind; null where there is none that can be read. */
async function readFixableManifest(
  folder: FixedFolder,
  kind: "unit" | "prompt-tool",
): Promise<FixableManifest | null> {
  const detection = await detectKind(folder, new Diagnostics("strict", folder.name));
  if (detection.kind !== kind || detection.manifest === null) return null;
  const { manifest } = detection;
  const written = folder.whole(manifest.file);
  if (written === null) return null;
  const bom = written.startsWith("\ufeff") ? "\ufeff" : "";
  return { manifest, text: written.slice(bom.length), whole: (text) => bom + text };
}

/** Gives a `skill.json` that says everything else a version and a name. */
export async function addManifestFields(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableManifest(folder, "unit");
  if (found === null || !isMap(found.manifest.value)) return null;
  const { value } = found.manifest;
  const { id } = value;
  let { text } = found;
  if (!Object.hasOwn(value, "name") && typeof id === "string") text = withMember(text, "id", "name", id);
  if (!Object.hasOwn(value, "version")) text = withMember(text, anchorIn(text), "version", "0.1.0");
  return text === found.text ? null : { file: found.manifest.file, text: found.whole(text) };
}

function anchorIn(text: string): string {
  const present = ["name", "id", "adapterType", "entrypoint"].find(
    (key) => memberInJson(text, [key]) !== null,
  );
  return present ?? "";
}

/** The text with a member inserted after another, in the same style. */
function withMember(text: string, behind: string, key: string, value: string): string {
  const anchor = memberInJson(text, [behind]);
  if (anchor === null) return text;
  const lineStart = text.lastIndexOf("\n", anchor.begin) + 1;
  const indent = text.slice(lineStart, anchor.begin);
  const lineEnd = text[lineStart - 2] === "\r" ? "\r\n" : "\n";
  const space = text[anchor.value - 1] === " " ? " " : "";
  const gap = lineStart > 0 && indent.trim() === "" ? lineEnd + indent : space;
  const member = `,${gap}${JSON.stringify(key)}:${space}${JSON.stringify(value)}`;
  return text.slice(0, anchor.end) + member + text.slice(anchor.end);
}

/** Writes a manifest as it is spelt today: keys by their names, lists as lists. */
export async function modernizeSpellings(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableManifest(folder, "prompt-tool");
  if (found === null || !isMap(found.manifest.value)) return null;
  const { manifest, text, whole } = found;
  const today = withoutOldSpellings(manifest, new Diagnostics("strict", folder.name));
  const edits = [...renamings(found.manifest.value, text), ...listings(found.manifest.value, today, text)];
  if (edits.length === 0) return null;
  return { file: manifest.file, text: whole(applyEdits(text, edits)) };
}

/** If both spellings are present, they may say different things. */
function renamings(value: Record<string, unknown>, text: string): TextEdit[] {
  return renamed.flatMap(({ parent, old, today }) => {
    const owner = parent === null ? value : value[parent];
    if (!isMap(owner) || !Object.hasOwn(owner, old) || Object.hasOwn(owner, today)) return [];
    const from = memberInJson(text, parent === null ? [old] : [parent, old])?.begin ?? 0;
    const written = JSON.stringify(old);
    return text.startsWith(written, from)
      ? [{ from, to: from + written.length, insert: JSON.stringify(today) }]
      : [];
  });
}

/** Edits for every text that is read as a list, at the root or one level below. */
function listings(value: Record<string, unknown>, today: Record<string, unknown>, text: string): TextEdit[] {
  const paths = Object.entries(value).flatMap(([key, member]) =>
    isMap(member) ? Object.keys(member).map((below) => [key, below]) : [[key]],
  );
  return paths.flatMap((steps) => {
    const list = at(today, steps);
    const member = memberInJson(text, steps);
    if (typeof at(value, steps) !== "string" || !Array.isArray(list) || member === null) return [];
    const insert = `[${list.map((item) => JSON.stringify(item)).join(", ")}]`;
    return [{ from: member.value, to: member.end, insert }];
  });
}

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((owner, step) => (isMap(owner) ? owner[step] : undefined), value);
}
