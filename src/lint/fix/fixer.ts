import type { FixedFolder } from "./fixed-folder.ts";

/** What a fixer would write. Whether it helps is checked by reading the result. */
export interface Proposal {
  file: string;
  /** Where the file gets another name. */
  newFile?: string;
  /** The whole text, as it would be on disk. */
  text: string;
}

/** Fixes one thing, where it is wrong in a way that a program can fix. */
export type Fixer = (folder: FixedFolder) => Promise<Proposal | null> | Proposal | null;

/** A piece of a text that is replaced. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** Replaces pieces that do not overlap; everything else stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = "";
  let at = 0;
  for (const { from, to, insert } of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    edited += text.slice(at, from) + insert;
    at = to;
  }
  return edited + text.slice(at);
}
