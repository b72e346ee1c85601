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
  const text = JSON.stringify(loaded);
  return (skill) => {
    const { id, source, dir, instructions, files } = skill;
    const { aliases, toolNames, ...routable } = routableSkill(skill);
    const isNamed = [id, ...aliases, ...toolNames].some((name) => text.includes(name));
    if (isNamed || isInside(dir, loaded.file)) return wholeIdentity(skill);
    // What is given beside others may be cut where all together are long.
    const bytes = files.find(({ path }) => path === instructions?.path)?.bytes ?? null;
    const index = sha256(canonicalJson({ ...routable, aliases, toolNames, bytes } as unknown as Json));
    return { id, source: source ?? null, index };
  };
}

function wholeIdentity({ id, source, digest }: Skill): Json {
  return { id, source: source ?? null, digest };
}
