import { join } from "node:path";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import { descriptionPlace } from "../../skills/description-place.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { CatalogDiff } from "./compare/catalog-report.ts";

/** A place in a file, as annotations point at it. */
export interface FilePlace {
  /** Absolute. */
  file: string;
  line: number | null;
}

/** Where the descriptions stand of skills that took or lost requests. */
export async function descriptionPlaces(
  { moved }: Pick<CatalogDiff, "moved">,
  skills: readonly CatalogSkill[],
): Promise<ReadonlyMap<string, FilePlace>> {
  const wanted = new Set(moved.flatMap(({ from, to }) => [from, to]));
  const places = new Map<string, FilePlace>();
  for (const { skill, found } of skills) {
    if (!wanted.has(skill.id)) continue;
    const place = await descriptionPlace(skill, new SkillFolder(found.dir, found.manifestFile));
    places.set(skill.id, { file: join(found.dir, place.file), line: place.line ?? null });
  }
  return places;
}
