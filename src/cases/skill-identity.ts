import type { LoadedCase } from "../contract/loaded-case.ts";
import type { Skill } from "../contract/skill.ts";
import { isInside } from "../shared/files/paths.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { routableSkill } from "../skills/routable-skill.ts";

/**
 * What of each skill can decide how a case ends. A script says beforehand which skills and tools it takes, so of the others
 * only what is in the index matters; a model, or a program of the case, may use any of them.
 */
export function skillIdentity(loaded: LoadedCase, mayUseAny: boolean): (skill: Skill) => Json {
  if (mayUseAny || loaded.level === "L2") return wholeIdentity;
  // What is expected decides nothing about the run, so that another expectation can be graded without a new one.
  const text = JSON.stringify({ ...loaded, case: { ...loaded.case, expect: null } });
  return (skill) => {
    const { names, identity } = indexed.get(skill) ?? indexSkill(skill);
    const isNamed = names.some((name) => text.includes(name));
    return isNamed || isInside(skill.dir, loaded.file) ? wholeIdentity(skill) : identity;
  };
}

/** What is in the index about skills that were read: every case of a run asks for all of them. */
const indexed = new WeakMap<Skill, { names: readonly string[]; identity: Json }>();

function indexSkill(skill: Skill): { names: readonly string[]; identity: Json } {
  const { id, source, instructions, files } = skill;
  const routable = routableSkill(skill);
  // What is given beside others may be cut where all together are long.
  const bytes = files.find(({ path }) => path === instructions?.path)?.bytes ?? null;
  const index = sha256(canonicalJson({ ...routable, bytes } as unknown as Json));
  const names = [id, ...routable.aliases, ...routable.toolNames];
  const known = { names, identity: { id, source: source ?? null, index } };
  indexed.set(skill, known);
  return known;
}

function wholeIdentity({ id, source, digest }: Skill): Json {
  return { id, source: source ?? null, digest };
}
