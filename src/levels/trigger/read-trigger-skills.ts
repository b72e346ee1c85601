import { join, resolve } from "node:path";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { Diagnostic } from "../../contract/findings.ts";
import { noTriggering, type Triggering, type TriggerQuery } from "../../contract/triggering.ts";
import type { WantsCase } from "../../engine/case-selection.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { didYouMean, nearest } from "../../shared/text/nearest.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import { findingLine } from "../../skills/finding-words.ts";
import { digestFolder } from "../../skills/folder/digest.ts";
import { readSidecar } from "../../skills/folder/sidecar.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { Catalog, CatalogSkill } from "./load-catalog.ts";
import { checkTriggering } from "./queries/check-triggering.ts";
import { foldQuery, mergeQueries } from "./queries/make-query.ts";
import { readQuerySet } from "./queries/read-query-set.ts";

/** A skill with its trigger tests. */
export interface TriggerSkill extends CatalogSkill {
  /** `sha256:…` over its files. */
  digest: string;
  /** Null where its `eval.yaml` has no block and no query set is for it. */
  triggering: Triggering | null;
}

/** Replaces the trigger tests of a skill; null for none. */
export type ReplaceTriggering = (skill: CatalogSkill, own: Triggering | null) => Triggering | null;

export interface SkillReading {
  sets: readonly string[];
  /** The folder of a skill → query sets that lie in it. */
  ownSets?: ReadonlyMap<string, readonly string[]> | undefined;
  cwd: string;
  /** Never part of a skill's digest. */
  exclude: readonly string[];
  /** Whether all trigger tests are skipped, so that blocks are not read. */
  isSkipped: boolean;
  /** Replaces a skill's own block. */
  triggeringFor?: ReplaceTriggering | undefined;
  /** Gets the error of an invalid block, which is then left out; by default it is thrown. */
  pardon?: ((error: UserError) => void) | undefined;
}

/** Reads the trigger tests of the skills under test. An invalid block is an error. */
export async function readTriggerSkills(
  found: readonly FoundFolder[],
  catalog: Catalog,
  { sets, ownSets, cwd, exclude, isSkipped, triggeringFor = (_, own) => own, pardon }: SkillReading,
): Promise<TriggerSkill[]> {
  const idByName = idsByName(catalog);
  const siblings = new Set(idByName.keys());
  const named = new Set(found.map(({ dir }) => dir));
  const under = catalog.skills.filter((entry) => named.has(entry.found.dir));
  const skills: TriggerSkill[] = [];
  for (const entry of under) {
    const read = isSkipped ? null : await readBlock(entry, siblings, pardon);
    const own = read && { ...read, queries: read.queries.map((query) => withOwner(query, idByName)) };
    const triggering = triggeringFor(entry, own);
    const { adapter } = entry.skill;
    const walk = { ignore: adapter?.metadata.digestIgnore ?? [], exclude };
    const { digest } = await digestFolder(entry.found.dir, walk);
    skills.push({ ...entry, digest, triggering });
  }
  for (const path of sets) addSet(path, skills, cwd);
  for (const skill of skills)
    for (const path of ownSets?.get(skill.found.dir) ?? []) addSet(nearPath(path, cwd), [skill], cwd);
  for (const { skill, triggering } of skills) refuseTwoOfOneId(skill.id, triggering?.queries ?? []);
  return skills;
}

/** Name → id; an id takes precedence over another skill's alias. */
function idsByName({ skills }: Catalog): Map<string, string> {
  const aliases = skills.flatMap(({ skill: { id, aliases } }) => aliases.map((name) => [name, id] as const));
  return new Map([...aliases, ...skills.map(({ skill: { id } }) => [id, id] as const)]);
}

/** Replaces an alias in `belongsTo` by its id, since judges choose ids. */
function withOwner(query: TriggerQuery, idByName: ReadonlyMap<string, string>): TriggerQuery {
  const { belongsTo } = query;
  return belongsTo === null ? query : { ...query, belongsTo: idByName.get(belongsTo) ?? belongsTo };
}

/** Whether a skill may have trigger tests. */
export function hasEvalFile({ dir, manifestFile }: FoundFolder): boolean {
  return new SkillFolder(dir, manifestFile).names().includes("eval.yaml");
}

/** Whether a skill has trigger tests, valid or not. */
export function hasBlock({ dir, manifestFile }: FoundFolder): boolean {
  const read = new SkillFolder(dir, manifestFile).text("eval.yaml");
  return read.ok && /^(?:["']?triggering["']?[ \t]*:|\{)/m.test(read.text);
}

async function readBlock(
  { skill, found }: CatalogSkill,
  siblings: ReadonlySet<string>,
  pardon: SkillReading["pardon"],
): Promise<Triggering | null> {
  const folder = new SkillFolder(found.dir, found.manifestFile);
  if (!folder.names().includes("eval.yaml")) return null;
  const diagnostics = new Diagnostics("lenient", skill.id);
  const sidecar = await readSidecar(folder);
  const subject = { skill, readFile: (path: string) => folder.text(path), siblings, sidecar };
  const triggering = await checkTriggering(subject, diagnostics);
  const errors = diagnostics.list().filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return triggering;
  const error = refusal(first, errors.length - 1, found);
  if (pardon === undefined) throw error;
  pardon(error);
  return null;
}

function refusal(first: Diagnostic, more: number, { dir, shown }: FoundFolder): UserError {
  const rest = `\`eval-skills doctor ${shown}\` shows ${pluralize(more, "more error")}`;
  return new UserError("suite-invalid", findingLine(first, shown), {
    path: join(dir, first.file),
    jsonPath: first.jsonPath ?? undefined,
    hint: more === 0 ? first.hint : `${first.hint}${first.hint.endsWith("?") ? "" : ";"} ${rest}`,
  });
}

const maxSetBytes = 4 * 1024 * 1024;

/** Adds the queries of a file of another tool to the skill it is about. */
function addSet(path: string, skills: TriggerSkill[], cwd: string): void {
  const text = readSet(path, cwd);
  const target = skillOfSet(path, text, skills);
  const { id, aliases, name } = target.skill;
  const diagnostics = new Diagnostics("lenient", id);
  const { queries } = readQuerySet({ file: path, text, skillNames: [id, ...aliases, name] }, diagnostics);
  const [first] = diagnostics.list();
  if (first !== undefined)
    throw new UserError("suite-invalid", first.message, {
      path: resolve(cwd, path),
      jsonPath: first.jsonPath ?? undefined,
      hint: first.hint,
    });
  const known = target.triggering ?? noTriggering;
  const all = mergeQueries([...known.queries, ...queries]).queries;
  refuseBothSides(path, all);
  target.triggering = { ...known, queries: all };
}

function readSet(path: string, cwd: string): string {
  const rules = { code: "suite-invalid", capBytes: maxSetBytes, shownPath: path } as const;
  return readTextFile(resolve(cwd, path), rules);
}

/** A plain list says nothing about the skill it is for, so there may be only one. */
function skillOfSet(path: string, text: string, skills: readonly TriggerSkill[]): TriggerSkill {
  const [only, ...others] = skills;
  if (only !== undefined && others.length === 0) return only;
  const writtenName = /"skill_name"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1];
  const target = skills.find(({ skill: { id, aliases, name } }) =>
    [id, ...aliases, name].some((known) => known === writtenName),
  );
  if (target !== undefined) return target;
  const problem =
    writtenName === undefined ? "does not name its skill" : `is for ${writtenName}, which was not given`;
  throw new UserError("suite-invalid", `the set ${path} ${problem}`, {
    path,
    hint: "pass exactly one skill with a plain list of queries",
  });
}

function refuseBothSides(path: string, queries: readonly TriggerQuery[]): void {
  const sides = new Map<string, TriggerQuery["side"]>();
  for (const { text, side } of queries) {
    const folded = foldQuery(text);
    if ((sides.get(folded) ?? side) !== side)
      throw new UserError(
        "suite-invalid",
        `${JSON.stringify(text)} is both a positive and a negative query`,
        {
          path,
          hint: "remove it from one of them",
        },
      );
    sides.set(folded, side);
  }
}

function refuseTwoOfOneId(skillId: string, queries: readonly TriggerQuery[]): void {
  const seen = new Map<string, TriggerQuery>();
  for (const query of queries) {
    const duplicate = seen.get(query.id);
    if (duplicate !== undefined)
      throw new UserError("suite-invalid", `two queries of ${skillId} have the id ${query.id}`, {
        path: query.location.file,
        jsonPath: query.location.jsonPath,
        hint: `give one of them another id: ${JSON.stringify(duplicate.text)} and ${JSON.stringify(query.text)}`,
      });
    seen.set(query.id, query);
  }
}

/** Only the queries with these ids; an unknown id is an error. */
export function selectQueries(skills: readonly TriggerSkill[], cases: readonly string[]): TriggerSkill[] {
  if (cases.length === 0) return [...skills];
  const ids = new Set(skills.flatMap(({ triggering }) => (triggering?.queries ?? []).map(({ id }) => id)));
  const unknown = cases.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new UserError("usage", `no query has the id ${unknown}`, { hint: idHint(unknown, [...ids]) });
  const wanted = new Set(cases);
  return skills.flatMap((entry) => {
    const { triggering } = entry;
    const queries = (triggering?.queries ?? []).filter(({ id }) => wanted.has(id));
    return triggering === null || queries.length === 0
      ? []
      : [{ ...entry, triggering: { ...triggering, queries } }];
  });
}

/** The queries that somebody wants, and the skills that have some. */
export function wantedQueries(skills: readonly TriggerSkill[], wants: WantsCase): TriggerSkill[] {
  return skills.flatMap((entry) => {
    const { triggering, skill } = entry;
    const queries = (triggering?.queries ?? []).filter(({ id, tags }) =>
      wants({ level: "trigger", id, tags, owner: skill.id }),
    );
    return triggering === null || queries.length === 0
      ? []
      : [{ ...entry, triggering: { ...triggering, queries } }];
  });
}

/** Longer lists of ids are not shown. */
const maxListed = 20;

function idHint(unknown: string, ids: readonly string[]): string {
  const isShort = ids.length <= maxListed || nearest(unknown, ids) !== null;
  return isShort
    ? didYouMean(unknown, ids)
    : `run without --case: the report lists the ids of all ${ids.length} queries`;
}
