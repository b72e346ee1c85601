import { randomBytes, randomInt } from "node:crypto";
import { tagVariable } from "./environment.ts";
import { readProcessFile } from "./process-tree.ts";

/**
 * By what the processes of a run are found again, wherever they went: a variable in their environment, which a daemon may
 * start without; and the limit on file locks, which Linux stores for every process, hands on to whatever it starts, and
 * has not enforced since version 2.4.
 */
export interface RunTag {
  word: string;
  /** The first digits of that limit; null where it cannot be set. */
  digits: string | null;
}

/** The same of one process and what it starts. */
export interface ProcessTag {
  word: string;
  locks: number | null;
}

const [runDigits, processDigits] = [9, 6];

export function makeRunTag(canLimit: boolean): RunTag {
  const digits = canLimit ? `${randomInt(10 ** (runDigits - 1), 10 ** runDigits)}` : null;
  return { word: randomBytes(12).toString("hex"), digits };
}

export function processTag({ word, digits }: RunTag, index: number): ProcessTag {
  const locks = digits === null ? null : Number(digits) * 10 ** processDigits + (index % 10 ** processDigits);
  return { word: `${word}.${index}`, locks };
}

/** All tags of a process as words; none for one that belongs to no run. */
export function readTags(pid: string): string[] {
  return [readLimitTag(pid), readVariableTag(pid)].filter((tag) => tag !== null);
}

/** Whether a word that was read is a tag of this run. */
export function isOfRun({ word, digits }: RunTag, tag: string): boolean {
  return tag.startsWith(`${word}.`) || (digits !== null && runPart(tag) === digits);
}

/** What all tags of a run have in common. */
export function runPart(tag: string): string {
  return tag.split(".")[0]?.slice(0, tag.includes(".") ? undefined : runDigits) ?? "";
}

const limitLine = new RegExp(`^Max file locks +(\\d{${runDigits + processDigits}}) `, "m");

function readLimitTag(pid: string): string | null {
  return limitLine.exec(readProcessFile(`/proc/${pid}/limits`) ?? "")?.[1] ?? null;
}

const prefix = `${tagVariable}=`;

/** Null as well for processes of other users and for those that just ended. */
function readVariableTag(pid: string): string | null {
  const environment = readProcessFile(`/proc/${pid}/environ`);
  if (environment === null || !environment.includes(prefix)) return null;
  // Entry by entry: within the value of another variable the same words are no tag.
  const entry = environment.split("\0").find((entry) => entry.startsWith(prefix));
  return entry?.slice(prefix.length) ?? null;
}
