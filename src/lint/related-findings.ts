import { dirname } from "node:path";
import { describingFile } from "../contract/describing-file.ts";
import type { DiagnosticCode } from "../contract/diagnostic-rules.ts";
import type { DiagnosticLocation, Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { forEachLimited } from "../shared/async/each-of.ts";
import { readFound } from "../skills/describe-found.ts";
import { discoverSkills, type FoundFolder } from "../skills/discover/discover-skills.ts";
import { resolveDuplicates } from "../skills/discover/resolve-duplicates.ts";
import { SkillFolder } from "../skills/folder/skill-folder.ts";
import { reportBrokenManifest } from "./prompt-tool/examine-manifest.ts";
import { sharedToolNames } from "./prompt-tool/shared-tool-names.ts";

/** A skill that can be loaded, and where it was found. */
export interface LoadedFolder {
  found: FoundFolder;
  skill: DescribedSkill;
}

/** What is wrong with a skill because of another one. */
export interface RelatedFinding {
  code: DiagnosticCode;
  location: DiagnosticLocation;
  message: string;
  hint?: string;
}

/** What depends on other skills: duplicate ids and shared names of tools. Those of which nothing is wrong are left out. */
export function relatedFindings(loaded: readonly LoadedFolder[]): Map<FoundFolder, RelatedFinding[]> {
  const findings = new Map<FoundFolder, RelatedFinding[]>();
  const add = (found: FoundFolder, finding: RelatedFinding) => {
    const known = findings.get(found);
    if (known === undefined) findings.set(found, [finding]);
    else known.push(finding);
  };
  const ranked = loaded.map(({ found, skill }) => {
    const { shown, manifestFile } = found;
    // The name of a folder with two manifests is ambiguous.
    const named = manifestFile === undefined ? shown : `${shown}/${manifestFile}`;
    return { found, skill, id: skill.id, ...found, shown: named };
  });
  for (const { about, code, message } of resolveDuplicates(ranked).findings)
    add(about.found, { code, location: { file: describingFile(about.skill) }, message });
  const foundBySkill = new Map(loaded.map(({ found, skill }) => [skill, found]));
  for (const { skill, place, message, hint } of sharedToolNames(loaded.map((one) => one.skill))) {
    const found = foundBySkill.get(skill);
    if (found !== undefined) add(found, { code: "PTS05", location: place, message, hint });
  }
  return findings;
}

/** Adds them to what was found in the folder itself. They come after it: a manifest that is broken by them says so. */
export function addRelated(
  { dir, manifestFile }: FoundFolder,
  findings: readonly RelatedFinding[],
  diagnostics: Diagnostics,
): void {
  for (const { code, location, message, hint } of findings)
    diagnostics.add(code, location, message, hint === undefined ? {} : { hint });
  if (findings.some(({ code }) => code !== "PTS05"))
    reportBrokenManifest(new SkillFolder(dir, manifestFile), diagnostics);
}

/** How many folders are read at once. */
const concurrency = 16;

/**
 * The names that a query of these skills may refer to: theirs, and those of the skills beside them, since naming some says what
 * is checked, not what is installed. Null where there is only one.
 */
export async function siblingNames(
  loaded: readonly LoadedFolder[],
  cwd: string,
): Promise<ReadonlySet<string> | null> {
  const known = new Set(loaded.map(({ found }) => found.dir));
  const parents = [...new Set([...known].map((dir) => dirname(dir)))];
  const roots = parents.map((dir) => ({ dir, source: "project" as const, rank: 2 }));
  const around = await discoverSkills({ cwd, roots, whenUnreadable: "keep" });
  const beside: DescribedSkill[] = [];
  await forEachLimited(
    around.filter(({ dir }) => !known.has(dir)),
    concurrency,
    async (found) => {
      const { skill } = await readFound(found);
      if (skill !== null) beside.push(skill);
    },
  );
  const all = [...loaded.map(({ skill }) => skill), ...beside];
  return all.length < 2 ? null : new Set(all.flatMap(({ id, aliases }) => [id, ...aliases]));
}
