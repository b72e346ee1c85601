import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Containment } from "../../contract/containment.ts";
import type { NetworkAttempt } from "../../contract/sandbox.ts";
import { explainNetwork } from "./closed-network.ts";

const sentence = "this run has no network; allow it with --network open or --allow-network";

interface Facts {
  network?: Containment["network"];
  wish?: "none";
  attempts?: readonly NetworkAttempt[];
}

function why(words: string, { network = "none", wish, attempts }: Facts = {}): string | null {
  const listens = (port: number) => port === 5432;
  return explainNetwork({ network: wish }, { words, network: attempts }, { network }, listens)?.why ?? null;
}

const failures: readonly (readonly [words: string, host: string])[] = [
  ["urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", "<host>"],
  ["socket.gaierror: [Errno -2] Name or service not known", "<host>"],
  ["OSError: [Errno 101] Network is unreachable", "<host>"],
  ["fetch failed: getaddrinfo EAI_AGAIN example.org", "example.org"],
  ["Error: getaddrinfo ENOTFOUND example.org", "example.org"],
  ["connect ENETUNREACH 93.184.216.34:443 - Local (0.0.0.0:0)", "<host>"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "<host>"],
  ["HTTPConnectionPool(host='localhost', port=5432): [Errno 111] Connection refused", "<host>"],
  ["ConnectionRefusedError: [Errno 111] Connection refused", "<host>"],
  ["curl: (6) Could not resolve host: example.org", "example.org"],
  ["dial tcp: lookup example.org on 127.0.0.53:53: no such host", "example.org"],
  ["java.net.UnknownHostException: example.org", "example.org"],
  ["OSError: Tunnel connection failed: 403 Forbidden", "<host>"],
  ["Proxy response (403) !== 200 when HTTP Tunneling", "<host>"],
  ["curl: (56) CONNECT tunnel failed, response 403", "<host>"],
];
for (const [words, host] of failures) {
  test(`a closed network explains: ${words}`, () => {
    expect(why(words)).toBe(`${sentence} ${host}`);
  });
}

test("a host that the proxy refused explains a failure, whatever the skill says about it", () => {
  const refused = { host: "example.org", port: 443, allowed: false, reason: "not on the list" };
  const network = ["api.example.org"];
  expect(why("no luck", { network, attempts: [refused] })).toBe(
    "this run can reach only api.example.org, through HTTP_PROXY; allow it with --network open or --allow-network example.org:443",
  );
  const passed = { ...refused, allowed: true, reason: null };
  expect(why("no luck", { network, attempts: [passed] })).toBeNull();
});

test("a failure of another kind is not explained, nor a refusal where nobody listens outside either", () => {
  for (const words of [
    "exit 1 without an answer: ZeroDivisionError: division by zero",
    "HTTP 403",
    "the network of friends is large",
    "connect ECONNREFUSED 127.0.0.1:5433",
  ])
    expect(why(words)).toBeNull();
});

test("with an open network nothing is explained", () => {
  expect(why("OSError: [Errno 101] Network is unreachable", { network: "open" })).toBeNull();
});

test("a skill that closed the network itself gets that as the reason, and is to blame", () => {
  const words = "OSError: [Errno 101] Network is unreachable";
  const hindrance = explainNetwork({ network: "none" }, { words }, { network: "open" });
  expect(hindrance).toMatchObject({ isChosen: true, why: expect.stringContaining("its metadata") });
});

test("who listens on this machine is asked of the kernel", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const explain = () =>
    explainNetwork({}, { words: `connect ECONNREFUSED 127.0.0.1:${port}` }, { network: "none" });
  expect(explain()).not.toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(explain()).toBeNull();
});
