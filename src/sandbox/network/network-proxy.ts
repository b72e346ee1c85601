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
  /** Where the unix socket is made; at most 107 bytes long. */
  path: string;
  allowed: readonly NetworkEntry[];
  /** A group whose members may connect besides ourselves. */
  group?: number | null;
  lookup?: Lookup;
  connectTimeoutMs?: number;
}

/** The only way out for one skill process whose network is closed. */
export interface NetworkProxy extends Disposable {
  /** Whether the shim inside stood ready; before that the skill's program had not begun. */
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
  server.on("connect", (asked, client, head) => void openTunnel(asked, client, head, gate, open));
  server.on("request", (asked, answer) => {
    if (asked.url !== readyPath) return void answerRequest(asked, answer, gate, open);
    isReady = true;
    answer.writeHead(204).end();
  });
  if (Buffer.byteLength(path) > longestPathBytes)
    throw new Error(`${path} is too long for a socket; set TMPDIR to a shorter path`);
  // A unix socket is bound at once; only the news of it comes later.
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

/** What the shim asks for when it stands ready. No path a proxy is asked for begins with a slash. */
const readyPath = "/ready";

async function openTunnel(
  asked: IncomingMessage,
  client: Duplex,
  head: Buffer,
  gate: Gate,
  open: Set<Duplex>,
): Promise<void> {
  const upstream = await connectChecked(asked.url ?? "", gate, closingOf(client));
  if (upstream instanceof Refusal) {
    const { status, reason } = upstream;
    // Clients show the words of the status line and not the body: they have to say it all.
    client.end(`HTTP/1.1 ${status} ${statusWords[status]}\r\n${plainHead}eval-skills: ${reason}\n`);
    return;
  }
  keep(open, upstream);
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  upstream.write(head);
  tunnel(client, upstream);
}

async function answerRequest(
  asked: IncomingMessage,
  answer: ServerResponse,
  gate: Gate,
  open: Set<Duplex>,
): Promise<void> {
  const url = webAddress(asked.url ?? "");
  // https inside a plain request would put the skill's secrets on the wire unprotected, and nobody sends it.
  const target = url?.protocol === "http:" && url.username === "" && url.password === "" ? url : null;
  const upstream = await connectChecked(
    target === null ? (asked.url ?? "") : `${target.hostname}:${target.port || 80}`,
    gate,
    closingOf(answer),
  );
  if (upstream instanceof Refusal || target === null) {
    const { status, reason } = upstream instanceof Refusal ? upstream : new Refusal(400, "no http URL");
    answer.shouldKeepAlive = false;
    answer.writeHead(status, statusWords[status], { "content-type": "text/plain" });
    answer.end(`eval-skills: ${reason}\n`);
    return;
  }
  keep(open, upstream);
  forwardRequest(asked, target, upstream, answer);
}

const statusWords: Record<Refusal["status"], string> = {
  400: "Bad target",
  403: "Refused by eval-skills: see --allow-network",
  502: "Host not reached by eval-skills",
};

const plainHead = "content-type: text/plain\r\nconnection: close\r\n\r\n";

function keep(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on("error", () => {}); // the skill or the server hung up; the other side is told by `close`
  socket.once("close", () => open.delete(socket));
}

function closingOf(stream: NodeJS.EventEmitter): AbortSignal {
  const closing = new AbortController();
  stream.once("close", () => closing.abort());
  return closing.signal;
}

interface AttemptLog {
  add(attempt: NetworkAttempt): void;
  /** What was added since the last time. */
  take(): readonly NetworkAttempt[];
}

const maxKept = 32;

/** Keeps what a skill process tried to reach. A flood of attempts is counted instead of kept. */
function attemptLog(): AttemptLog {
  let kept: NetworkAttempt[] = [];
  let beyond = 0;
  return {
    add: (attempt) => {
      if (kept.length < maxKept) kept.push(attempt);
      else beyond++;
    },
    take: () => {
      const taken = beyond === 0 ? kept : [...kept, uncounted(beyond)];
      kept = [];
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
