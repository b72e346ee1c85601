import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

/** A host that skills may reach although the network is closed to them. */
export interface NetworkEntry {
  /** A name in lower case, or an address; IPv6 without its brackets. */
  host: string;
  isAddress: boolean;
  /** The configured one; null for the two default ports. */
  port: number | null;
  /** How it is written: `api.example.org`, `127.0.0.1:8080`, `[::1]:8080`. */
  text: string;
}

/** Ports that are meant where none is given. */
const defaultPorts: readonly number[] = [443, 80];

/** Reads `host[:port]` strictly, or says what is wrong with it. A request's target is read the same way, so both compare. */
export function readNetworkEntry(typed: string): NetworkEntry | { problem: string } {
  if (typed.trim() === "") return { problem: "is empty" };
  if (/[\s\p{Cc}]/u.test(typed)) return { problem: "contains a space or a control character" };
  if (typed.includes("://")) return { problem: "is a URL: leave out the scheme and the path" };
  if (/[/?#\\]/.test(typed)) return { problem: "contains a path: allow the whole host" };
  if (typed.includes("@")) return { problem: "contains a user name" };
  if (typed.includes("*")) return { problem: "contains a wildcard: list each host" };
  if (isIPv6(typed)) return { problem: `is an IPv6 address without brackets: write [${typed}]` };

  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/s.exec(typed);
  const [, name = "", portText] = parts ?? [];
  if (parts === null || name === "") return { problem: "names no host" };
  const port = portText === undefined ? null : readPort(portText);
  if (port === undefined) return { problem: "has an invalid port: expected a whole number from 1 to 65535" };
  const host = readHost(name);
  return typeof host === "string" ? { problem: host } : toEntry(host, port);
}

/** The entry that opens this host and port; null where none does. */
export function entryFor(list: readonly NetworkEntry[], host: string, port: number): NetworkEntry | null {
  return list.find((entry) => entry.host === host && listPorts(entry).includes(port)) ?? null;
}

function listPorts({ port }: NetworkEntry): readonly number[] {
  return port === null ? defaultPorts : [port];
}

interface Host {
  host: string;
  isAddress: boolean;
}

function toEntry({ host, isAddress }: Host, port: number | null): NetworkEntry {
  const shown = host.includes(":") ? `[${host}]` : host;
  return { host, isAddress, port, text: port === null ? shown : `${shown}:${port}` };
}

function readHost(name: string): Host | string {
  if (name.startsWith("[")) {
    const address = name.slice(1, -1);
    // A zone is a matter of one machine's interfaces, and `isIPv6` lets it pass.
    if (!isIPv6(address) || address.includes("%"))
      return "has brackets around something that is not an IPv6 address";
    return { host: new URL(`http://[${address}]`).hostname.slice(1, -1), isAddress: true };
  }
  if (isIPv4(name)) return { host: name, isAddress: true };
  // What ends in a number is read as an address by some programs and as a name by others.
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(name)) return "is not a valid IPv4 address";
  const host = domainToASCII(name).replace(/\.$/, "");
  const isName = host.split(".").every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  if (!isName || host.length > 253) return "is not a valid host name";
  return { host, isAddress: false };
}

/** Null would mean that none was given. */
function readPort(text: string): number | undefined {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
