import type { Options } from "../../contract/option-table.ts";
import type { RunContext } from "../../engine/run-context.ts";
import type { judgeRows } from "../../levels/trigger/options.ts";
import type { TriggerContext } from "../../levels/trigger/session.ts";

/** What trigger tests need and the plan does not store: keys, recordings, the store, and excluded paths. */
export function triggerContext(
  { env, version, judges, reliance, storePath, exclude }: RunContext,
  { noCache }: Pick<Options<typeof judgeRows>, "noCache">,
  allowsInconclusive = false,
): TriggerContext {
  return {
    env,
    version,
    models: judges,
    reliance,
    usesCache: noCache !== true,
    hidden: exclude,
    storePath,
    exclude,
    listsUntested: true,
    allowsInconclusive,
  };
}
