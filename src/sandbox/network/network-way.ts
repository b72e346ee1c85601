import { fileURLToPath } from "node:url";
import { type NetworkEntry, readNetworkEntry } from "../../contract/network-entry.ts";
import { UserError } from "../../shared/user-error.ts";
import { sandboxGroup } from "../host/slots.ts";
import { type NetworkProxy, openNetworkProxy } from "./network-proxy.ts";

/** The program that is started inside in front of the skill's own. */
export const shimProgram = fileURLToPath(new URL("./network-shim.mjs", import.meta.url));

/** Where things of ours are found inside. */
const places = { shim: "/run/eval-skills/network-shim.mjs", socket: "/run/eval-skills/network.sock" };
/** Free in every network of its own; the one that proxies are usually found at. */
export const proxyPort = 3128;
const proxyUrl = `http://127.0.0.1:${proxyPort}`;

interface WayOptions {
  allowed: readonly NetworkEntry[];
  /** Where the unix socket is made; at most 107 bytes long. */
  socket: string;
  /** A Node, and the shim, that the user of the sandbox can reach. */
  node: string;
  shim: string;
}

/** The way out of a closed network for one skill process: what is shown to it, told to it, and started before it. */
export interface NetworkWay extends Disposable {
  proxy: NetworkProxy;
  binds: { source: string; at: string }[];
  /** The program and its arguments, behind the shim. */
  around(argv: readonly string[]): [string, ...string[]];
  /** The variables of the skill, kept from the shim, and those that lead programs to the proxy. */
  variables(own: readonly (readonly [string, string])[]): [string, string][];
}

export function openNetworkWay({ allowed, socket, node, shim }: WayOptions): NetworkWay {
  // Whoever runs in the sandbox is of this group, and sees no socket but its own.
  const group = process.getuid?.() === 0 ? sandboxGroup() : null;
  const proxy = openNetworkProxy({ path: socket, allowed, group });
  return {
    proxy,
    binds: [
      { source: shim, at: places.shim },
      { source: socket, at: places.socket },
    ],
    around: (argv) => [node, ...fewThreads, places.shim, places.socket, `${proxyPort}`, ...argv],
    variables: (own) => [
      ...own.map(([name, value]): [string, string] => [`${ownPrefix}${name}`, value]),
      ...proxyVariables.map((name): [string, string] => [name, proxyUrl]),
      ["NODE_USE_ENV_PROXY", "1"], // from version 22.21 on; before it, `fetch` of Node knows no proxy
    ],
    [Symbol.dispose]: () => proxy[Symbol.dispose](),
  };
}

/** Threads count as processes, of which the skill has a limited number. */
const fewThreads = ["--v8-pool-size=0"];

/** The shim takes it off again. NODE_OPTIONS of a skill would otherwise act on the shim, and its failure pass for ours. */
const ownPrefix = "EVAL_SKILLS_OWN_";

/** Curl heeds only the first in small letters, others only the second in capitals. */
const proxyVariables = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];

/** The hosts that skills may reach, each once and in a fixed order, so that two runs with the same list compare. */
export function networkAllowList(texts: readonly string[]): NetworkEntry[] {
  const entries = new Map(texts.map(entryOf).map((entry) => [entry.text, entry]));
  return [...entries.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Both doors, the command line and the files, have checked it before; a caller of the library may not have. */
function entryOf(text: string): NetworkEntry {
  const entry = readNetworkEntry(text);
  if (!("problem" in entry)) return entry;
  throw new UserError("config-invalid", `sandbox.allowNetwork: ${JSON.stringify(text)} ${entry.problem}`);
}
