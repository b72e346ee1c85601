import { isDependency, isTestMaterial } from "./places.ts";
import { around } from "./places-in-text.ts";
import type { AuditedFile, AuditedSkill, Match } from "./rule.ts";

/** The first place in a skill's own programs where one of these shapes stands, by language. */
export function firstUse(
  { files }: AuditedSkill,
  shapes: Readonly<Record<string, RegExp>>,
  isHarmless: (line: string) => boolean,
): (Match & { text: string }) | null {
  for (const file of files) {
    const shape = shapes[file.language ?? ""];
    if (shape === undefined || !isOwnProgram(file)) continue;
    for (const line of file.lines) {
      if (line.isComment) continue;
      const found = shape.exec(line.text);
      if (found === null || isHarmless(line.text)) continue;
      return {
        file: file.path,
        line: line.number,
        evidence: around(line.text, found.index),
        text: line.text,
      };
    }
  }
  return null;
}

function isOwnProgram({ path, kind }: AuditedFile): boolean {
  return kind === "code" && !isTestMaterial(path) && !isDependency(path);
}
