import type { AuditRuleFacts } from "../contract/audit.ts";
import type { Severity } from "../contract/findings.ts";

/** A file of a skill as a rule sees it. Read once, decoded strictly, never run. */
export interface AuditedFile {
  /** Relative to the skill's folder, `/`-separated. */
  path: string;
  /**
   * What it is read as, from its name and first line. `prose`: text an agent or a person follows (Markdown, plain text).
   * `code`: a program. `data`: configuration and everything else that is text. `binary`: not text.
   */
  kind: "prose" | "code" | "data" | "binary";
  /** `python`, `javascript`, `shell`, `json`, `yaml`, `markdown`, …; null where nobody knows. */
  language: string | null;
  bytes: number;
  /** Null for what is not text, or too large. May be 2 MiB long: a rule that searches it as a whole takes linear time. */
  text: string | null;
  /** Invalid bytes were removed from `text`. */
  isDamaged: boolean;
  /** Permission bits and kind, as `lstat` gives them. */
  mode: number;
  /** The first bytes, to identify a binary. */
  head: Uint8Array;
  /**
   * Its lines, from 1, with their context: a line of prose inside a code fence is a command people copy, and
   * `language` is then the fence's; outside a fence it is a sentence. In code, `isComment` is true for whole-line comments.
   */
  lines: readonly AuditedLine[];
}

export interface AuditedLine {
  /** From 1. A line longer than 4 KiB comes in overlapping pieces, which all have its number. */
  number: number;
  text: string;
  /** Inside a code fence of prose, or any line of code. */
  isCode: boolean;
  isComment: boolean;
  language: string | null;
  /**
   * Described rather than requested: the sentence, the heading above it or the words before its fence say not to do it
   * ("never", "do not", "Bad:", "attackers …").
   */
  isWarnedOf: boolean;
}

/** A skill folder as a rule sees it. */
export interface AuditedSkill {
  /** The name it gives itself, else that of its folder. */
  name: string;
  /** What it says it does: description of `SKILL.md`, `skill.json` or `meta.yml`, or "". */
  description: string;
  /** Everything with which it says what it does and needs: description, tags, compatibility, allowed tools, adapter. */
  declared: string;
  files: readonly AuditedFile[];
  /** Links and special files, which are never read. `target` is where a link leads, as written; `leaves` whether that is outside. */
  specials: readonly {
    path: string;
    what: "link" | "fifo" | "device" | "socket";
    target: string | null;
    leaves: boolean;
  }[];
  /** What could not be looked at, and why. */
  unexamined: readonly { path: string; reason: string }[];
}

/** What a rule found; the engine adds the rule's own facts. */
export interface Match {
  file: string;
  line: number | null;
  /** The engine shortens it and makes hidden characters visible; of a long line give the part that matters. */
  evidence: string;
  /** If the context says more than the rule's own message. */
  message?: string;
  /** If the context makes it better or worse than the rule's own severity. */
  severity?: Severity;
}

/** One way a skill can harm, and how to see it. Pure: files in, matches out. */
export interface AuditRule extends AuditRuleFacts {
  find(skill: AuditedSkill): Iterable<Match>;
}
