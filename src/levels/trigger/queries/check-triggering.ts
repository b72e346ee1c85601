import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import type { Triggering } from "../../../contract/triggering.ts";
import { checkCard, type SidecarCard } from "./check-card.ts";
import { checkQueries } from "./check-queries.ts";
import { checkSides } from "./check-sides.ts";
import { makeCard } from "./make-card.ts";
import type { ReadFile } from "./read-file.ts";
import { readTriggering } from "./read-triggering.ts";

/** A skill whose `triggering` block is looked at, and what stands around it. */
export interface TriggerSubject {
  skill: DescribedSkill;
  /** Reads files of the skill's folder. */
  readFile: ReadFile;
  /** Every name of the skills of the catalog, of this one too; null where only this one was looked at. */
  siblings: ReadonlySet<string> | null;
  /** What its `meta.yml` says by itself; null where there is none. */
  sidecar: SidecarCard | null;
}

/** Reads the `triggering` block of a skill and tells what is wrong with it; null where there is none to use. */
export async function checkTriggering(
  { skill, readFile, siblings, sidecar }: TriggerSubject,
  diagnostics: Diagnostics,
): Promise<Triggering | null> {
  const read = await readTriggering(skill, readFile, diagnostics);
  if (read === null) return null;
  const { repeated, isWhole, evalFile, ...triggering } = read;
  const card = makeCard(skill);
  checkQueries({ ...read, skill, siblings }, diagnostics);
  if (isWhole) checkSides(read.queries, { card, evalFile }, diagnostics);
  checkCard(skill, card, sidecar, diagnostics);
  return triggering;
}
