import { describingFile } from "../contract/describing-file.ts";
import type { DiagnosticCode } from "../contract/diagnostic-rules.ts";
import { byLocation, Diagnostics } from "../contract/diagnostics.ts";
import type { Diagnostic, Profile } from "../contract/findings.ts";
import type { Skill, SkillSource } from "../contract/skill.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { realPath } from "../shared/files/paths.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { resolveDuplicates, type SkillConflict } from "./discover/resolve-duplicates.ts";
import { type FollowedSkill, followSkill, type SkillReading } from "./followed-skill.ts";

export interface CatalogOptions {
  /** Called before each use, so that new and removed folders are seen. */
  discover: () => readonly FoundFolder[] | Promise<readonly FoundFolder[]>;
  profile?: Profile | undefined;
  /** Paths that are never part of a skill: the store and the report folder. */
  exclude?: readonly string[] | undefined;
  clock?: Clock | undefined;
}

/** A skill as it was at one moment. The object stays the same from one use to the next as long as the content does. */
export interface SkillSnapshot {
  found: FoundFolder;
  skill: Skill;
}

/** All skills as they were at one moment; no later edit changes it. */
export interface CatalogSnapshot {
  /** Those to use, one per id, by rank and path. */
  skills: readonly SkillSnapshot[];
  /** Those whose id belongs to another one; they say so in their diagnostics. */
  hidden: readonly SkillSnapshot[];
  /** Folders that cannot be loaded as a skill, and why. */
  broken: readonly { found: FoundFolder; diagnostics: readonly Diagnostic[] }[];
  conflicts: readonly SkillConflict[];
  /** The skill of this id, or else of this other name; of one source also where it is hidden. */
  find(name: string, source?: SkillSource): SkillSnapshot | null;
}

/** Skills that are edited while they are in use. */
export interface SkillCatalog {
  /** What is there now: every file that was saved before this call counts. */
  current(): Promise<CatalogSnapshot>;
}

/** Opens a catalog: an edited skill is read anew, whole, before its next use, by its content and not by its dates. */
export function openCatalog({
  discover,
  profile = "lenient",
  exclude = [],
  clock = systemClock,
}: CatalogOptions): SkillCatalog {
  let followed = new Map<string, FollowedSkill>();
  let readings: readonly SkillReading[] | null = null;
  let snapshot = takeSnapshot([], profile);

  async function look(): Promise<CatalogSnapshot> {
    const still = new Map<string, FollowedSkill>();
    const now: SkillReading[] = [];
    for (const found of await discover()) {
      const key = JSON.stringify([realPath(found.dir), found]);
      const skill = followed.get(key) ?? followSkill(found, { profile, exclude, clock });
      still.set(key, skill);
      now.push(await skill.current());
    }
    followed = still;
    if (readings === null || !areSame(readings, now)) snapshot = takeSnapshot(now, profile);
    readings = now;
    return snapshot;
  }

  return { current: oneAfterAnother(look) };
}

/** A caller that comes during a scan waits for the next one: the current scan may have missed what was just saved. */
function oneAfterAnother<Result>(look: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;
  const start = () => {
    if (next !== null) running = next;
    next = null;
    return look();
  };
  return () => {
    next ??= running.then(start, start);
    return next;
  };
}

function areSame(before: readonly SkillReading[], now: readonly SkillReading[]): boolean {
  return before.length === now.length && before.every((reading, n) => reading === now[n]);
}

function takeSnapshot(readings: readonly SkillReading[], profile: Profile): CatalogSnapshot {
  const loaded = readings.filter((reading): reading is LoadedReading => reading.skill !== null);
  const { winners, losers, conflicts, findings } = resolveDuplicates(
    loaded.map((snapshot) => ({ ...snapshot.found, id: snapshot.skill.id, snapshot })),
  );
  const skills = winners.map(({ snapshot }) => snapshot);
  const findingsByLoser = new Map(losers.map((loser) => [loser, [] as (typeof findings)[number][]]));
  for (const finding of findings) findingsByLoser.get(finding.about)?.push(finding);
  const hidden = [...findingsByLoser].map(([loser, about]) => withFindings(loser.snapshot, about, profile));
  return {
    skills,
    hidden,
    broken: readings.filter(({ skill }) => skill === null),
    conflicts,
    find(name, source) {
      const all = source === undefined ? skills : [...skills, ...hidden];
      const known = all.filter(({ skill }) => source === undefined || skill.source === source);
      const found = known.find(({ skill }) => skill.id === name);
      return found ?? known.find(({ skill }) => skill.aliases.includes(name)) ?? null;
    },
  };
}

type LoadedReading = SkillReading & { skill: Skill };

function withFindings(
  { found, skill }: SkillSnapshot,
  findings: readonly { code: DiagnosticCode; message: string }[],
  profile: Profile,
): SkillSnapshot {
  const diagnostics = new Diagnostics(profile, skill.id);
  diagnostics.kind = skill.kind;
  for (const { code, message } of findings) diagnostics.add(code, { file: describingFile(skill) }, message);
  const all = [...skill.diagnostics, ...diagnostics.list()].sort(byLocation);
  return { found, skill: { ...skill, diagnostics: all } };
}
