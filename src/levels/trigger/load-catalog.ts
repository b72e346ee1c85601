import { basename, dirname } from "node:path";
import type { JudgedSkill } from "../../contract/judge.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { RoutableSkill } from "../../contract/routing.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { readFound } from "../../skills/describe-found.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import {
  refuseDuplicateIds,
  resolveDuplicates,
  type SkillConflict,
} from "../../skills/discover/resolve-duplicates.ts";
import { skillRefusal } from "../../skills/finding-words.ts";
import { isNamed, notLoaded } from "../../skills/not-loaded.ts";
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
  /** Skills under test that cannot be loaded, and were not named themselves. */
  notLoaded: NotLoaded[];
  /** Ids that several skills of one folder have, with all their folders; the first counts. */
  duplicates: { id: string; paths: string[] }[];
  warnings: string[];
}

export interface CatalogRequest {
  cwd: string;
  /** Folders that were named; null: the parent folders of the skills under test. */
  dirs: readonly string[] | null;
  /** The skills under test; they win over others with the same id. */
  named: readonly FoundFolder[];
  /** Whether all skills of the catalog are under test. */
  isWhole?: boolean | undefined;
}

/** How many folders are read at once. */
const lanes = 16;

/** Reads the skills of a catalog. Those beside the ones under test are left out with a warning if they cannot be read. */
export async function loadCatalog({ cwd, dirs, named, isWhole = false }: CatalogRequest): Promise<Catalog> {
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
  const missing: NotLoaded[] = [];
  await forEachLimited([...named, ...beside], lanes, async (found) => {
    const { skill, errors } = await readFound(found);
    const [first, ...rest] = errors;
    const isTested = isWhole || known.has(folderKey(found));
    if (skill !== null) skills.push(catalogSkill(skill, found));
    else if (isTested && !isWhole && isNamed(found) && first !== undefined)
      throw skillRefusal([first, ...rest], found);
    else if (isTested) missing.push(notLoaded({ found, errors }));
    else broken.push(found);
  });
  const { winners, conflicts } = resolveDuplicates(
    skills.map((entry) => ({ ...entry.found, id: entry.skill.id, entry })),
  );
  refuseTwoOfOneId(skills, known);
  return {
    skills: winners.map(({ entry }) => entry).sort((a, b) => (a.skill.id < b.skill.id ? -1 : 1)),
    notLoaded: missing.sort((a, b) => inOrder(a.path, b.path)),
    duplicates: conflicts
      .filter(({ rule }) => rule === "path")
      .map(({ name, winner, losers }) => ({ id: name, paths: [winner, ...losers] })),
    warnings: [...brokenWarnings(broken), ...conflictWarnings(conflicts)],
  };
}

/** A skill with what judges and the router may see of it. */
function catalogSkill(skill: DescribedSkill, found: FoundFolder): CatalogSkill {
  const { id, aliases, name } = skill;
  const installed = basename(found.dir);
  const names = new Set([...aliases, ...(skill.kinds.includes("agent-skill") ? [name, installed] : [])]);
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
  refuseDuplicateIds(listed, { hint: "rename one of them, or pass only one" });
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
