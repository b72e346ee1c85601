import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, isIP, type Server } from "node:net";
import { join } from "node:path";
import { startReaper } from "../host/reaper.ts";
import { reachableTempFolder } from "../host/temp-root.ts";
import type { ProbeCpu } from "./call-numbers.ts";
import { probeExecutable } from "./executable.ts";

/** Real files, processes and ports that a contained process must not reach. */
export interface Bait extends AsyncDisposable {
  /** A random word that is in every file and variable below, and nowhere else. */
  canary: string;
  /** A folder among the temporary files of the machine, with a readable file `canary`. */
  folder: string;
  /** A skill's folder with material that is hidden from skills, as listed here; it lies in `folder`. */
  skill: { folder: string; masked: readonly string[]; hidden: string };
  /** A living process of this machine with the canary in its environment. */
  hostPid: number;
  /** Where the machine listens; null where the network is open anyway. */
  network: BaitNetwork | null;
}

export interface BaitNetwork {
  tcpPort: number;
  /** Whatever arrives is sent back. */
  udpPort: number;
  abstractName: string;
  nameServer: string;
}

export const canaryVariable = "EVAL_SKILLS_CANARY";

/** Creates the bait. Disposing removes all of it. */
export async function layBait(cpu: ProbeCpu, isNetworkOpen: boolean): Promise<Bait> {
  const canary = `canary-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(join(reachableTempFolder(), "eval-skills-bait-"));
  // Last of all: until then something has to remove the folder if we are killed.
  const reaper = startReaper({ word: "bait", digits: null }, folder);
  const clearing: (() => void)[] = [
    () => reaper[Symbol.dispose](),
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const clear = async () => {
    for (const step of clearing.reverse()) {
      try {
        step();
      } catch {
        // A failed clean-up does not invalidate what was proven.
      }
    }
  };
  try {
    chmodSync(folder, 0o755); // the sandbox walks there as another user when we are root
    writeFileSync(join(folder, "canary"), canary);
    const skill = laySkill(join(folder, "skill"), canary);
    const host = await startHostProcess(cpu, join(folder, "host"), canary);
    clearing.push(() => host.kill("SIGKILL"));
    const network = isNetworkOpen ? null : await listen(canary, clearing);
    return { canary, folder, skill, hostPid: host.pid as number, network, [Symbol.asyncDispose]: clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

function laySkill(folder: string, canary: string): Bait["skill"] {
  const write = (name: string) => writeFileSync(join(folder, name), canary, { mode: 0o644 });
  for (const name of ["", "tests", "evals"]) mkdirSync(join(folder, name), { mode: 0o755 });
  const masked = ["tests/bait.eval.json", "eval.yaml", "evals/bait.json"];
  for (const name of ["README.md", "hidden.json", ...masked]) write(name);
  return { folder, masked, hidden: join(folder, "hidden.json") };
}

/** Waits for the end of its input, so that it never outlives us. */
async function startHostProcess(cpu: ProbeCpu, file: string, canary: string): Promise<ChildProcess> {
  const program = probeExecutable(cpu, [
    { name: "read", args: [0, { memory: "scratch" }, 1] },
    { name: "exit_group", args: [0] },
  ]);
  writeFileSync(file, program, { mode: 0o755 });
  const child = spawn(file, { env: { [canaryVariable]: canary }, stdio: ["pipe", "ignore", "ignore"] });
  await new Promise<void>((done, failed) => child.once("spawn", done).once("error", failed));
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}

async function listen(canary: string, clearing: (() => void)[]): Promise<BaitNetwork> {
  const tcp = createServer((socket) => socket.destroy());
  const abstract = createServer((socket) => socket.destroy());
  const udp = createSocket("udp4");
  clearing.push(
    () => tcp.close(),
    () => abstract.close(),
    () => udp.close(),
  );
  udp.on("message", (message, { port, address }) => udp.send(message, port, address));
  await Promise.all([
    listening(tcp, () => tcp.listen(0, "127.0.0.1")),
    listening(abstract, () => abstract.listen(`\0${canary}`)),
    listening(udp, () => udp.bind(0, "127.0.0.1")),
  ]);
  for (const server of [tcp, abstract, udp]) server.unref();
  return {
    tcpPort: (tcp.address() as { port: number }).port,
    udpPort: udp.address().port,
    abstractName: canary,
    nameServer: nameServer(),
  };
}

function listening(server: Server | Socket, begin: () => void): Promise<void> {
  return new Promise((done, failed) => {
    server.once("listening", done);
    server.once("error", failed);
    begin();
  });
}

/** Where this machine asks for names; where it says nothing, the system asks itself. */
function nameServer(): string {
  try {
    const lines = readFileSync("/etc/resolv.conf", "utf8").matchAll(/^nameserver\s+(\S+)/gm);
    return (
      [...lines].map(([, address = ""]) => address).find((address) => isIP(address) !== 0) ?? "127.0.0.1"
    );
  } catch {
    return "127.0.0.1";
  }
}
