import type { FixedFolder } from "./fixed-folder.ts";

/** What a fixer would write. Whether it helps is found out by reading it. */
export interface Proposal {
  file: string;
  /** Where the file gets another name. */
  newFile?: string;
  /** The whole text, as it would stand on disk. */
  text: string;
}

/** Fixes one thing, where it is wrong in a way that a program can fix. */
export type Fixer = (folder: FixedFolder) => Promise<Proposal | null> | Proposal | null;
