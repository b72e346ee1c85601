import type { ProbeCheck } from "../contract/sandbox.ts";
import { type ContainmentPiece, containmentPieces, strengthenHint } from "./containment-pieces.ts";
import { findBubblewrap, machineFacts, type Tried } from "./machine-facts.ts";
import { type ProbeCpu, probeCpus } from "./probe/call-numbers.ts";
import { tcpCheckName } from "./probe/network-checks.ts";
import { probeSandbox } from "./probe-sandbox.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";

export interface ProofRequest {
  env: NodeJS.ProcessEnv;
  network: "open" | "none" | readonly string[];
  /** Also what takes a second: for looking at a machine, not for a run. */
  isThorough?: boolean;
  /** Overrides the components found on this machine. */
  bubblewrap?: BubblewrapPieces;
}

/** The strongest containment that was proven here, now, for this network. */
export interface ContainmentProof {
  level: "strict" | "reduced" | "process";
  /** The components of its sandbox; null if there is none. */
  bubblewrap: BubblewrapPieces | null;
  /** What the probe found, by group; empty where no sandbox could be started. */
  checks: readonly ProbeCheck[];
  /** The names of what the level also needs but was not proven. */
  unproven: readonly string[];
  /** The status of each piece of containment; empty if nothing is missing. */
  pieces: readonly ContainmentPiece[];
  /** What would make it stronger. */
  hint: string | null;
  durationMs: number;
}

/** Proves live what holds a skill on this machine. A program that is merely installed proves nothing. */
export async function proveContainment(request: ProofRequest): Promise<ContainmentProof> {
  const began = performance.now();
  const proof = await prove(request);
  return { ...proof, durationMs: performance.now() - began };
}

type Proof = Omit<ContainmentProof, "durationMs">;

async function prove(request: ProofRequest): Promise<Proof> {
  const { env } = request;
  const found = request.bubblewrap ?? findBubblewrap(env);
  const cpu = probeCpus.find((name) => name === process.arch);
  if (found === null || cpu === undefined || process.platform !== "linux")
    return proveProcessOnly(env, { found, used: found, refusal: null, checks: [] });

  const first = await probe(request, found, cpu);
  if (first.level === "strict") return first;
  // Once more: on a busy machine a check may fail by chance, and nobody would know why the level fell.
  const second = await probe(request, found, cpu);
  return strengths.indexOf(first.level) > strengths.indexOf(second.level) ? first : second;
}

const strengths: readonly Proof["level"][] = ["process", "reduced", "strict"];

async function probe(
  { env, network, isThorough = false }: ProofRequest,
  found: BubblewrapPieces,
  cpu: ProbeCpu,
): Promise<Proof> {
  const { pieces: used, end } = await probeSandbox({
    env,
    network: typeof network === "string" ? network : "listed",
    isThorough,
    pieces: found,
    cpu,
  });
  if ("refusal" in end) return proveProcessOnly(env, { found, used, refusal: end.refusal, checks: [] });
  const { checks } = end;
  const unproven = [...checks.filter(({ ok }) => !ok).map(checkName), ...leftOut(used)];
  if (unproven.length === 0)
    return { level: "strict", bubblewrap: used, checks, unproven, pieces: [], hint: null };
  const tried = { found, used, refusal: null, checks };
  if (!holdsTheLeast(checks)) return proveProcessOnly(env, tried);
  return { level: "reduced", bubblewrap: used, checks, unproven, ...(await shortcomings(env, tried)) };
}

/** Files, environment and, where there is a check of it, TCP: without these there is no `reduced` either. */
function holdsTheLeast(checks: readonly ProbeCheck[]): boolean {
  return checks
    .filter(({ group, name }) => group === "files" || group === "environment" || name === tcpCheckName)
    .every(({ ok }) => ok);
}

function checkName({ group, name }: ProbeCheck): string {
  return `${group}: ${name}`;
}

/** A second barrier covers these, so a probe alone would not notice that one is missing. */
function leftOut({ disableUserns, seccomp }: BubblewrapPieces): string[] {
  return [
    ...(disableUserns ? [] : ["privileges: user namespaces switched off"]),
    ...(seccomp === null ? ["privileges: system call filter"] : []),
  ];
}

async function proveProcessOnly(env: NodeJS.ProcessEnv, tried: Tried): Promise<Proof> {
  const { checks } = tried;
  return { level: "process", bubblewrap: null, checks, unproven: [], ...(await shortcomings(env, tried)) };
}

async function shortcomings(env: NodeJS.ProcessEnv, tried: Tried): Promise<Pick<Proof, "pieces" | "hint">> {
  const facts = await machineFacts(env, tried);
  return { pieces: containmentPieces(facts), hint: strengthenHint(facts) };
}
