import type { AuditedFile } from "./rule.ts";

/** The first line of a file that holds this text, for facts that were read from the file as a whole. */
export function lineWith({ lines }: AuditedFile, ...texts: readonly string[]): number | null {
  const line = lines.find(({ text }) => texts.every((part) => text.includes(part)));
  return line?.number ?? null;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder a file lies in, with a `/` behind it; "" at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
