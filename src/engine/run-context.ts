import { resolve } from "node:path";
import type { Config } from "../contract/config.ts";
import type { JudgeReliance } from "../contract/judge-reliance.ts";
import type { ModelContext } from "../models/model-registry.ts";
import { packageFolder, packageVersion } from "../shared/files/own-package.ts";
import { filesBeside } from "../shared/files/sqlite-driver.ts";
import { writtenPath } from "../shared/files/written-path.ts";
import { UserError } from "../shared/user-error.ts";
import { storeBackups } from "../store/migrations.ts";
import { eventFilePath } from "../telemetry/settings.ts";
import { writtenPaths } from "../telemetry/spool.ts";
import type { GrantContext } from "./granted.ts";
import type { CommonOutput } from "./request.ts";
import type { ConfiguredModels } from "./resumed-models.ts";

/** The environment of a run, which no plan stores. */
export interface RunContext extends GrantContext {
  env: NodeJS.ProcessEnv;
  version: string;
  bundledDir: string;
  concurrency: number;
  /** Where judges get their keys, and whether their calls are recorded or replayed. */
  judges: Omit<ModelContext, "env" | "secrets">;
  reliance: JudgeReliance;
  /** The file of the store, absolute. Replies of judges are cached there too. */
  storePath: string;
  /** Whether skills without trigger tests are reported. */
  requireTriggering?: boolean | undefined;
  /** The models configured now, for a run that was planned before. */
  models?: ConfiguredModels;
  /** The store, the report folder and recorded calls: never part of a skill's digest, and shown to none. */
  exclude: readonly string[];
  /** No process will be started, so containment need not be proven. */
  isDryRun?: boolean | undefined;
  /** Whether what cannot run is left out and listed, such as what needs a model that has no key; else that is an error. */
  leavesUnusableOut?: boolean | undefined;
}

export interface RunContextFacts {
  env: NodeJS.ProcessEnv;
  cwd: string;
  output: Pick<CommonOutput, "concurrency" | "store" | "outputDir" | "evalLog" | "trustJudge" | "budget"> & {
    requireTriggering?: boolean | undefined;
  };
  config: {
    /** May hold the key of its endpoint. */
    llm: Pick<Config["llm"], "apiKey">;
    telemetry: Pick<Config["telemetry"], "sqlitePath">;
  };
  record?: string | undefined;
  replay?: string | undefined;
  permissions?: GrantContext["permissions"];
  skipUngranted?: boolean | undefined;
}

export function makeRunContext(facts: RunContextFacts): RunContext {
  const { env, cwd, output, config, record, replay, permissions, skipUngranted } = facts;
  if (record !== undefined && replay !== undefined) {
    throw new UserError("usage", "--record and --replay cannot be used together");
  }
  const folder = (path: string | undefined) => (path === undefined ? null : resolve(cwd, path));
  const written = neverPartOfSkill({ ...output, telemetryPath: eventFilePath(config.telemetry, env) }, cwd);
  for (const path of [...(record === undefined ? [] : [record]), ...written]) writtenPath(path, cwd);
  return {
    env,
    version: packageVersion(),
    permissions,
    skipUngranted,
    bundledDir: resolve(packageFolder(), "benchmarks"),
    concurrency: output.concurrency,
    storePath: resolve(cwd, output.store),
    requireTriggering: output.requireTriggering,
    reliance: output.trustJudge ? "trusted" : "checked",
    judges: {
      apiKey: config.llm.apiKey ?? null,
      record: folder(record),
      replay: folder(replay),
      concurrency: output.concurrency,
      budget: output.budget,
    },
    // Recorded calls of judges quote the expectations.
    exclude: [...written, ...[record, replay].flatMap((path) => folder(path) ?? [])],
  };
}

/** The files a run writes. They do not count as part of a skill, even inside its folder. */
export function neverPartOfSkill(
  {
    store: named,
    outputDir,
    evalLog,
    telemetryPath,
  }: Pick<CommonOutput, "store" | "outputDir" | "evalLog"> & { telemetryPath: string },
  cwd: string,
): string[] {
  const file = resolve(cwd, named);
  const written = [outputDir, ...(evalLog === null ? [] : [evalLog])].map((path) => resolve(cwd, path));
  const store = [file, ...filesBeside(file), ...storeBackups(file)];
  return [...store, ...written, ...writtenPaths(resolve(cwd, telemetryPath))];
}
