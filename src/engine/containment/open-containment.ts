import { wantsNoNetwork } from "../../adapters/wants-no-network.ts";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import {
  chooseLevel,
  type Floor,
  type RequestedContainment,
  requestedContainment,
} from "../../sandbox/choose-level.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { type ContainmentProof, proveContainment } from "../../sandbox/prove-containment.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import type { ContainmentOptions } from "../request.ts";
import type { RunContext } from "../run-context.ts";
import { hiddenPaths } from "./hidden-paths.ts";

/** A proof that is under way while files are read. Disposed of, it is waited for: bait is never left lying. */
export interface EarlyProof extends AsyncDisposable {
  /** What was proven for this requested; null where nothing has to be. */
  for(requested: RequestedContainment): Promise<ContainmentProof | null>;
}

/** Begins to prove containment for what the command line and the configuration ask; files may still ask for more. */
export function beginProof(
  options: ContainmentOptions,
  { env, isDryRun = false }: Pick<RunContext, "env" | "isDryRun">,
): EarlyProof {
  const needsProof = (requested: RequestedContainment) => !isDryRun && isProvable(requested);
  const prove = ({ network }: RequestedContainment) => proveContainment({ env, network });
  const expected = requestedContainment(demandOf(options, []));
  const early = needsProof(expected) ? prove(expected) : null;
  early?.catch(() => {}); // heard by whoever asks for it
  return {
    async for(requested) {
      if (!needsProof(requested)) return null;
      return early !== null && kindOf(requested) === kindOf(expected) ? early : prove(requested);
    },
    async [Symbol.asyncDispose]() {
      await early?.catch(() => {});
    },
  };
}

/** Only walls have to be proven. */
function isProvable({ level }: RequestedContainment): boolean {
  return level !== "process" && level !== "off";
}

/** Walls are the same for all lists of hosts. */
function kindOf({ network }: RequestedContainment): string {
  return typeof network === "string" ? network : "listed";
}

export interface Contained {
  sandbox: Sandbox;
  warnings: string[];
}

/** Opens the sandbox of a run over a benchmark, or refuses the run. */
export async function openContainment(
  options: ContainmentOptions,
  context: RunContext,
  proof: EarlyProof,
  files: { skills: readonly LoadedSkill[]; found: LoadedBenchmark },
): Promise<Contained> {
  const demands = { floors: floorsIn(files), hidden: hiddenPaths(files.found, files.skills) };
  const { sandbox, isLeftOpen } = await openProven(options, context, proof, demands);
  return { sandbox, warnings: isLeftOpen ? [] : openNetworks(files.skills, sandbox) };
}

/** What the files of a run demand of its sandbox. */
interface FileDemands {
  floors: readonly Floor[];
  hidden: readonly string[];
}

/** Opens a sandbox at the level that was proven, or refuses. */
export async function openProven(
  options: ContainmentOptions,
  { env, exclude, isDryRun = false }: Pick<RunContext, "env" | "exclude" | "isDryRun">,
  proof: EarlyProof,
  { floors, hidden }: FileDemands,
): Promise<{ sandbox: Sandbox; isLeftOpen: boolean }> {
  const requested = requestedContainment(demandOf(options, floors));
  const proven = await proof.for(requested);
  const isLeftOpen = isDryRun && isProvable(requested); // a dry run does not find out, and claims nothing either
  const level = isLeftOpen ? "process" : chooseLevel(requested, proven);
  const sandbox = openSandbox({
    level,
    env,
    killGraceMs: options.killGraceMs,
    memoryMb: options.memoryMb,
    network: requested.network,
    hidden,
    hiddenAlways: exclude,
    ...(proven !== null && { hint: proven.hint }),
    ...(proven?.bubblewrap && { bubblewrap: proven.bubblewrap, unproven: proven.unproven }),
  });
  return { sandbox, isLeftOpen };
}

function demandOf(options: ContainmentOptions, files: readonly Floor[]) {
  const { sandbox: level, floor, floorFile, network, allowNetwork } = options;
  const own: Floor[] = floor === null ? [] : [{ level: floor, file: floorFile ?? "the configuration" }];
  return { level, network, allowNetwork, floors: [...own, ...files] };
}

function floorsIn({ skills, found }: { skills: readonly LoadedSkill[]; found: LoadedBenchmark }): Floor[] {
  const said = [
    { level: found.benchmark.sandbox, file: found.path },
    ...skills.map(({ skill }) => ({ level: skill.sandbox, file: skill.manifest })),
  ];
  return said.flatMap(({ level, file }) => (level === undefined ? [] : [{ level, file }]));
}

/** A skill may give up the network; where nothing can take it away, that is worth a word. */
function openNetworks(skills: readonly LoadedSkill[], { containment }: Sandbox): string[] {
  if (containment.level === "strict" || containment.level === "reduced") return [];
  return skills
    .filter(({ skill }) => wantsNoNetwork(skill) && skill.adapter.type !== "http")
    .map(
      ({ skill }) =>
        `${skill.id} must have no network (eval-skills.allow-network), but sandbox level ${containment.level} cannot block it`,
    );
}
