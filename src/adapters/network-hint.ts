import type { Containment } from "../contract/containment.ts";
import type { Adapter, Outcome } from "../contract/outcome.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";

/** Adds to a failed connection why there was no network, so that nobody looks for the fault in the skill. */
export function withNetworkHint(adapter: Adapter, skill: UnitSkill, { containment }: Sandbox): Adapter {
  const why = whyClosed(skill, containment);
  if (why === null) return adapter;
  return {
    async call(input, limits) {
      return hinted(await adapter.call(input, limits), why);
    },
    [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose](),
  };
}

function whyClosed(skill: UnitSkill, { level, network }: Containment): string | null {
  const canClose = level === "strict" || level === "reduced";
  if (canClose && wantsNoNetwork(skill))
    return "this skill has no network: its metadata disables it (eval-skills.allow-network)";
  if (network === "open") return null;
  const reach =
    network === "none"
      ? "this run has no network"
      : `this run can reach only ${network.join(", ")}, through HTTP_PROXY`;
  return `${reach}; allow it with --network open or --allow-network <host>`;
}

function hinted(outcome: Outcome, why: string): Outcome {
  if (outcome.status !== "failed" && outcome.status !== "timed-out") return outcome;
  return missedTheNetwork(outcome) ? { ...outcome, message: `${outcome.message} (${why})` } : outcome;
}

function missedTheNetwork({
  message,
  stderrTail = "",
  network = [],
}: Outcome & { message: string }): boolean {
  if (network.some(({ allowed }) => !allowed)) return true;
  return failedConnection.test(message) || failedConnection.test(stderrTail);
}

/** Messages of libraries about an unreachable host, a missing name server, or a proxy that refuses. */
const failedConnection = new RegExp(
  [
    /network is (?:unreachable|down)|ENETUNREACH|ENETDOWN|EHOSTUNREACH|no route to host/,
    /temporary failure in name resolution|name or service not known|failure in name lookup/,
    /EAI_AGAIN|getaddrinfo ENOTFOUND|could not resolve host|failed to lookup address|UnknownHostException/,
    /dial tcp: lookup \S+|no such host/,
    // A closed network also cuts off the machine's own services: nothing listens at 127.0.0.1 inside.
    /ECONNREFUSED|connection refused/,
    /tunnel connection failed: 403|CONNECT tunnel failed, response 403|HTTP code 403 from proxy/,
    /proxy response \(?403\)?|ERR_PROXY_TUNNEL|ProxyError\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** A skill may close the network for itself, but cannot open it. */
export function wantsNoNetwork({ metadata }: Pick<UnitSkill, "metadata">): boolean {
  return String(metadata["eval-skills.allow-network"]) === "false";
}
