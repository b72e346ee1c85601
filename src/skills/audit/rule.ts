import type { Severity } from "../../contract/severity.ts";

/** A file of a skill as a rule sees it. Read once, decoded strictly, never run. */
export interface AuditedFile {
  /** Relative to the skill's folder, `/`-separated. */
  path: string;
  /**
   * What it is read as, from its name and first line. `prose`: text an agent or a person follows (Markdown, plain text).
   * `code`: a program. `data`: configuration and everything else that is text. `binary`: no text.
   */
  kind: "prose" | "code" | "data" | "binary";
  /** `python`, `javascript`, `shell`, `json`, `yaml`, `markdown`, …; null where nobody knows. */
  language: string | null;
  bytes: number;
  /** Null for what is not text, or too large. */
  text: string | null;
  /** Permission bits and kind, as `lstat` gives them. */
  mode: number;
  /** The first bytes, for telling what a binary is. */
  head: Uint8Array;
  /**
   * Its lines, from 1, with where they stand: a line of prose inside a code fence is a command people copy, and
   * `language` is then the fence's; outside a fence it is a sentence. In code, `isComment` is true for whole-line comments.
   */
  lines: readonly AuditedLine[];
}

export interface AuditedLine {
  /** From 1. */
  number: number;
  text: string;
  /** Inside a code fence of prose, or any line of code. */
  isCode: boolean;
  isComment: boolean;
  language: string | null;
}

/** A skill folder as a rule sees it. */
export interface AuditedSkill {
  /** The name it gives itself, else that of its folder. */
  name: string;
  /** What it says it does: description of `SKILL.md` or `skill.json`, or "". */
  description: string;
  files: readonly AuditedFile[];
  /** Links and special files, which are never read. `target` is where a link leads, as written; `leaves` whether that is outside. */
  specials: readonly {
    path: string;
    what: "link" | "fifo" | "device" | "socket";
    target: string | null;
    leaves: boolean;
  }[];
}

/** What a rule found; the engine adds the rule's own facts. */
export interface Match {
  file: string;
  line: number | null;
  evidence: string;
  /** Where the place says more than the rule's own sentence. */
  message?: string;
  /** Where context makes it better or worse than the rule's own severity. */
  severity?: Severity;
}

/** One way a skill can harm, and how to see it. Pure: files in, matches out. */
export interface AuditRule {
  /** `AUD121`. */
  id: string;
  /** `pipe-to-shell`. */
  name: string;
  severity: Severity;
  /** One sentence about what was found. */
  message: string;
  /** One sentence about what to do. */
  help: string;
  find(skill: AuditedSkill): Iterable<Match>;
}
