import { connect, type Socket } from "node:net";
import { entryFor, type NetworkEntry, readNetworkEntry } from "../../contract/network-entry.ts";
import type { NetworkAttempt } from "../../contract/sandbox.ts";
import { checkedAddresses, type Lookup } from "../../shared/network/checked-addresses.ts";
import { networkWords } from "../../shared/network/http.ts";
import { shorten } from "../../shared/text/visible-text.ts";

export interface Gate {
  allowed: readonly NetworkEntry[];
  lookup: Lookup;
  connectTimeoutMs: number;
  /** Called for every attempt, also for a refused one. */
  onAttempt: (attempt: NetworkAttempt) => void;
}

/** Why a request is refused, as an HTTP status and a message. */
export class Refusal {
  readonly status: 400 | 403 | 502;
  readonly reason: string;
  constructor(status: Refusal["status"], reason: string) {
    this.status = status;
    this.reason = reason;
  }
}

/** Connects to `host:port` if the list allows it: to the very address that was checked, without a second lookup. */
export async function connectChecked(
  authority: string,
  gate: Gate,
  signal: AbortSignal,
): Promise<Socket | Refusal> {
  const target = readNetworkEntry(authority);
  if ("problem" in target || target.port === null) {
    const refusal = new Refusal(400, "the target is not host:port");
    gate.onAttempt({ host: shorten(authority, 100), port: 0, allowed: false, reason: refusal.reason });
    return refusal;
  }
  const entry = entryFor(gate.allowed, target.host, target.port);
  const reached =
    entry === null
      ? new Refusal(403, `${target.text} is not listed in --allow-network`)
      : await reach(entry, target.port, gate, signal);
  const isRefused = reached instanceof Refusal;
  gate.onAttempt({
    host: target.host,
    port: target.port,
    allowed: !isRefused || reached.status === 502,
    reason: isRefused ? reached.reason : null,
  });
  return reached;
}

/** A name may have many; each that is tried takes its share of the time. */
const maxAddresses = 4;

async function reach(
  entry: NetworkEntry,
  port: number,
  gate: Gate,
  signal: AbortSignal,
): Promise<Socket | Refusal> {
  const checked = await checkedAddresses(entry, gate.lookup);
  if ("problem" in checked) return new Refusal(checked.isForbidden ? 403 : 502, checked.problem);
  const addresses = checked.addresses.slice(0, maxAddresses);
  let failure = "the skill closed the connection";
  for (const { address } of addresses) {
    if (signal.aborted) break;
    const socket = await connected(address, port, gate.connectTimeoutMs / addresses.length, signal);
    if (!(socket instanceof Error)) return socket;
    failure = networkWords(socket);
  }
  return new Refusal(502, failure);
}

/** `address` is never a name, so that nothing is looked up again between the check and the connection. */
function connected(
  address: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket | Error> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, allowHalfOpen: true, signal });
    const giveUp = () => socket.destroy(new Error(`no connection to ${address} within ${timeoutMs} ms`));
    const timer = setTimeout(giveUp, timeoutMs);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    // The listener stays: users of the socket rely on `close`.
    socket.on("error", (error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}
