import { once } from "node:events";
import { createServer } from "node:net";
import type { Diagnosis } from "../../contract/findings.ts";
import { programReach } from "../../sandbox/host/reach.ts";
import type { ContainmentProof } from "../../sandbox/prove-containment.ts";
import { diagnoseOrphans } from "../../sandbox/sweep.ts";
import { isoTime } from "../../shared/async/clock.ts";
import { diagnoseStore, newestRunIn } from "../../store/diagnose-store.ts";
import { diagnoseContainment } from "./diagnose-containment.ts";
import { diagnosePrograms } from "./diagnose-programs.ts";
import { diagnoseProject, type LoadedFiles } from "./diagnose-project.ts";

interface DiagnoseOptions {
  cwd: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** The file of the store, absolute. */
  store: string;
  loadConfig: () => Promise<LoadedFiles>;
  proof: ContainmentProof;
}

/** Checks everything a run needs of this machine. Nothing is changed, and no skill is run. */
export async function diagnose({
  cwd,
  home,
  env,
  store,
  loadConfig,
  proof,
}: DiagnoseOptions): Promise<Diagnosis[]> {
  // Only root runs skills as another user.
  const isDropped = proof.bubblewrap !== null && process.getuid?.() === 0;
  return [
    ...diagnoseContainment(proof, process.platform),
    ...(await diagnosePrograms(cwd, env, isDropped ? programReach(env) : () => true)),
    ...(await diagnoseStore(store)),
    ...(await diagnoseProject(cwd, { home, env }, loadConfig)),
    diagnoseNode(process.version),
    diagnoseClock({
      nowMs: Date.now(),
      newestRun: await newestRunIn(store),
      driftMs: Date.now() - (performance.timeOrigin + performance.now()),
    }),
    await diagnoseLoopback(),
    diagnoseOrphans(),
  ];
}

/** The Node we are tested on; older ones lack what we use. */
const minNode = [20, 19] as const;

export function diagnoseNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isOld = major < minNode[0] || (major === minNode[0] && minor < minNode[1]);
  const found = `${version} at ${process.execPath}`;
  return isOld
    ? line("Node", "bad", `${found}; ${minNode.join(".")} or newer is required`, "nvm install 24")
    : line("Node", "ok", found);
}

interface ClockReadings {
  nowMs: number;
  /** When the newest run of the store began, in ISO 8601. */
  newestRun: string | null;
  /** How far the wall clock moved against the steady one since this process began. */
  driftMs: number;
}

const releasedMs = Date.UTC(2026, 0, 1);
const farMs = Date.UTC(2100, 0, 1);
const jumpMs = 1000;

/** Results are ordered by time: a wrong clock spoils trends and `--before`. */
export function diagnoseClock({ nowMs, newestRun, driftMs }: ClockReadings): Diagnosis {
  const fix = "sudo timedatectl set-ntp true";
  const now = isoTime(nowMs);
  if (nowMs < releasedMs || nowMs > farMs) return line("clock", "bad", `${now} cannot be right`, fix);
  if (newestRun !== null && Date.parse(newestRun) > nowMs + 60_000)
    return line("clock", "bad", `${now} is before the newest run, which began at ${newestRun}`, fix);
  if (Math.abs(driftMs) > jumpMs)
    return line("clock", "note", `it jumped by ${Math.round(driftMs)} ms during the check`, fix);
  return line("clock", "ok", now);
}

/** Our pages are served on the loopback address only. */
export async function diagnoseLoopback(): Promise<Diagnosis> {
  const server = createServer();
  try {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return line("local pages", "ok", "127.0.0.1 is available");
  } catch (error) {
    const found = `127.0.0.1 cannot be bound: ${(error as Error).message}`;
    return line("local pages", "bad", found, "sudo ip link set lo up");
  } finally {
    server.close();
  }
}

function line(name: string, state: Diagnosis["state"], found: string, fix: string | null = null): Diagnosis {
  return { topic: "machine", name, state, found, fix };
}
