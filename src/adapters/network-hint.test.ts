import { expect, test } from "vitest";
import type { Containment } from "../contract/containment.ts";
import type { Adapter, Evidence, Outcome } from "../contract/outcome.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { withNetworkHint } from "./network-hint.ts";

const sentence = "this run has no network; allow it with --network open or --allow-network <host>";
const closed: Containment = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] };

interface Facts {
  containment?: Partial<Containment>;
  metadata?: UnitSkill["metadata"];
  evidence?: Partial<Evidence>;
}

/** What becomes of a failure with this message. */
async function messageOf(message: string, { containment, metadata = {}, evidence }: Facts = {}) {
  const failure: Outcome = { status: "failed", cause: "crash", latencyMs: 1, message, ...evidence };
  const adapter: Adapter = { call: async () => failure, async [Symbol.asyncDispose]() {} };
  const sandbox = { containment: { ...closed, ...containment } } as Sandbox;
  const hinted = withNetworkHint(adapter, { metadata } as UnitSkill, sandbox);
  const outcome = await hinted.call(null, { deadlineMs: 1, signal: new AbortController().signal });
  return (outcome as { message: string }).message;
}

const failures = [
  "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
  "socket.gaierror: [Errno -2] Name or service not known",
  "OSError: [Errno 101] Network is unreachable",
  "fetch failed: getaddrinfo EAI_AGAIN example.org",
  "Error: getaddrinfo ENOTFOUND example.org",
  "connect ENETUNREACH 93.184.216.34:443 - Local (0.0.0.0:0)",
  "connect ECONNREFUSED 127.0.0.1:5432",
  "ConnectionRefusedError: [Errno 111] Connection refused",
  "curl: (6) Could not resolve host: example.org",
  "dial tcp: lookup example.org on 127.0.0.53:53: no such host",
  "java.net.UnknownHostException: example.org",
  "OSError: Tunnel connection failed: 403 Forbidden",
  "Proxy response (403) !== 200 when HTTP Tunneling",
  "curl: (56) CONNECT tunnel failed, response 403",
];
for (const message of failures) {
  test(`a closed network explains: ${message}`, async () => {
    expect(await messageOf(message)).toBe(`${message} (${sentence})`);
  });
}

test("what stands in stderr alone explains a failure too", async () => {
  const evidence = { stderrTail: "OSError: [Errno 101] Network is unreachable\n" };
  expect(await messageOf("exit 0 without an answer", { evidence })).toContain(sentence);
});

test("a host that the proxy refused explains a failure, whatever the skill says about it", async () => {
  const refused = { host: "example.org", port: 443, allowed: false, reason: "not on the list" };
  const containment = { network: ["api.example.org"] };
  expect(await messageOf("no luck", { containment, evidence: { network: [refused] } })).toBe(
    "no luck (this run can reach only api.example.org, through HTTP_PROXY; allow it with --network open or --allow-network <host>)",
  );
  const passed = { ...refused, allowed: true, reason: null };
  expect(await messageOf("no luck", { containment, evidence: { network: [passed] } })).toBe("no luck");
});

test("a failure of another kind is left as it is", async () => {
  for (const message of [
    "exit 1 without an answer: ZeroDivisionError: division by zero",
    "HTTP 403",
    "the network of friends is large",
  ])
    expect(await messageOf(message)).toBe(message);
});

test("with an open network nothing is added", async () => {
  const message = "OSError: [Errno 101] Network is unreachable";
  expect(await messageOf(message, { containment: { network: "open" } })).toBe(message);
});

test("a skill that closed the network itself is told so, where it could be closed", async () => {
  const message = "OSError: [Errno 101] Network is unreachable";
  const metadata = { "eval-skills.allow-network": "false" } as const;
  const containment = { network: "open" } as const;
  expect(await messageOf(message, { containment, metadata })).toContain("its metadata");
  expect(await messageOf(message, { containment: { ...containment, level: "process" }, metadata })).toBe(
    message,
  );
});
