import { basename, dirname } from "node:path";
import type { JudgedSkill } from "../../contract/judge.ts";
import type { RoutableSkill } from "../../contract/routing.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { readFound } from "../../skills/describe-found.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import {
  duplicateIds,
  resolveDuplicates,
  type SkillConflict,
} from "../../skills/discover/resolve-duplicates.ts";
import { skillRefusal } from "../../skills/finding-words.ts";
import { routableSkill } from "../../skills/routable-skill.ts";
import { makeCard } from "./queries/make-card.ts";

/** A skill of a catalog. */
export interface CatalogSkill {
  skill: DescribedSkill;
  routable: RoutableSkill;
  judged: JudgedSkill;
  found: FoundFolder;
}

/** All skills installed together, by id. */
export interface Catalog {
  skills: readonly CatalogSkill[];
  warnings: string[];
}

export interface CatalogRequest {
  cwd: string;
  /** Folders that were named; null: the parent folders of the skills under test. */
  dirs: readonly string[] | null;
  /** The skills under test; they win over others with the same id. */
  named: readonly FoundFolder[];
}

/** How many folders are read at once. */
const lanes = 16;

/** Reads the skills of a catalog. Unreadable ones are left out with a warning. */
export async function loadCatalog({ cwd, dirs, named }: CatalogRequest): Promise<Catalog> {
  const context =
    dirs === null
      ? await discoverSkills({ cwd, roots: parentFolders(named), whenUnreadable: "keep" })
      : await discoverSkills({ cwd, paths: dirs, whenUnreadable: "keep" });
  const known = new Set(named.map(folderKey));
  const beside = context
    .filter((found) => !known.has(folderKey(found)))
    .map((found) => ({ ...found, rank: 2 }));
  const skills: CatalogSkill[] = [];
  const broken: FoundFolder[] = [];
  await forEachLimited([...named, ...beside], lanes, async (found) => {
    const { skill, errors } = await readFound(found);
    const [first, ...rest] = errors;
    if (skill === null && found.rank === 1 && first !== undefined)
      throw skillRefusal([first, ...rest], found);
    if (skill === null) broken.push(found);
    else skills.push(catalogSkill(skill, found));
  });
  const { winners, conflicts } = resolveDuplicates(
    skills.map((entry) => ({ ...entry.found, id: entry.skill.id, entry })),
  );
  refuseTwoOfOneId(skills, known);
  return {
    skills: winners.map(({ entry }) => entry).sort((a, b) => (a.skill.id < b.skill.id ? -1 : 1)),
    warnings: [...brokenWarnings(broken), ...conflictWarnings(conflicts)],
  };
}

/** A skill with what judges and the router may see of it. */
function catalogSkill(skill: DescribedSkill, found: FoundFolder): CatalogSkill {
  const { id, aliases, name } = skill;
  const installed = basename(found.dir);
  const names = new Set([...aliases, ...(skill.faces.includes("agent-skill") ? [name, installed] : [])]);
  names.delete(id);
  const judged = { id, aliases: [...names], card: makeCard(skill) };
  return { skill, routable: routableSkill(skill), judged, found };
}

/** The parent folders of the skills under test: their other skills are installed as well. */
function parentFolders(named: readonly FoundFolder[]) {
  const parents = [...new Set(named.map(({ dir }) => dirname(dir)))];
  return parents.map((dir) => ({ dir, source: "project" as const, rank: 2 }));
}

function refuseTwoOfOneId(skills: readonly CatalogSkill[], named: ReadonlySet<string>): void {
  const listed = skills
    .filter(({ found }) => named.has(folderKey(found)))
    .map(({ skill, found }) => ({ id: skill.id, path: found.shown }));
  const [duplicate] = duplicateIds(listed);
  if (duplicate === undefined) return;
  throw new UserError("skill-duplicate", duplicate.message, {
    path: duplicate.skill.path,
    hint: "rename one of them, or pass only one",
  });
}

function folderKey({ dir, manifestFile }: FoundFolder): string {
  return JSON.stringify([dir, manifestFile]);
}

/** Warns of duplicate ids in the same folder, where the choice is arbitrary. */
function conflictWarnings(conflicts: readonly SkillConflict[]): string[] {
  const [first, ...others] = conflicts.filter(({ rule }) => rule === "path");
  if (first === undefined) return [];
  const rest = others.length === 0 ? "" : `, and ${pluralize(others.length, "other id")} more than once`;
  const losers = listed(first.losers, 2);
  return [`the id ${first.name} is there more than once: ${first.winner} counts, not ${losers}${rest}`];
}

function brokenWarnings(broken: readonly FoundFolder[]): string[] {
  const [first] = broken.map(({ shown }) => shown).sort();
  if (first === undefined) return [];
  const rest = broken.length === 1 ? "" : " and others";
  return [
    `${pluralize(broken.length, "skill")} of the catalog cannot be read: \`eval-skills doctor ${first}\`${rest}`,
  ];
}
