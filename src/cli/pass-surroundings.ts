import { resolve } from "node:path";
import type { RunConfig } from "../run/request.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import type { TriggerOutput } from "../run/triggering/trigger-request.ts";
import type { TriggerSurroundings } from "../run/triggering/trigger-session.ts";
import type { CommandIo } from "./command-io.ts";
import type { JudgeFlags } from "./judge-options.ts";

/** What a pass finds around it: keys, recordings, the store, and what is no part of a skill. */
export function passSurroundings(
  flags: JudgeFlags,
  { config }: RunConfig,
  output: Pick<TriggerOutput, "concurrency" | "outputDir" | "store" | "evalLog" | "allowInconclusive">,
  { env, cwd }: CommandIo,
): TriggerSurroundings {
  const { record, replay, cache, maxCost } = flags;
  const { llm, telemetry } = config;
  const around = surroundingsOf({ env, cwd, output, apiKey: llm.apiKey, telemetry, record, replay });
  return {
    env,
    version: around.version,
    models: around.judges,
    usesCache: cache !== false,
    maxCostUsd: maxCost ?? null,
    hidden: around.exclude,
    storePath: resolve(cwd, output.store),
    exclude: around.exclude,
    listsUntested: true,
    allowsInconclusive: output.allowInconclusive,
  };
}
