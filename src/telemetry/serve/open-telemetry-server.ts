import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EventFile } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { UserError } from "../../shared/user-error.ts";
import { ReceivedIds } from "../intake/received-ids.ts";
import { handle } from "./handle.ts";
import { type ListeningAt, serverUrl } from "./own-hosts.ts";
import { type Served, Turns, Turnstile } from "./served.ts";

interface ServerOptions extends Omit<Served, "ids" | "posts" | "turns"> {
  host: string;
  /** 0: any that is free. */
  port: number;
  token: string;
  allowedOrigins: ReadonlySet<string>;
  /** How long a request may take to arrive. */
  patienceMs?: number;
}

/** A server that runs until it is disposed of; what came in before that is still answered. */
export interface TelemetryServer extends AsyncDisposable {
  url: string;
  port: number;
}

const postsAtOnce = 8;
const postsWaiting = 64;
const maxOpenConnections = 512;
const defaultPatienceMs = 15_000;
const closingLimitMs = 2000;

/** Begins to listen for events, and to show them where dev routes are on. */
export async function openTelemetryServer(options: ServerOptions): Promise<TelemetryServer> {
  const { host, port, token, allowedOrigins, patienceMs = defaultPatienceMs, ...given } = options;
  const served: Served = {
    ...given,
    ids: new ReceivedIds(),
    posts: new Turnstile({ inside: postsAtOnce, waiting: postsWaiting }),
    turns: new Turns(),
  };
  const server = createServer({
    requestTimeout: patienceMs,
    headersTimeout: patienceMs,
    connectionsCheckingInterval: Math.min(1000, patienceMs),
  });
  server.maxConnections = maxOpenConnections;
  const at = await listenAt(server, host, port);
  const rules = { at, token, session: randomBytes(32).toString("base64url"), allowedOrigins };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => {}); // the client left: nobody to answer
    handle(request, response, rules, served).catch((error: Error) => {
      served.warn(`a request could not be answered: ${error.message}`);
      response.destroy();
    });
  };
  // With a listener for `Expect: 100-continue`, a sender may go on only when we want its body.
  server.on("request", onRequest).on("checkContinue", onRequest);
  const stop = new AbortController();
  if (served.file !== null) void keepSwept(served.file, served.clock, stop.signal, served.warn);
  return {
    url: serverUrl(at),
    port: at.port,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await close(server);
    },
  };
}

/** Lets open requests finish, up to a limit. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  const timer = setTimeout(() => server.closeAllConnections(), closingLimitMs);
  await closed;
  clearTimeout(timer);
}

/** Begins to listen, and resolves with where; an address that cannot be used is for the user to change. */
function listenAt(server: Server, host: string, port: number): Promise<ListeningAt> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(listenError(error, host, port));
    server.once("error", refuse);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", refuse);
      const { address, port } = server.address() as AddressInfo;
      resolve({ host, address, port });
    });
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): UserError {
  const shownAddress = `${host} port ${port}`;
  const [why, hint] = reasons[error.code ?? ""] ?? [error.message, "try another --host or --port"];
  return new UserError("usage", `the server cannot listen at ${shownAddress}: ${why}`, {
    hint,
    cause: error,
  });
}

const free = "--port 0 picks a free port";

const reasons: Record<string, readonly [string, string]> = {
  EADDRINUSE: ["the port is already in use", `stop it, or choose another --port; ${free}`],
  EACCES: ["permission denied", `ports below 1024 are reserved; ${free}`],
  EADDRNOTAVAIL: ["this machine has no such address", "set --host to an address of this machine"],
  ENOTFOUND: ["unknown host name", "set --host to an address of this machine"],
};

const everyMs = 60_000;
const droppedAtOnce = 2000;

/** Drops what is too old, at once and every minute, until the signal. A failure is reported once and tried again. */
async function keepSwept(
  file: EventFile,
  clock: Clock,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  let isReported = false;
  while (!signal.aborted) {
    try {
      // Piece by piece: whoever asks meanwhile does not wait for all of it.
      while (!signal.aborted && file.sweep(clock.now() / 1000, droppedAtOnce) >= droppedAtOnce)
        await new Promise<void>((next) => setImmediate(next));
    } catch (error) {
      if (!isReported) warn(`old events cannot be deleted: ${(error as Error).message}`);
      isReported = true;
    }
    await clock.sleep(everyMs, signal).catch(() => {});
  }
}
