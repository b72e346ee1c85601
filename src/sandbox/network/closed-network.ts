import type { Containment } from "../../contract/containment.ts";
import type { Failure, Hindrance, SkillCommand } from "../../contract/sandbox.ts";
import { readProcessFile } from "../host/process-tree.ts";

/** Why a program failed to reach somebody, if the sandbox closed the network for it; else null. */
export function explainNetwork(
  { network: wish }: Pick<SkillCommand, "network">,
  { words, network: attempts = [] }: Failure,
  { network }: Pick<Containment, "network">,
  isListening: (port: number) => boolean = listensHere,
): Hindrance | null {
  if (wish !== "none" && network === "open") return null;
  const refused = attempts.find(({ allowed }) => !allowed);
  if (refused === undefined && !failsToConnect(words, isListening)) return null;
  if (wish === "none") {
    const why = "this skill has no network: its metadata disables it (eval-skills.allow-network)";
    return { why, isChosen: true };
  }
  const reach =
    typeof network === "string"
      ? "this run has no network"
      : `this run can reach only ${network.join(", ")}, through HTTP_PROXY`;
  const host = refused === undefined ? (namedHost(words) ?? "<host>") : `${refused.host}:${refused.port}`;
  return { why: `${reach}; allow it with --network open or --allow-network ${host}`, isChosen: false };
}

/** Inside nothing listens on the addresses of this machine: what does so outside was kept from the program. */
function failsToConnect(words: string, isListening: (port: number) => boolean): boolean {
  if (unreachable.test(words)) return true;
  if (!/ECONNREFUSED|connection refused/i.test(words)) return false;
  const ports = [...words.matchAll(/(?:127\.0\.0\.1|localhost|::1\]?|0\.0\.0\.0)[^\d\n]{1,10}(\d{1,5})\b/g)];
  // Python names no port: inside nothing but what the skill itself started could have been asked.
  return ports.length === 0 || ports.some(([, port]) => isListening(Number(port)));
}

/** Messages of libraries about an unreachable host, a missing name server, or a proxy that refuses. */
const unreachable = new RegExp(
  [
    /network is (?:unreachable|down)|ENETUNREACH|ENETDOWN|EHOSTUNREACH|no route to host/,
    /temporary failure in name resolution|name or service not known|failure in name lookup/,
    /EAI_AGAIN|getaddrinfo ENOTFOUND|could not resolve host|failed to lookup address|UnknownHostException/,
    /dial tcp: lookup \S+|no such host/,
    /tunnel connection failed: 403|CONNECT tunnel failed, response 403|HTTP code 403 from proxy/,
    /proxy response \(?403\)?|ERR_PROXY_TUNNEL|ProxyError\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

function namedHost(words: string): string | null {
  const named =
    /(?:getaddrinfo (?:EAI_AGAIN|ENOTFOUND)|resolve host:|dial tcp: lookup|UnknownHostException:) ([\w.-]+\w)/i;
  return named.exec(words)?.[1] ?? null;
}

/** Asked of the kernel, since a program could name any port: nobody is connected to. */
function listensHere(port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["tcp", "tcp6"].some((name) =>
    (readProcessFile(`/proc/self/net/${name}`) ?? "")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .some(([, address, , state]) => state === "0A" && address?.endsWith(local)),
  );
}
