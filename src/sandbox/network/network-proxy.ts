import { chmodSync, chownSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { NetworkEntry } from "../../contract/network-entry.ts";
import type { NetworkAttempt } from "../../contract/sandbox.ts";
import { type Lookup, systemLookup } from "../../shared/network/checked-addresses.ts";
import { webAddress } from "../../shared/network/http.ts";
import { connectChecked, type Gate, Refusal } from "./connect-checked.ts";
import { forwardRequest } from "./forward-request.ts";

interface ProxyOptions {
  /** The path of the unix socket; at most 107 bytes long. */
  path: string;
  allowed: readonly NetworkEntry[];
  /** A group whose members may connect too. */
  group?: number | null;
  lookup?: Lookup;
  connectTimeoutMs?: number;
}

/** The proxy of one skill process whose network is closed. */
export interface NetworkProxy extends Disposable {
  /** Whether the shim inside was ready; before that the skill's program had not started. */
  isReady(): boolean;
  takeAttempts(): readonly NetworkAttempt[];
}

const headCapBytes = 16_384;
const headTimeoutMs = 10_000;
const maxOpenConnections = 64;
const longestPathBytes = 107;

/** Opens a proxy that leads to the listed hosts and nowhere else. It listens when this returns. */
export function openNetworkProxy(options: ProxyOptions): NetworkProxy {
  const { path, allowed, group = null, lookup = systemLookup, connectTimeoutMs = 10_000 } = options;
  const log = attemptLog();
  const gate: Gate = { allowed, lookup, connectTimeoutMs, onAttempt: log.add };
  const open = new Set<Duplex>();
  let isReady = false;

  const server = createServer({ maxHeaderSize: headCapBytes, headersTimeout: headTimeoutMs });
  server.maxConnections = maxOpenConnections;
  server.on("error", () => {}); // without its socket the sandbox refuses to start, and says so
  server.on("connection", (socket) => keep(open, socket));
  server.on("connect", (incoming, client, head) => void openTunnel(incoming, client, head, gate, open));
  server.on("request", (incoming, answer) => {
    if (incoming.url !== readyPath) return void answerRequest(incoming, answer, gate, open);
    isReady = true;
    answer.writeHead(204).end();
  });
  if (Buffer.byteLength(path) > longestPathBytes)
    throw new Error(`${path} is too long for a socket; set TMPDIR to a shorter path`);
  // A unix socket is bound at once; only the event comes later.
  server.listen(path);
  chmodSync(path, group === null ? 0o600 : 0o660);
  if (group !== null) chownSync(path, process.getuid?.() ?? 0, group);

  return {
    isReady: () => isReady,
    takeAttempts: log.take,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The path the shim requests when it is ready. No URL of a proxy request begins with a slash. */
const readyPath = "/ready";

async function openTunnel(
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
  gate: Gate,
  open: Set<Duplex>,
): Promise<void> {
  const upstream = await connectChecked(incoming.url ?? "", gate, closeSignal(client));
  if (upstream instanceof Refusal) {
    const { status, reason } = upstream;
    // Clients show the status line and not the body, so it holds the whole message.
    client.end(`HTTP/1.1 ${status} ${statusWords[status]}\r\n${plainHead}eval-skills: ${reason}\n`);
    return;
  }
  keep(open, upstream);
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  upstream.write(head);
  tunnel(client, upstream);
}

async function answerRequest(
  incoming: IncomingMessage,
  answer: ServerResponse,
  gate: Gate,
  open: Set<Duplex>,
): Promise<void> {
  const url = webAddress(incoming.url ?? "");
  // An https URL in a plain request would send the skill's secrets unencrypted; no client does that.
  const target = url?.protocol === "http:" && url.username === "" && url.password === "" ? url : null;
  const upstream = await connectChecked(
    target === null ? (incoming.url ?? "") : `${target.hostname}:${target.port || 80}`,
    gate,
    closeSignal(answer),
  );
  if (upstream instanceof Refusal || target === null) {
    const { status, reason } = upstream instanceof Refusal ? upstream : new Refusal(400, "no http URL");
    answer.shouldKeepAlive = false;
    answer.writeHead(status, statusWords[status], { "content-type": "text/plain" });
    answer.end(`eval-skills: ${reason}\n`);
    return;
  }
  keep(open, upstream);
  forwardRequest(incoming, target, upstream, answer);
}

const statusWords: Record<Refusal["status"], string> = {
  400: "Bad target",
  403: "Refused by eval-skills: see --allow-network",
  502: "Host not reached by eval-skills",
};

const plainHead = "content-type: text/plain\r\nconnection: close\r\n\r\n";

function keep(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on("error", () => {}); // the skill or the server hung up; the other side gets `close`
  socket.once("close", () => open.delete(socket));
}

function closeSignal(stream: NodeJS.EventEmitter): AbortSignal {
  const closing = new AbortController();
  stream.once("close", () => closing.abort());
  return closing.signal;
}

interface AttemptLog {
  add(attempt: NetworkAttempt): void;
  /** The attempts since the last call. */
  take(): readonly NetworkAttempt[];
}

const maxAttempts = 32;

/** Records what a skill process tried to reach. A flood of attempts is only counted. */
function attemptLog(): AttemptLog {
  let attempts: NetworkAttempt[] = [];
  let beyond = 0;
  return {
    add: (attempt) => {
      if (attempts.length < maxAttempts) attempts.push(attempt);
      else beyond++;
    },
    take: () => {
      const taken = beyond === 0 ? attempts : [...attempts, uncounted(beyond)];
      attempts = [];
      beyond = 0;
      return taken;
    },
  };
}

function uncounted(count: number): NetworkAttempt {
  return { host: "…", port: 0, allowed: false, reason: `${count} more attempts, not listed` };
}

/** Lets bytes run both ways until both sides are done. A slow reader slows its writer; nothing piles up. */
function tunnel(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once("close", () => other.destroy());
  other.once("close", () => one.destroy());
}
