import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ReceivedIds } from "../intake/received-ids.ts";
import { handle } from "./handle.ts";
import { keepSwept } from "./keep-swept.ts";
import { listenAt } from "./listen-at.ts";
import { urlOf } from "./own-hosts.ts";
import type { Served } from "./served.ts";
import { Turns } from "./turns.ts";
import { Turnstile } from "./turnstile.ts";

export interface ServerOptions extends Omit<Served, "ids" | "posts" | "turns"> {
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
const farewellMs = 2000;

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
    response.on("error", () => {}); // whoever left need not be told
    handle(request, response, rules, served).catch((error: Error) => {
      served.warn(`a request could not be answered: ${error.message}`);
      response.destroy();
    });
  };
  // With a listener of its own, a sender that asks for leave gets it when we want its body, not before.
  server.on("request", onRequest).on("checkContinue", onRequest);
  const stop = new AbortController();
  if (served.file !== null) void keepSwept(served.file, served.clock, stop.signal, served.warn);
  return {
    url: urlOf(at),
    port: at.port,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await close(server);
    },
  };
}

/** Lets those finish who are in the middle of something, but not for ever. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  const timer = setTimeout(() => server.closeAllConnections(), farewellMs);
  await closed;
  clearTimeout(timer);
}
