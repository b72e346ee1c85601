import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { Fix } from "../../contract/findings.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import { instructionsName } from "../../skills/folder/skill-files.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { addDescription, addFrontmatter, addName } from "./add-fields.ts";
import { addManifestFields, modernizeSpellings } from "./fix-manifest.ts";
import { FixedFolder } from "./fixed-folder.ts";
import type { Fixer, Proposal } from "./fixer.ts";
import { moveFields } from "./move-fields.ts";
import { joinLists, quoteFields, separateTools } from "./rewrite-values.ts";

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

/** What can be fixed in a skill automatically, each file once. Nothing is written. */
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

/** `Skill.json` becomes `skill.json`. */
function renameManifest(folder: FixedFolder): Proposal | null {
  return rename(folder, folder.manifestName);
}

/** `skill.md` becomes `SKILL.md`. */
function renameInstructions(folder: FixedFolder): Proposal | null {
  return rename(folder, instructionsName);
}

/** If two files match, it is unclear which is meant. */
function rename(folder: FixedFolder, wanted: string): Proposal | null {
  const alike = folder.names().filter((name) => name.toLowerCase() === wanted.toLowerCase());
  const [found] = alike;
  if (found === undefined || alike.length > 1 || found === wanted) return null;
  const text = folder.whole(found);
  return text === null ? null : { file: found, newFile: wanted, text };
}
