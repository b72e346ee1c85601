import { dirname, resolve } from "node:path";
import type { Config, ConfigOrigin, ModelSettings } from "../contract/config.ts";
import type { ReportFormat } from "../contract/format.ts";
import type { SandboxLevel } from "../contract/limits.ts";
import type { Options } from "../contract/option-table.ts";
import { readShard } from "../contract/shard.ts";
import { Budget } from "../models/budget.ts";
import { nearPath } from "../shared/files/paths.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";
import { commonRows } from "./common-options.ts";
import type { Reuse } from "./earlier-results.ts";
import { defaultEvalLog } from "./eval-log.ts";
import type { RunOutput } from "./run-levels.ts";

/** The configuration, and where it came from as far as that matters for error messages. */
export interface RunConfig {
  config: Config;
  origins: Readonly<Record<string, ConfigOrigin>>;
  files: { project: string | null; user: string | null };
}

/** How the processes of a run are contained. */
export interface ContainmentOptions {
  sandbox: "auto" | SandboxLevel;
  floor: "reduced" | "strict" | null;
  floorFile: string | null;
  network: "none" | "open" | null;
  allowNetwork: string[];
  memoryMb: number | null;
  maxOutputBytes: number;
  killGraceMs: number;
  envKeys: string[];
}

/** Of `RunOutput`, what is the same for every command. */
export type CommonOutput = Pick<
  RunOutput,
  | "concurrency"
  | "isConcurrencyTyped"
  | "outputDir"
  | "store"
  | "evalLog"
  | "maxInvalid"
  | "familyWise"
  | "quarantine"
  | "owners"
  | "budget"
  | "shard"
  | "failed"
  | "reuse"
  | "bail"
  | "configured"
> & {
  /** Whether verdicts of judges are used although they fail their canaries. */
  trustJudge: boolean;
  formats: readonly ReportFormat[];
  csvRows: "cells" | "subjects";
};

/** The containment that flags and the configuration request. */
export function containmentOptions(
  sandbox: "auto" | SandboxLevel | undefined,
  { config, origins, files }: RunConfig,
): ContainmentOptions {
  const { floor, memoryMb, maxOutputBytes, killGraceMs, envKeys } = config.sandbox;
  return {
    sandbox: sandbox ?? "auto",
    floor,
    floorFile: origins["sandbox.floor"] === "project" ? files.project : files.user,
    ...networkOptions(config, origins),
    memoryMb,
    maxOutputBytes,
    killGraceMs,
    envKeys,
  };
}

/** Of `network` and `allowNetwork` the one set closest wins: a flag over a file, the project's file over the user's. */
function networkOptions(
  { sandbox: { network, allowNetwork } }: Config,
  origins: RunConfig["origins"],
): Pick<ContainmentOptions, "network" | "allowNetwork"> {
  const nearness = (key: string) => nearest.indexOf(origins[key] ?? "default");
  const nearer = nearness("sandbox.network") - nearness("sandbox.allowNetwork");
  if (nearer > 0) return { network, allowNetwork: [] };
  return { network: nearer < 0 ? null : network, allowNetwork };
}

const nearest: readonly ConfigOrigin[] = ["default", "env", "user", "project", "flag"];

/** The options of the flags and the configuration that concern output, at every level. */
export function commonOutput(
  options: Options<typeof commonRows>,
  { config: { concurrency, defaultFormats, store, gates, ...config }, files }: RunConfig,
  cwd: string,
): CommonOutput {
  const {
    evalLog,
    maxInvalid = commonRows.maxInvalid.default,
    trustJudge,
    familyWise,
    gateOn,
    maxCostUsd,
    csvRows = "cells",
    concurrency: typed,
    shard,
  } = options;
  const outputDir = resolve(cwd, config.outputDir);
  if (
    familyWise === true &&
    gateOn !== "lower" &&
    (gateOn === "point" || gates.every(({ on }) => on !== "lower"))
  )
    throw new UserError("usage", "--family-wise has no effect without --gate-on lower", {
      hint: "only gates on the lower bound can be corrected: add --gate-on lower",
    });
  return {
    concurrency,
    isConcurrencyTyped: typed !== undefined,
    formats: defaultFormats,
    csvRows,
    outputDir,
    store,
    evalLog: evalLog === undefined ? defaultEvalLog(outputDir) : evalLog && resolve(cwd, evalLog),
    maxInvalid,
    familyWise: familyWise === true,
    quarantine: config.quarantine,
    owners: config.owners,
    budget: maxCostUsd === undefined ? null : new Budget(maxCostUsd),
    trustJudge: trustJudge === true,
    shard: shard === undefined ? null : readShard(shard),
    failed: options.failed === true,
    reuse: readReuse(options.changed),
    bail: readBail(options.bail),
    configured: { entries: gates, file: shownFile(files, cwd), typed: { ...options } },
  };
}

/** The file of configuration, as messages name it. */
function shownFile({ project, user }: RunConfig["files"], cwd: string): string {
  const file = project ?? user;
  return file === null ? "the configuration" : nearPath(file, cwd);
}

function readReuse(typed: string | true | undefined): Reuse | null {
  if (typed === undefined) return null;
  if (typed === true) return "closed";
  if (typed === "reuse-all") return "all";
  throw new UserError("usage", `--changed takes reuse-all or nothing, not ${typed}`, {
    hint: didYouMean(typed, ["reuse-all"]) ?? "write other arguments before it",
  });
}

function readBail(typed: string | true | undefined): number | null {
  if (typed === undefined) return null;
  const count = typed === true ? 1 : Number(typed);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UserError("usage", `--bail takes a whole number from 1, not ${typed}`, {
    hint: "write other arguments before it",
  });
}

/** The model settings that a plan stores: all but the key, which is read again each time. */
export function modelSettings({ llm: { apiKey: _, ...llm }, models, prices }: Config): ModelSettings {
  return { llm, models, prices };
}

/** The folder of the configuration file, else the current one. */
export function projectRoot({ project }: RunConfig["files"], cwd: string): string {
  return project === null ? cwd : dirname(resolve(cwd, project));
}

/** The schemas a user names with `--schema <name>=<file>`: name → absolute path. */
export function givenSchemas(typed: readonly string[], cwd: string): Record<string, string> {
  const given = new Map<string, string>();
  for (const words of typed) {
    const at = words.indexOf("=");
    if (at < 1 || at === words.length - 1)
      throw new UserError("usage", `--schema takes <name>=<file>, not ${words}`, {
        hint: "such as --schema plan=./schemas/plan.schema.json",
      });
    const name = words.slice(0, at);
    if (given.has(name)) throw new UserError("usage", `--schema names ${name} twice`);
    given.set(name, resolve(cwd, words.slice(at + 1)));
  }
  return Object.fromEntries(given);
}
