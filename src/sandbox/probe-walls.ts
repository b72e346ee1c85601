import { proxyPort } from "./network/network-way.ts";
import { openSandbox } from "./open-sandbox.ts";
import { type Bait, canaryVariable, layBait } from "./probe/bait.ts";
import type { ProbeCpu } from "./probe/call-numbers.ts";
import { cpuCheck } from "./probe/cpu-check.ts";
import { homeBait } from "./probe/home-bait.ts";
import { insideBubblewrap } from "./probe/probe-setting.ts";
import { type ProbeEnd, runProbe } from "./probe/run-probe.ts";
import { processCap } from "./process-cap.ts";
import { defaultLimits, type ResourceLimits } from "./resource-limits.ts";
import type { BubblewrapPieces } from "./walled-launch.ts";

/** Open; closed; or closed but for listed hosts, for which the bait stands in. */
type ProbedNetwork = "open" | "none" | "listed";

export interface WallsToProbe {
  env: NodeJS.ProcessEnv;
  network: ProbedNetwork;
  /** Also what takes a second. */
  isThorough: boolean;
  pieces: BubblewrapPieces;
  cpu: ProbeCpu;
}

/** What was found, and which pieces the walls were built of in the end. */
export interface ProbedWalls {
  end: ProbeEnd;
  pieces: BubblewrapPieces;
}

/** Builds walls as for a skill and lets a probe lean against them. What bubblewrap itself says it cannot do is left out. */
export async function probeWalls(walls: WallsToProbe): Promise<ProbedWalls> {
  let bait: Bait;
  try {
    bait = await layBait(walls.cpu, walls.network === "open");
  } catch (error) {
    return { pieces: walls.pieces, end: { refusal: baitProblem(error as NodeJS.ErrnoException) } };
  }
  await using _bait = bait;
  let { pieces } = walls;
  for (;;) {
    const end = await probeOnce({ ...walls, pieces }, bait);
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

async function probeOnce(walls: WallsToProbe, bait: Bait): Promise<ProbeEnd> {
  const { env, cpu } = walls;
  await using sandbox = baited(walls, bait);
  const end = await runProbe(sandbox, cpu, {
    bait,
    home: homeBait(env, bait),
    inside: insideBubblewrap,
    proxyPort: walls.network === "listed" ? proxyPort : null,
    caps: { processes: processCap, fileBytes: defaultLimits.fileBytes },
  });
  if ("refusal" in end || !walls.isThorough) return end;
  await using oneSecond = baited(walls, bait, { cpuSeconds: 1 });
  return { checks: [...end.checks, await cpuCheck(oneSecond, cpu, bait)] };
}

function baited({ env, network, pieces }: WallsToProbe, bait: Bait, limits?: Partial<ResourceLimits>) {
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
