import type { Cell, PlannedCase, Subject } from "../../contract/cell.ts";
import {
  type LoadedBench,
  type LoadedBenchCase,
  type Stratum,
  strata,
} from "../../contract/planbench-file.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import type { ChosenSkills } from "./bench-skills.ts";

/** A case with everything decided that can be decided before its samples run. */
export interface PlannedBenchCase extends PlannedCase {
  loaded: LoadedBenchCase;
  chosen: ChosenSkills;
  /** Who makes its plans: `mock`, a model, a service; null where the case contains them. */
  target: { id: string; identity: Json } | null;
  /** All that decides a sample of it, as one hash. */
  identity: string;
}

/** The cases of one stratum, with whoever makes their plans: strata are never counted together. */
export interface BenchSubject extends Subject {
  arm: Stratum;
  cases: readonly PlannedBenchCase[];
}

/** One sample of a case. */
export type BenchCell = Cell<PlannedBenchCase, BenchSubject>;

/** What samples of one bench have in common. */
export interface BenchFacts {
  bench: LoadedBench;
  samples: number;
  maxRepairs: number;
  /** All that decides what the executor does, its files among it; null where there is none. */
  executorIdentity: Json;
}

export function plannedCase(
  { loaded, chosen, target }: Pick<PlannedBenchCase, "loaded" | "chosen" | "target">,
  facts: BenchFacts,
): PlannedBenchCase {
  const { file, schema } = facts.bench;
  const { id, digest, title = null, input, tags, overlay = null } = loaded;
  const identity = {
    suite: file.id,
    case: { id, digest },
    schema: schema.digest,
    overlay,
    skills: chosen.skills,
    prompts: chosen.prompts,
    model: target,
    parameters: benchParameters(facts),
  };
  const { markers, max_chars = null } = file;
  return {
    id,
    digest,
    title,
    input,
    expected: {
      schema: schema.name,
      ...(overlay !== null && { overlay }),
      ...(markers.length > 0 && { markers }),
      ...(max_chars !== null && { maxChars: max_chars }),
    },
    tags,
    weight: 1,
    loaded,
    chosen,
    target,
    identity: sha256(canonicalJson(identity)),
  };
}

/** What decides how an attempt is judged and how many there may be, by the keys of the bench. */
export function benchParameters({ bench, maxRepairs, executorIdentity: executor }: BenchFacts): JsonObject {
  const { markers, max_chars = null, timeout_ms } = bench.file;
  return { markers, max_chars, timeout_ms, max_repairs: maxRepairs, executor };
}

/** Who is tested, one subject for each stratum that has cases. */
export function benchSubjects(cases: readonly PlannedBenchCase[], model: string): BenchSubject[] {
  return strata.flatMap((arm) => {
    const own = cases.filter(({ loaded }) => loaded.stratum === arm);
    if (own.length === 0) return [];
    const skillDigest = sha256(canonicalJson(usedSkills(own)));
    // Plans that a case contains have no model.
    return [
      {
        skillId: null,
        skillVersion: "",
        skillDigest,
        model: arm === "fixed" ? null : model,
        arm,
        cases: own,
      },
    ];
  });
}

/** Every skill that is behind a plan of these cases, by id. */
export function usedSkills(cases: readonly PlannedBenchCase[]): Record<string, string> {
  const all = new Map(cases.flatMap(({ chosen }) => Object.entries(chosen.skills)));
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
