import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { expectationsIn, type Task } from "../../contract/task.ts";
import { wantsNoNetwork } from "../../contract/unit-skill.ts";
import {
  chooseLevel,
  type Floor,
  type RequestedContainment,
  requestedContainment,
} from "../../sandbox/choose-level.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { type ContainmentProof, proveContainment } from "../../sandbox/prove-containment.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import { shownPaths } from "../granted.ts";
import type { ContainmentOptions } from "../request.ts";
import type { RunContext } from "../run-context.ts";

/** A proof that runs while files are read. Disposing waits for it, so that no probe files are left behind. */
export interface EarlyProof extends AsyncDisposable {
  /** The proof for the requested containment; null where none is needed. */
  for(requested: RequestedContainment): Promise<ContainmentProof | null>;
}

/** Where several levels run together, one proof serves all of them. */
export interface SharedProof {
  proof?: EarlyProof | undefined;
}

/** Starts to prove the containment that the command line and the configuration request; files may still require more. */
export function beginProof(
  options: ContainmentOptions,
  { env, isDryRun = false, proof }: Pick<RunContext, "env" | "isDryRun"> & SharedProof,
): EarlyProof {
  if (proof !== undefined) return { for: proof.for, async [Symbol.asyncDispose]() {} };
  const needsProof = (requested: RequestedContainment) => !isDryRun && isProvable(requested);
  const prove = ({ network }: RequestedContainment) => proveContainment({ env, network });
  const expected = requestedContainment(containmentDemand(options, []));
  const early = needsProof(expected) ? prove(expected) : null;
  early?.catch(() => {}); // handled by the caller of `for`
  return {
    async for(requested) {
      if (!needsProof(requested)) return null;
      return early !== null && networkKind(requested) === networkKind(expected) ? early : prove(requested);
    },
    async [Symbol.asyncDispose]() {
      await early?.catch(() => {});
    },
  };
}

/** Only a sandbox has to be proven. */
function isProvable({ level }: RequestedContainment): boolean {
  return level !== "process" && level !== "off";
}

/** The sandbox is the same for every list of hosts. */
function networkKind({ network }: RequestedContainment): string {
  return typeof network === "string" ? network : "listed";
}

export interface Contained {
  sandbox: Sandbox;
  warnings: string[];
}

/** The files of a run over benchmarks. */
interface BenchmarkFiles {
  skills: readonly LoadedSkill[];
  benchmarks: readonly LoadedBenchmark[];
}

/** Opens the one sandbox of a run over benchmarks, or refuses the run. */
export async function openContainment(
  options: ContainmentOptions,
  context: RunContext,
  proof: EarlyProof,
  files: BenchmarkFiles,
): Promise<Contained> {
  const answerKeys = files.benchmarks.flatMap(hiddenPaths);
  const hidden = [...new Set([...answerKeys, ...files.skills.map(({ skill }) => skill.dir)])];
  const demands = { floors: floorsIn(files), hidden };
  const { sandbox, isUndetermined } = await openProvenSandbox(options, context, proof, demands);
  return { sandbox, warnings: isUndetermined ? [] : openNetworks(files.skills, sandbox) };
}

/** What the files of a run demand of its sandbox. */
interface FileDemands {
  floors: readonly Floor[];
  hidden: readonly string[];
}

type SandboxContext = Pick<RunContext, "env" | "exclude" | "isDryRun" | "permissions"> & SharedProof;

/** Opens a sandbox at the level that was proven, or refuses. */
export async function openProvenSandbox(
  options: ContainmentOptions,
  context: SandboxContext,
  proof: EarlyProof,
  { floors, hidden }: FileDemands,
): Promise<{ sandbox: Sandbox; isUndetermined: boolean }> {
  const { env, exclude, isDryRun = false } = context;
  const requested = requestedContainment(containmentDemand(options, floors));
  const proven = await proof.for(requested);
  const isUndetermined = isDryRun && isProvable(requested); // a dry run proves nothing, so it claims nothing
  const level = isUndetermined ? "process" : chooseLevel(requested, proven);
  const sandbox = openSandbox({
    level,
    env,
    startsNothing: isDryRun,
    killGraceMs: options.killGraceMs,
    memoryMb: options.memoryMb,
    network: requested.network,
    hidden,
    hiddenAlways: exclude,
    granted: isProvable({ ...requested, level }) ? shownPaths(context) : [],
    ...(proven !== null && { hint: proven.hint }),
    ...(proven?.bubblewrap && { bubblewrap: proven.bubblewrap, unproven: proven.unproven }),
  });
  return { sandbox, isUndetermined };
}

function containmentDemand(options: ContainmentOptions, files: readonly Floor[]) {
  const { sandbox: level, floor, floorFile, network, allowNetwork } = options;
  const own: Floor[] = floor === null ? [] : [{ level: floor, file: floorFile ?? "the configuration" }];
  return { level, network, allowNetwork, floors: [...own, ...files] };
}

function floorsIn({ skills, benchmarks }: BenchmarkFiles): Floor[] {
  const configured = [
    ...benchmarks.map(({ benchmark, path }) => ({ level: benchmark.sandbox, file: path })),
    ...skills.map(({ skill }) => ({ level: skill.sandbox, file: skill.manifest })),
  ];
  return configured.flatMap(({ level, file }) => (level === undefined ? [] : [{ level, file }]));
}

/** Warns of skills that declare to need no network where it cannot be blocked. */
function openNetworks(skills: readonly LoadedSkill[], { containment }: Sandbox): string[] {
  if (containment.level === "strict" || containment.level === "reduced") return [];
  return skills
    .filter(({ skill }) => wantsNoNetwork(skill) && skill.adapter.type !== "http")
    .map(
      ({ skill }) =>
        `${skill.id} must have no network (eval-skills.allow-network), but sandbox level ${containment.level} cannot block it`,
    );
}

interface ProcessSandboxOptions {
  /** Whether the run may start any process. */
  mayStart: boolean;
  floors: readonly Floor[];
  /** Paths that no process may see. */
  hidden: readonly string[];
}

/** Opens the sandbox of a run that may start nothing at all. Containment is proven only if a process may run, or if it is required. */
export async function openProcessSandbox(
  demanded: ContainmentOptions,
  context: SandboxContext,
  { mayStart, floors, hidden }: ProcessSandboxOptions,
): Promise<Sandbox> {
  const { sandbox, floor, network, allowNetwork } = demanded;
  const isRequested = sandbox !== "auto" || floor !== null || network !== null || allowNetwork.length > 0;
  const isNeeded = isRequested || mayStart || floors.length > 0;
  const options = isNeeded ? demanded : { ...demanded, sandbox: "process" as const };
  await using proof = beginProof(options, context);
  return (await openProvenSandbox(options, context, proof, { floors, hidden })).sandbox;
}

/** Files of a benchmark that no skill may see, even in its own folder: expectations and scorers. */
export function hiddenPaths({ benchmark, path }: Pick<LoadedBenchmark, "benchmark" | "path">): string[] {
  const folder = dirname(path);
  const scorers = benchmark.tasks.flatMap(scorerWords).map((word) => resolve(folder, word));
  return [...new Set([path, ...scorers])].filter((file) => existsSync(file));
}

/** Words that may be paths: the module a task names, and every word of a command. */
function scorerWords(task: Task): string[] {
  const words = expectationsIn(task).flatMap(({ expected, evaluator }) => [
    evaluator?.customScorerPath ?? "",
    expected.customScorerPath ?? "",
    ...commandWords(evaluator?.command),
  ]);
  return words.filter((word) => word !== "");
}

function commandWords(command: string | readonly string[] | undefined): readonly string[] {
  if (typeof command !== "string") return command ?? [];
  try {
    return splitCommand(command);
  } catch {
    return []; // a command that cannot be read is refused when its scorer is made
  }
}

/** The variables that a user lets through to processes, as far as they are set. */
export function passedVariables(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])),
  );
}
