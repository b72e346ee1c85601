import type { AuditedFile } from "./rule.ts";

/** Whether this folder holds what others made: dependencies, caches, version control. It is read last. */
export function isSetAside(path: string): boolean {
  return /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|bower_components|__pycache__|\.git)$/.test(path);
}

/** Whether a file belongs to a dependency that lies in the folder, and not to the skill's own code. */
export function isDependency(path: string): boolean {
  return /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|bower_components)\//.test(path);
}

/** Whether a file is test material of the skill's own: cases, fixtures, examples of what is wrong. */
export function isTestMaterial(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|__fixtures__|fixtures?|testdata|test-data|specs?|evals?|mocks?|__mocks__)\//i.test(
      path,
    ) ||
    /(?:^|\/)test_[^/]*\.py$|_test\.(?:py|go)$|\.(?:test|spec)\.[cm]?[jt]sx?$|\.eval\.(?:json|ya?ml|jsonl)$/i.test(
      path,
    )
  );
}

const before = 60;
const shown = 200;

/** The part of a line that a match at this index should show. */
export function excerptAt(text: string, index: number): string {
  const start = Math.max(0, Math.min(index - before, text.length - shown));
  return start === 0 ? text : `…${text.slice(start)}`;
}

/** The number of the line that an index of a text is in. Ask with growing indexes, and each text is walked once. */
export function lineCounter(text: string): (index: number) => number {
  let at = 0;
  let line = 1;
  return (index) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < index; next = text.indexOf("\n", at)) {
      at = next + 1;
      line++;
    }
    return line;
  };
}

/** The first line of a file that holds this text, for facts that were read from the file as a whole. */
export function lineWith({ lines }: AuditedFile, ...texts: readonly string[]): number | null {
  const line = lines.find(({ text }) => texts.every((part) => text.includes(part)));
  return line?.number ?? null;
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder a file lies in, with a `/` behind it; "" at the top. */
export function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
