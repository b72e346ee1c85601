import type * as z from "zod";
import type { toolArguments } from "../../contract/agent-tools.ts";
import { entryFor, type NetworkEntry, readNetworkEntry } from "../../contract/network-entry.ts";
import { webAddress } from "../../shared/network/http.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { Refused } from "./prepared-call.ts";

export type NetworkArguments = z.output<typeof toolArguments.network_request>;

/** A request that a list of hosts lets out. */
export interface NetworkTarget {
  url: URL;
  /** What of the list opens it: a name, or an address itself. */
  entry: NetworkEntry;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** Reads where a request goes and checks it against the list, before anybody is asked and anything is looked up. */
export function networkTarget(
  { url: typed, method = "GET", headers = {}, body }: NetworkArguments,
  hosts: readonly string[],
): { ok: true; ready: NetworkTarget } | Refused {
  const url = webAddress(typed);
  if (url === null) return notAllowed("scheme", `${shownText(typed)} is no URL of http or https`);
  if (url.username !== "" || url.password !== "")
    return notAllowed("user_name", "the URL contains a user name or a password");
  const verb = method.toUpperCase();
  if (!methods.includes(verb))
    return invalid(`the method ${shownText(method)} is none of ${methods.join(", ")}`);
  const header = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  if (header !== undefined) return invalid(`the header ${shownText(header[0])} cannot be set`);
  if (body !== undefined && (verb === "GET" || verb === "HEAD")) return invalid(`${verb} takes no body`);

  const port = url.port === "" ? defaultPort(url) : Number(url.port);
  const target = readNetworkEntry(`${url.hostname}:${port}`);
  const entry = "problem" in target ? null : entryFor(readEntries(hosts), target.host, port);
  if (entry === null)
    return notAllowed("host_not_listed", `${shownText(url.host)} is not among the hosts that may be reached`);
  return { ok: true, ready: { url, entry, method: verb, headers, body } };
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Headers that say whom a request is for, or where it ends, are ours. */
const ownHeaders: ReadonlySet<string> = new Set(
  "host connection content-length expect keep-alive te trailer transfer-encoding upgrade".split(" "),
);

function isHeader(name: string, value: string): boolean {
  const isOurs = ownHeaders.has(name.toLowerCase()) || /^proxy-/i.test(name);
  return !isOurs && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** An invalid entry opens nothing. It was reported when the list was read for the user. */
function readEntries(hosts: readonly string[]): NetworkEntry[] {
  return hosts.map(readNetworkEntry).filter((entry): entry is NetworkEntry => !("problem" in entry));
}

function defaultPort({ protocol }: URL): number {
  return protocol === "https:" ? 443 : 80;
}

function notAllowed(reason: string, message: string): Refused {
  return { ok: false, error: { code: "ToolNotAllowed", message: `network_request: ${message}`, reason } };
}

function invalid(message: string): Refused {
  return { ok: false, error: { code: "InvalidAction", message: `network_request: ${message}` } };
}
