import pc from "picocolors";
import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import type { FixedSkill } from "../../contract/findings.ts";
import { counted } from "../../report/text/format-numbers.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { fileIn } from "./named-diagnostics.ts";

/** A repair as people and programs read it: each file as the user would name it. */
export interface FixDiff {
  file: string;
  newFile: string;
  codes: DiagnosticCode[];
  /** A unified diff; line ends of two characters are shown as one. */
  diff: string;
}

/** The written fixes as unified diffs. */
export async function fixDiffs(fixed: readonly FixedSkill[]): Promise<FixDiff[]> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff");
  return fixed.flatMap(({ folder, fixes }) =>
    fixes.map(({ file: oldName, newFile: newName, before, after, codes }) => {
      const [file, newFile] = [fileIn(folder, oldName), fileIn(folder, newName)];
      const [old, today] = [before, after].map((text) => text.replaceAll("\r\n", "\n"));
      const patch = structuredPatch(file, newFile, old ?? "", today ?? "", "", "", { context: 2 });
      return { file, newFile, codes, diff: formatPatch(patch, FILE_HEADERS_ONLY) };
    }),
  );
}

/** What was fixed, for people: a line for each file, its diff below; empty where nothing was. */
export function fixText(diffs: readonly FixDiff[], { color }: { color: boolean }): string {
  if (diffs.length === 0) return "";
  const paint = pc.createColors(color);
  const paintLine = (line: string): string => {
    const shown = visibleText(line);
    if (/^(?:---|\+\+\+) /.test(line)) return paint.bold(shown);
    if (line.startsWith("+")) return paint.green(shown);
    if (line.startsWith("-")) return paint.red(shown);
    return line.startsWith("@@") ? paint.cyan(shown) : shown;
  };
  const blocks = diffs.map(({ file, newFile, codes, diff }) => {
    const name = file === newFile ? newFile : `${file} → ${newFile}`;
    const heading = `${paint.green("fixed")} ${paint.bold(visibleText(name))}  ${codes.join(" ")}`;
    const hasHunks = diff.includes("\n@@");
    const [, , ...hunks] = diff.trimEnd().split("\n");
    // Readable names: diff headers escape non-ASCII letters.
    const lines = hasHunks ? [`--- ${file}`, `+++ ${newFile}`, ...hunks].map(paintLine) : [];
    return [heading, ...lines, ""].join("\n");
  });
  return [...blocks, `${counted(diffs.length, "file")} fixed`, ""].join("\n");
}
