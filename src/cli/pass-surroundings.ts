import type { Options } from "../contract/option-table.ts";
import type { Surroundings } from "../run/surroundings.ts";
import type { judgeRows } from "../run/triggering/trigger-options.ts";
import type { TriggerSurroundings } from "../run/triggering/trigger-session.ts";

/** What trigger tests need to know and no plan stores: keys, recordings, the store, and what is no part of a skill. */
export function passSurroundings(
  { env, version, judges, storePath, exclude }: Surroundings,
  { noCache, maxCostUsd }: Pick<Options<typeof judgeRows>, "noCache" | "maxCostUsd">,
  allowsInconclusive = false,
): TriggerSurroundings {
  return {
    env,
    version,
    models: judges,
    usesCache: noCache !== true,
    maxCostUsd: maxCostUsd ?? null,
    hidden: exclude,
    storePath,
    exclude,
    listsUntested: true,
    allowsInconclusive,
  };
}
