import { isIP } from "node:net";
import { hostname } from "node:os";

/** Where the server listens. */
export interface ListeningAt {
  /** As configured. */
  host: string;
  /** As the system calls it. */
  address: string;
  port: number;
}

/** Whether only this machine can reach a host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/**
 * Whether a `Host` header names this server. A page whose own name was made to point here still says its own name.
 * Bound to every address, any address will do: none of them is a name that somebody else could point elsewhere.
 */
export function isOwnHost(header: string, { host, address, port }: ListeningAt): boolean {
  const name = withoutPort(header.toLowerCase(), port);
  if (name === null) return false;
  const names = [host.toLowerCase(), address];
  if (isWildcard(address))
    return isIP(name) !== 0 || name === "localhost" || name === hostname().toLowerCase();
  if (isLoopback(address)) names.push("localhost");
  return names.includes(name);
}

/** The address of the server in a URL. */
export function serverUrl({ host, address, port }: ListeningAt): string {
  const name = isWildcard(address) ? "127.0.0.1" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/** The name in `name:port`; null where the port is another one. */
function withoutPort(header: string, port: number): string | null {
  const end = `:${port}`;
  const named = header.endsWith(end) ? header.slice(0, -end.length) : port === 80 ? header : null;
  if (named === null) return null;
  return named.startsWith("[") && named.endsWith("]") ? named.slice(1, -1) : named;
}
