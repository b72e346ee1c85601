import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer, rawServer, readBody } from "../../../test/local-server.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { openNetworkProxy } from "./network-proxy.ts";
import { networkAllowList } from "./network-way.ts";

const echo = () =>
  httpServer(async (request, response) => {
    const { method, url, headers } = request;
    response.setHeader("x-twice", ["1", "2"]);
    response.end(JSON.stringify({ method, url, headers, body: await readBody(request) }));
  });

/** A proxy that opens these hosts; names are looked up in a table, and how often is counted. */
async function opened(hosts: string[], names: Record<string, string[]> = {}) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "proxy.sock");
  const lookups: string[] = [];
  const lookup = async (host: string): Promise<LookupAddress[]> => {
    lookups.push(host);
    const found = names[host];
    if (found === undefined)
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  const proxy = openNetworkProxy({ path, allowed: networkAllowList(hosts), lookup, connectTimeoutMs: 2000 });
  return {
    path,
    lookups,
    ...proxy,
    /** Says this to the proxy and reads until it hangs up. */
    async say(...parts: string[]): Promise<string> {
      const socket = connect(path);
      await once(socket, "connect");
      for (const part of parts) socket.write(part);
      return readBody(socket);
    },
    async [Symbol.asyncDispose]() {
      proxy[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const get = (url: string, headers = "") =>
  `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
const tunnelTo = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
const jsonIn = (reply: string) => JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));

describe("a plain request", () => {
  test("reaches a listed address, with its body and without what was said to the proxy alone", async () => {
    await using server = await echo();
    const host = `127.0.0.1:${server.port}`;
    await using proxy = await opened([host]);

    const reply = await proxy.say(
      `POST http://${host}/a?b=c HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close, x-secret\r\n`,
      "Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: close\r\nX-Secret: s\r\nX-Kept: k\r\n",
      "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    );

    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply.match(/x-twice/gi)).toHaveLength(2);
    const seen = jsonIn(reply);
    expect(seen).toMatchObject({ method: "POST", url: "/a?b=c", body: "body" });
    expect(seen.headers).toEqual({
      host,
      connection: "close",
      "x-kept": "k",
      "transfer-encoding": "chunked",
    });
    expect(proxy.takeAttempts()).toEqual([
      { host: "127.0.0.1", port: server.port, allowed: true, reason: null },
    ]);
    expect(proxy.takeAttempts()).toEqual([]);
  });

  test("to anything unlisted gets 403 with the reason, and nothing is looked up", async () => {
    await using server = await echo();
    await using proxy = await opened([`127.0.0.1:${server.port}`]);

    const reply = await proxy.say(get("http://other.example/"));

    expect(reply).toMatch(/^HTTP\/1\.1 403 Refused by eval-skills: see --allow-network\r\n/);
    expect(reply).toContain("other.example:80 is not listed in --allow-network");
    expect(proxy.lookups).toEqual([]);
    expect(proxy.takeAttempts()).toMatchObject([{ host: "other.example", port: 80, allowed: false }]);
    expect(server.connections.made).toBe(0);
  });

  test.each([
    ["/path", "a path"],
    ["https://127.0.0.1/", "https in the clear"],
    ["ftp://127.0.0.1/", "another scheme"],
    ["http://user:word@127.0.0.1/", "a password"],
    ["http://", "no host"],
  ])("for %s is refused: %s", async (url) => {
    await using proxy = await opened(["127.0.0.1"]);

    expect(await proxy.say(get(url))).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("a tunnel", () => {
  test("carries bytes both ways, also those sent along with the question, and closes one side at a time", async () => {
    await using server = await rawServer((socket) => {
      socket.once("data", (early) => socket.end(`got ${early}`));
    });
    await using proxy = await opened([`127.0.0.1:${server.port}`]);
    const socket = connect({ path: proxy.path, allowHalfOpen: true });
    socket.end(`${tunnelTo(`127.0.0.1:${server.port}`)}early`);

    expect(await readBody(socket)).toBe("HTTP/1.1 200 Connection established\r\n\r\ngot early");
  });

  test.each(["example.org:443", "127.0.0.1:9", "localhost:443", "[::1]:443", "0x7f000001:443", "127.1:443"])(
    "to %s is refused where only another port and host are listed",
    async (authority) => {
      await using proxy = await opened(["127.0.0.1:443"]);

      expect(await proxy.say(tunnelTo(authority))).toMatch(/^HTTP\/1\.1 40[03] /);
      expect(proxy.takeAttempts()).toMatchObject([{ allowed: false }]);
    },
  );

  test("to a host that does not answer gets 502, and the attempt says why", async () => {
    await using gone = await rawServer(() => {});
    const host = `127.0.0.1:${gone.port}`;
    await gone[Symbol.asyncDispose]();
    await using proxy = await opened([host]);

    expect(await proxy.say(tunnelTo(host))).toMatch(/^HTTP\/1\.1 502 /);
    expect(proxy.takeAttempts()).toMatchObject([
      { allowed: true, reason: expect.stringContaining("ECONNREFUSED") },
    ]);
  });
});

describe("a listed name", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["10.0.0.7", "private"],
    ["169.254.169.254", "link-local"],
    ["100.64.0.1", "shared"],
    ["0.0.0.0", "unspecified"],
    ["224.0.0.1", "multicast"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "translated"],
    ["64:ff9b::7f00:1", "translated"],
  ])("that leads to %s is refused", async (address, kind) => {
    await using proxy = await opened(["rebound.example"], { "rebound.example": [address] });

    expect(await proxy.say(tunnelTo("rebound.example:443"))).toMatch(/^HTTP\/1\.1 403 /);
    const [attempt] = proxy.takeAttempts();
    expect(attempt).toMatchObject({ host: "rebound.example", allowed: false });
    expect(attempt?.reason).toContain(`${address} (${kind})`);
  });

  test("is looked up once, and what is connected to is what was checked", async () => {
    await using server = await echo();
    const host = `localhost:${server.port}`;
    // The address that may not be reached by this name is passed over.
    await using proxy = await opened([host], { localhost: ["10.0.0.7", "127.0.0.1"] });

    const reply = await proxy.say(get(`http://${host}/`));

    expect(jsonIn(reply).headers.host).toBe(host);
    expect(proxy.lookups).toEqual(["localhost"]);
  });

  test("that does not exist gets 502", async () => {
    await using proxy = await opened(["missing.example"]);

    expect(await proxy.say(tunnelTo("missing.example:443"))).toMatch(/^HTTP\/1\.1 502 /);
    expect(proxy.takeAttempts()).toMatchObject([{ reason: expect.stringContaining("ENOTFOUND") }]);
  });
});

describe("a proxy", () => {
  test("lets nobody else on the machine connect", async () => {
    await using proxy = await opened([]);

    expect(statSync(proxy.path).mode & 0o777).toBe(0o600);
  });

  test("refuses a head beyond 16 KiB", async () => {
    await using proxy = await opened(["a.example"]);

    expect(await proxy.say(get("http://a.example/", `X: ${"x".repeat(17_000)}\r\n`))).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  test("keeps 32 attempts and counts the rest", async () => {
    await using proxy = await opened([]);
    const questions = Array.from({ length: 40 }, () => "GET http://a.example/ HTTP/1.0\r\n\r\n");
    for (const question of questions) await proxy.say(question);

    const attempts = proxy.takeAttempts();

    expect(attempts).toHaveLength(33);
    expect(attempts.at(-1)?.reason).toBe("8 more attempts, not listed");
  });

  test("hears from the shim that it stands ready", async () => {
    await using proxy = await opened([]);

    expect(proxy.isReady()).toBe(false);
    expect(await proxy.say(get("/ready"))).toMatch(/^HTTP\/1\.1 204 /);
    expect(proxy.isReady()).toBe(true);
  });

  test("leaves no connection behind when it is closed", async () => {
    await using server = await rawServer(() => {});
    const host = `127.0.0.1:${server.port}`;
    await using proxy = await opened([host]);
    const socket = connect(proxy.path);
    socket.write(tunnelTo(host));
    await once(socket, "data");

    proxy[Symbol.dispose]();

    await once(socket, "close");
    await expect.poll(() => server.connections.open).toBe(0);
  });
});
