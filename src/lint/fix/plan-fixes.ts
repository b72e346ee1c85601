import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { Fix } from "../../contract/fix.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { addDescription } from "./add-description.ts";
import { addFrontmatter } from "./add-frontmatter.ts";
import { addManifestFields } from "./add-manifest-fields.ts";
import { addName } from "./add-name.ts";
import { FixedFolder } from "./fixed-folder.ts";
import type { Fixer } from "./fixer.ts";
import { joinLists } from "./join-lists.ts";
import { modernizeSpellings } from "./modernize-spellings.ts";
import { moveFields } from "./move-fields.ts";
import { quoteFields } from "./quote-fields.ts";
import { renameInstructions, renameManifest } from "./rename-file.ts";
import { separateTools } from "./separate-tools.ts";

/** In this order: a file has to have its name before it is read, and a block before it gets fields. */
const fixers: readonly [DiagnosticCode, Fixer][] = [
  ["SKD07", renameManifest],
  ["SKD07", renameInstructions],
  ["SKM01", addFrontmatter],
  ["SKM02", quoteFields],
  ["SKM04", addName],
  ["SKM06", addDescription],
  ["SKM08", joinLists],
  ["SKM09", separateTools],
  ["SKM10", moveFields],
  ["SKU01", addManifestFields],
  ["AHM06", modernizeSpellings],
];

/** The rules of which some breaches can be fixed. */
export const fixableCodes: ReadonlySet<DiagnosticCode> = new Set(fixers.map(([code]) => code));

/** What can be fixed in a skill without asking anybody, each file once. Nothing is written. */
export async function planFixes(disk: SkillFolder): Promise<Fix[]> {
  let folder = new FixedFolder(disk);
  let findings = await findingsIn(folder);
  const fixes = new Map<string, Fix>();
  for (const [code, fixer] of fixers) {
    const proposal = findings.all.has(code) ? await fixer(folder) : null;
    if (proposal === null) continue;
    const { file, newFile = file, text } = proposal;
    const fixed = folder.with(file, text, newFile);
    const left = await findingsIn(fixed);
    if (!helps(code, findings, left)) continue;
    const onDisk = folder.onDisk(file) ?? file;
    const before = fixes.get(onDisk)?.before ?? folder.whole(file) ?? "";
    const codes = [...new Set([...(fixes.get(onDisk)?.codes ?? []), code])].sort();
    fixes.set(onDisk, { file: onDisk, newFile, before, after: text, codes });
    folder = fixed;
    findings = left;
  }
  return [...fixes.values()];
}

interface Findings {
  all: Map<DiagnosticCode, number>;
  errors: Map<DiagnosticCode, number>;
}

/** How often each rule is broken, by the strictest reading. */
async function findingsIn(folder: FixedFolder): Promise<Findings> {
  const diagnostics = new Diagnostics("strict", folder.name);
  await describeSkill(folder, "project", diagnostics);
  const found: Findings = { all: new Map(), errors: new Map() };
  for (const { code, severity } of diagnostics.list()) {
    found.all.set(code, (found.all.get(code) ?? 0) + 1);
    if (severity === "error") found.errors.set(code, (found.errors.get(code) ?? 0) + 1);
  }
  return found;
}

/** A repair has to take its finding away, and may bring no error. */
function helps(code: DiagnosticCode, before: Findings, after: Findings): boolean {
  const isFixed = (after.all.get(code) ?? 0) < (before.all.get(code) ?? 0);
  return isFixed && [...after.errors].every(([other, count]) => count <= (before.errors.get(other) ?? 0));
}
