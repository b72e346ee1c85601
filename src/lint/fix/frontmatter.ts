import { isDeepStrictEqual } from "node:util";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { splitInstructions } from "../../skills/agent-skill/read-frontmatter.ts";
import { detectKind } from "../../skills/folder/detect-kind.ts";
import { instructionsName } from "../../skills/folder/skill-files.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import { applyEdits, type TextEdit } from "./fixer.ts";
import { type WrittenField, writtenFields } from "./written-fields.ts";

/** A `SKILL.md` that can be fixed. */
interface FixableInstructions {
  file: string;
  /** The whole text, byte order mark included. */
  text: string;
}

/** The `SKILL.md` whose frontmatter counts; beside a prompt with tools it is only a prompt. */
export async function readInstructions(folder: FixedFolder): Promise<FixableInstructions | null> {
  if (!folder.has(instructionsName)) return null;
  const { kind } = await detectKind(folder, new Diagnostics("strict", folder.name));
  if (kind !== "agent-skill" && kind !== "unit") return null;
  const text = folder.whole(instructionsName);
  return text === null ? null : { file: instructionsName, text };
}

/** The frontmatter of a `SKILL.md` as it is on disk, to be edited without touching anything else. */
interface RawFrontmatter {
  /** The lines between the two `---`, with `\n` as their only line end. */
  block: string;
  /** The whole text with pieces of the block replaced; positions are those of the block. */
  edited: (edits: readonly TextEdit[]) => string;
}

/** Finds the frontmatter in the text of a file, byte order mark and all; null where there is none. */
export function rawFrontmatter(text: string): RawFrontmatter | null {
  const bomLength = text.startsWith("\ufeff") ? 1 : 0;
  const split = splitInstructions(text.slice(bomLength));
  if (split === null) return null;
  const start = bomLength + split.from;
  const lineEnd = text[start - 2] === "\r" ? "\r\n" : "\n";
  const toWritten = positionsIn(text.slice(start, bomLength + split.to));
  const edited = (edits: readonly TextEdit[]) =>
    applyEdits(
      text,
      edits.map(({ from, to, insert }) => ({
        from: start + toWritten(from),
        to: start + toWritten(to),
        insert: insert.replaceAll("\n", lineEnd),
      })),
    );
  return { block: split.block, edited };
}

/** Where a position of the text with plain line ends lies in the text as it was written. */
function positionsIn(written: string): (position: number) => number {
  if (!written.includes("\r\n")) return (position) => position;
  const offsets: number[] = []; // for each position of the plain text, its offset in the written text
  for (let at = 0; at < written.length; at++) {
    offsets.push(at);
    if (written[at] === "\r" && written[at + 1] === "\n") at++;
  }
  return (position) => offsets[position] ?? written.length;
}

/** The frontmatter of a skill, ready to be edited. */
export interface FixableFrontmatter extends RawFrontmatter {
  file: string;
  fields: readonly WrittenField[];
}

/** The frontmatter of a skill whose YAML is sound; null where there is none. */
export async function readFixableFrontmatter(folder: FixedFolder): Promise<FixableFrontmatter | null> {
  const found = await readInstructions(folder);
  const raw = found === null ? null : rawFrontmatter(found.text);
  if (found === null || raw === null) return null;
  const fields = await writtenFields(raw.block);
  return fields === null ? null : { ...raw, file: found.file, fields };
}

/** Whether a fixed text says all that it said before, apart from the fields that were to change; undefined means removed. */
export async function keepsFields(
  { fields }: Pick<FixableFrontmatter, "fields">,
  fixed: string,
  changed: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const raw = rawFrontmatter(fixed);
  const now = raw === null ? null : await writtenFields(raw.block);
  if (now === null) return false;
  const wanted = new Map<string, unknown>(fields.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(changed)) {
    if (value === undefined) wanted.delete(key);
    else wanted.set(key, value);
  }
  return isDeepStrictEqual(new Map(now.map(({ key, value }) => [key, value])), wanted);
}
