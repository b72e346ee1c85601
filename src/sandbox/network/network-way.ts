import { fileURLToPath } from "node:url";
import { type NetworkEntry, readNetworkEntry } from "../../contract/network-entry.ts";
import { UserError } from "../../shared/user-error.ts";
import { sandboxGroup } from "../host/slots.ts";
import { type NetworkProxy, openNetworkProxy } from "./network-proxy.ts";

/** The program that starts the skill's own program inside. */
export const shimProgram = fileURLToPath(new URL("./network-shim.mjs", import.meta.url));

/** Paths of our files inside. */
const paths = { shim: "/run/eval-skills/network-shim.mjs", socket: "/run/eval-skills/network.sock" };
/** Free in every network of its own; the one that proxies are usually found at. */
export const proxyPort = 3128;
const proxyUrl = `http://127.0.0.1:${proxyPort}`;

interface WayOptions {
  allowed: readonly NetworkEntry[];
  /** The path of the unix socket; at most 107 bytes long. */
  socket: string;
  /** A Node, and the shim, that the user of the sandbox can reach. */
  node: string;
  shim: string;
}

/** The proxy connection of one skill process in a closed network: its mounts, variables and wrapper program. */
export interface NetworkWay extends Disposable {
  proxy: NetworkProxy;
  binds: { source: string; at: string }[];
  /** The command, wrapped in the shim. */
  wrap(argv: readonly string[]): [string, ...string[]];
  /** The variables of the skill, hidden from the shim, and the proxy variables. */
  variables(own: readonly (readonly [string, string])[]): [string, string][];
}

export function openNetworkWay({ allowed, socket, node, shim }: WayOptions): NetworkWay {
  // Whoever runs in the sandbox is of this group, and sees no socket but its own.
  const group = process.getuid?.() === 0 ? sandboxGroup() : null;
  const proxy = openNetworkProxy({ path: socket, allowed, group });
  return {
    proxy,
    binds: [
      { source: shim, at: paths.shim },
      { source: socket, at: paths.socket },
    ],
    wrap: (argv) => [node, ...fewThreads, paths.shim, paths.socket, `${proxyPort}`, ...argv],
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

/** The shim removes the prefix again. Otherwise NODE_OPTIONS of a skill would affect the shim, and its failure look like ours. */
const ownPrefix = "EVAL_SKILLS_OWN_";

/** Curl reads the first only in lower case, others read the second only in upper case. */
const proxyVariables = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];

/** The hosts that skills may reach, each once and in a fixed order, so that two runs with the same list compare. */
export function networkAllowList(texts: readonly string[]): NetworkEntry[] {
  const entries = new Map(texts.map(parseEntry).map((entry) => [entry.text, entry]));
  return [...entries.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** The command line and the files were checked before; a caller of the library may not have checked it. */
function parseEntry(text: string): NetworkEntry {
  const entry = readNetworkEntry(text);
  if (!("problem" in entry)) return entry;
  throw new UserError("config-invalid", `sandbox.allowNetwork: ${JSON.stringify(text)} ${entry.problem}`);
}
