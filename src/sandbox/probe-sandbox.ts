import { proxyPort } from "./network/network-way.ts";
import { openSandbox } from "./open-sandbox.ts";
import { type Bait, canaryVariable, layBait } from "./probe/bait.ts";
import type { ProbeCpu } from "./probe/call-numbers.ts";
import { cpuCheck } from "./probe/limit-checks.ts";
import { homeBait, insideBubblewrap } from "./probe/probe-setting.ts";
import { type ProbeEnd, runProbe } from "./probe/run-probe.ts";
import { processCap } from "./process-cap.ts";
import { defaultLimits, type ResourceLimits } from "./resource-limits.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";

/** Open; closed; or closed except for listed hosts, represented by the bait. */
type ProbedNetwork = "open" | "none" | "listed";

export interface SandboxToProbe {
  env: NodeJS.ProcessEnv;
  network: ProbedNetwork;
  /** Also run checks that take a second. */
  isThorough: boolean;
  pieces: BubblewrapPieces;
  cpu: ProbeCpu;
}

/** The findings, and the components the sandbox was built of in the end. */
export interface ProbedSandbox {
  end: ProbeEnd;
  pieces: BubblewrapPieces;
}

/** Builds a sandbox as for a skill and runs the probe inside it. Features that bubblewrap reports as unsupported are left out. */
export async function probeSandbox(target: SandboxToProbe): Promise<ProbedSandbox> {
  let bait: Bait;
  try {
    bait = await layBait(target.cpu, target.network === "open");
  } catch (error) {
    return { pieces: target.pieces, end: { refusal: baitProblem(error as NodeJS.ErrnoException) } };
  }
  await using _bait = bait;
  let { pieces } = target;
  for (;;) {
    const end = await probeOnce({ ...target, pieces }, bait);
    const fewer = "refusal" in end ? withoutRefused(pieces, end.refusal) : null;
    if (fewer === null) return { pieces, end };
    pieces = fewer;
  }
}

/** Hardened machines have temporary folders from which nothing may be executed. */
function baitProblem({ code, message }: NodeJS.ErrnoException): string {
  return code === "EACCES" ? `${message}; set TMPDIR to a folder that programs can be run from` : message;
}

function withoutRefused(pieces: BubblewrapPieces, refusal: string): BubblewrapPieces | null {
  if (pieces.disableUserns && /disable-userns|max_user_namespaces/.test(refusal))
    return { ...pieces, disableUserns: false };
  if (pieces.seccomp !== null && /seccomp/i.test(refusal)) return { ...pieces, seccomp: null };
  return null;
}

async function probeOnce(target: SandboxToProbe, bait: Bait): Promise<ProbeEnd> {
  const { env, cpu } = target;
  await using sandbox = baited(target, bait);
  const end = await runProbe(sandbox, cpu, {
    bait,
    home: homeBait(env, bait),
    inside: insideBubblewrap,
    proxyPort: target.network === "listed" ? proxyPort : null,
    caps: { processes: processCap, fileBytes: defaultLimits.fileBytes },
  });
  if ("refusal" in end || !target.isThorough) return end;
  await using oneSecond = baited(target, bait, { cpuSeconds: 1 });
  return { checks: [...end.checks, await cpuCheck(oneSecond, cpu, bait)] };
}

function baited({ env, network, pieces }: SandboxToProbe, bait: Bait, limits?: Partial<ResourceLimits>) {
  return openSandbox({
    level: "strict",
    killGraceMs: 0,
    memoryMb: null,
    bubblewrap: pieces,
    network: network === "listed" ? [`127.0.0.1:${bait.network?.tcpPort}`] : network,
    hidden: [bait.skill.hidden],
    env: { ...env, [canaryVariable]: bait.canary },
    ...(limits !== undefined && { limits }),
  });
}
