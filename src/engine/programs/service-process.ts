import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox, SkillExit } from "../../contract/sandbox.ts";
import { fixedPort, type Service } from "../../contract/suite-programs.ts";
import { onAbort, withinMs } from "../../shared/async/abort.ts";
import { type Clock, startTimer } from "../../shared/async/clock.ts";
import { StreamTail } from "../../shared/text/bytes-to-text.ts";
import { informativeLine } from "../../shared/text/informative-line.ts";
import { type PinnedSocket, pinSocket } from "./pinned-socket.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramFailure } from "./run-to-end.ts";
import { answers, isPortOpen, isSocketOpen, waitUntil } from "./wait-until-ready.ts";

export interface NamedService {
  name: string;
  service: Service;
  command: ProgramCommand;
}

interface ServiceContext {
  sandbox: Sandbox;
  clock: Clock;
  /** Variables that every service gets. */
  env: Readonly<Record<string, string>>;
  /** What it must be able to read besides its own folder. */
  reads: readonly string[];
  signal: AbortSignal;
  /** A Node that can be run in the sandbox, where the network is closed and a bridge leads to the service; else null. */
  bridgeNode: string | null;
}

/** A service that is ready. */
export interface RunningService {
  name: string;
  port: number;
  /** The unix socket that leads to it where its port cannot be reached; else null. */
  socketPath: string | null;
  hasEnded(): boolean;
  /** The same, for somebody who noticed before we were told. */
  endsWithin(limitMs: number): Promise<boolean>;
  /** What it has written since this was last called, or the end of it. */
  takeOutput(): string;
  stop(): Promise<void>;
}

const tailBytes = 65_536;

/** Starts a service and waits until it is ready. If it does not get there, nothing of it is left. */
export async function startService(
  { name, service, command }: NamedService,
  { sandbox, clock, env, reads, signal, bridgeNode }: ServiceContext,
): Promise<RunningService | ProgramFailure> {
  const fixed = fixedPort(service);
  if (bridgeNode === null && fixed !== null && (await isPortOpen(fixed)))
    return { message: `service ${name}: another program listens on its port ${fixed}`, output: "" };
  const port = fixed ?? (await freePort());
  const fill = (text: string) => text.replace(/\{\{\s*port\s*\}\}/g, String(port));
  const own = Object.entries(service.env).map(([key, value]) => [key, fill(value)]);
  const bridge = bridgeNode === null ? null : makeBridge(bridgeNode, port);
  const started = sandbox.start({
    argv: [...(bridge?.words ?? []), ...command.argv.map(fill)] as [string, ...string[]],
    ...(bridge !== null && { starts: command.argv[0] }),
    ...{ cwd: command.folder, folder: command.folder, deadlineMs: null },
    reads: bridge === null ? reads : [...reads, bridgeProgram],
    ...(bridge !== null && { workspace: bridge.folder }),
    env: { ...env, PORT: String(port), ...Object.fromEntries(own) },
  });
  const tail = new StreamTail(tailBytes);
  const line = awaitText(service.readyLine);
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => {
      tail.take(chunk);
      line.take(chunk);
    });
  let ended: SkillExit | null = null;
  const exited = started.exited.then((exit) => {
    ended = exit;
  });
  const problem = await started.started.catch((error: Error) => error);
  const look = async () => {
    if (service.readyLine !== undefined && !line.isSeen()) return false;
    const socketPath = bridge === null ? null : bridge.socketPath();
    if (socketPath !== null && !(await isSocketOpen(socketPath))) return false;
    if (service.readyUrl !== undefined) return answers(fill(service.readyUrl), socketPath);
    return socketPath !== null || service.readyLine !== undefined || isPortOpen(port);
  };
  const limit = new AbortController();
  const timer = startTimer(() => limit.abort(), service.readyTimeoutMs);
  const callOff = onAbort(signal, () => limit.abort());
  void exited.then(() => limit.abort());
  const isReady = problem === undefined && (await waitUntil(look, clock, limit.signal)) && ended === null;
  clearTimeout(timer);
  callOff();
  if (isReady)
    return {
      ...{ name, port, socketPath: bridge?.socketPath() ?? null },
      hasEnded: () => ended !== null,
      endsWithin: async (limitMs) =>
        (await withinMs(
          exited.then(() => true),
          limitMs,
        )) === true,
      takeOutput() {
        const text = tail.text();
        tail.clear();
        return text;
      },
      async stop() {
        await started.terminate();
        bridge?.remove();
      },
    };
  const end = ended;
  await started.kill();
  bridge?.remove();
  const output = tail.text();
  const how =
    problem?.message ?? describeEnd(end, output) ?? `was not ready within ${service.readyTimeoutMs} ms`;
  return { message: `service ${name}: ${how}`, output };
}

const bridgeProgram = fileURLToPath(new URL("./service-bridge.mjs", import.meta.url));

/** A folder with a unix socket that leads into the network of a service, and what its command begins with then. */
function makeBridge(node: string, port: number) {
  const folder = mkdtempSync(join(tmpdir(), "eval-skills-service-"));
  const socketPath = join(folder, "s");
  let pinned: PinnedSocket | null = null;
  return {
    folder,
    /** The first socket that was there: the service may write to the folder. Until then nobody can be reached. */
    socketPath(): string {
      pinned ??= pinSocket(socketPath);
      return pinned?.path ?? "/proc/self/fd/none";
    },
    words: [node, bridgeProgram, socketPath, String(port)],
    remove() {
      pinned?.unpin();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** How a program ended that should have stayed; null where it did not end. */
function describeEnd(exit: SkillExit | null, output: string): string | null {
  if (exit === null) return null;
  const { code, signal, limit, refusal } = exit;
  if (refusal !== undefined) return refusal;
  const how = limit ?? (code === null ? `was ended by ${signal}` : `ended with exit code ${code}`);
  const said = informativeLine(output);
  return `${how} before it was ready${said === "" ? "" : `: ${said}`}`;
}

/** Notices a text, however it is cut into chunks. */
function awaitText(text: string | undefined): { take(chunk: Buffer): void; isSeen(): boolean } {
  let last = "";
  let isSeen = false;
  return {
    take(chunk) {
      if (text === undefined || isSeen) return;
      last += chunk.toString("latin1");
      isSeen = last.includes(Buffer.from(text).toString("latin1"));
      last = last.slice(-4 * text.length);
    },
    isSeen: () => isSeen,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
