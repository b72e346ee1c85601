import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { httpServer, type LocalServer, rawServer } from "../../test/local-server.ts";
import { within } from "../../test/open-skill.ts";
import type { Failed, Outcome } from "../contract/outcome.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { type HttpOptions, httpAdapter } from "./http.ts";

const patience = within(20_000);
const megabyte = 1_048_576;

/** One call to a server, with whatever may be special about it. */
async function callServer(
  server: LocalServer,
  options: Partial<HttpOptions> = {},
  limits = patience,
): Promise<Outcome> {
  await using skill = httpAdapter({
    target: {
      origin: server.url,
      path: "/invoke",
      headers: { "x-api-key": "canary", "content-type": "application/json" },
    },
    buildBody: (input) => input,
    maxOutputBytes: 5 * megabyte,
    concurrency: 4,
    ...options,
  });
  return await skill.call({ secret: "body" }, limits);
}

async function callAnswering(answer: RequestListener, options: Partial<HttpOptions> = {}, limits = patience) {
  await using server = await httpServer(answer);
  return await callServer(server, options, limits);
}

async function callRaw(answer: (socket: Socket) => void, limits = patience): Promise<Outcome> {
  await using server = await rawServer((socket) => void socket.once("data", () => answer(socket)));
  return await callServer(server, {}, limits);
}

/** Writes a piece now and then until the other side has enough. */
function drip(stream: Writable, piece: string, first = ""): void {
  stream.write(first + piece);
  const timer = setInterval(() => stream.write(piece), 50);
  stream.once("close", () => clearInterval(timer));
}

describe("fault row 27: a server that drips", () => {
  const limits = within(400);
  const drips: [string, () => Promise<Outcome>][] = [
    ["nothing at all", () => callRaw(() => {}, limits)],
    ["headers", () => callRaw((socket) => drip(socket, "x-drip: 1\r\n", "HTTP/1.1 200 OK\r\n"), limits)],
    ["a body", () => callAnswering((_, response) => drip(response.writeHead(200), " "), {}, limits)],
    [
      "the body of an error",
      () => callAnswering((_, response) => drip(response.writeHead(500), " "), {}, limits),
    ],
    [
      "a compressed body",
      () =>
        callAnswering(
          (_, response) => {
            response.writeHead(200, { "content-encoding": "gzip" });
            response.write(gzipSync("1").subarray(0, 12));
          },
          {},
          limits,
        ),
    ],
  ];
  for (const [what, call] of drips) {
    test(`dripping ${what} meets the one deadline over everything`, async () => {
      const began = performance.now();
      const outcome = await call();

      expect(outcome).toMatchObject({ status: "timed-out", latencyMs: 400 });
      expect(performance.now() - began).toBeLessThan(10_000);
    });
  }

  test("the words of a message never make a timeout", async () => {
    const outcome = await callAnswering((_, response) =>
      response.writeHead(504).end("ETIMEDOUT: timed out, AbortError"),
    );
    expect(outcome).toMatchObject({ status: "failed", cause: "http-status" });
  });
});

describe("fault row 28: statuses", () => {
  const noon = Date.UTC(2030, 0, 1, 12, 0, 0);
  const clock: Clock = { ...systemClock, now: () => noon };

  async function statusWith(status: number, retryAfter?: string): Promise<Failed> {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    return (await callAnswering((_, response) => response.writeHead(status, headers).end("why"), {
      clock,
    })) as Failed;
  }

  test("500 is the skill's failure, with an excerpt, and may be tried again", async () => {
    const outcome = await statusWith(500);
    expect(outcome).toMatchObject({
      status: "failed",
      cause: "http-status",
      message: "HTTP 500: why",
      isFinal: false,
    });
    expect(outcome.retryAfterMs).toBeUndefined();
  });

  for (const status of [400, 401, 403, 404, 418, 499]) {
    test(`${status} is final`, async () => {
      expect(await statusWith(status)).toMatchObject({ cause: "http-status", isFinal: true });
    });
  }

  for (const status of [429, 500, 502, 503, 504]) {
    test(`${status} is not final`, async () => {
      expect(await statusWith(status)).toMatchObject({ cause: "http-status", isFinal: false });
    });
  }

  const demands: [string, string, number | undefined][] = [
    ["seconds", "7", 7000],
    ["zero", "0", 0],
    ["a date", new Date(noon + 30_000).toUTCString(), 30_000],
    ["a date of the past", new Date(noon - 30_000).toUTCString(), 0],
    ["exactly 60 seconds", "60", 60_000],
    ["more than 60 seconds", "61", 61_000],
    ["a huge number", `1${"0".repeat(20)}`, 1e23],
    ["a date of next year", new Date(noon + 4e10).toUTCString(), 4e10],
    ["a negative number", "-5", undefined],
    ["nonsense", "soon", undefined],
    ["nonsense with a number, which a lenient parser takes for a date", "in 3 minutes", undefined],
  ];
  for (const [what, header, retryAfterMs] of demands) {
    test(`429 with Retry-After as ${what} is read for what it is`, async () => {
      const outcome = await statusWith(429, header);
      expect(outcome).toMatchObject({ cause: "http-status", isFinal: false });
      expect(outcome.retryAfterMs).toBe(retryAfterMs);
    });
  }

  test("Retry-After is heard with 503 as well, and with no other status", async () => {
    expect((await statusWith(503, "7")).retryAfterMs).toBe(7000);
    expect((await statusWith(500, "7")).retryAfterMs).toBeUndefined();
  });

  test("a JSON body does not turn an error into an answer", async () => {
    const outcome = await callAnswering((_, response) => response.writeHead(404).end('{"result":"ok"}'));
    expect(outcome).toMatchObject({ status: "failed", message: 'HTTP 404: {"result":"ok"}' });
  });

  test("an error with a body beyond the cap is still that error", async () => {
    const outcome = await callAnswering((_, response) => response.writeHead(500).end("x".repeat(2000)), {
      maxOutputBytes: 1000,
    });
    expect(outcome).toMatchObject({ status: "failed", cause: "http-status", message: "HTTP 500" });
  });

  test("an error with a body that is not UTF-8 shows it as base64", async () => {
    const outcome = await callAnswering((_, response) => response.writeHead(500).end(Buffer.from([0xff])));
    expect(outcome).toMatchObject({ message: "HTTP 500: base64:/w==" });
  });
});

describe("fault row 29: redirects are refused, and nothing leaves", () => {
  async function redirectTo(location: string, status = 307): Promise<{ outcome: Outcome; requests: number }> {
    await using server = await httpServer((_, response) => response.writeHead(status, { location }).end());
    const outcome = await callServer(server);
    return { outcome, requests: server.requests };
  }

  test("to another origin: the other server sees no connection", async () => {
    await using other = await httpServer((_, response) => response.end('"caught"'));
    for (const status of [301, 302, 303, 307, 308]) {
      const { outcome } = await redirectTo(`${other.url}/steal`, status);
      expect(outcome).toMatchObject({ status: "failed", cause: "redirect-refused" });
    }
    expect(other.requests).toBe(0);
    expect(other.connections.made).toBe(0);
  });

  for (const location of [
    "/invoke",
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "//[::1]:1/x",
  ]) {
    test(`to ${location}: one request, one refusal`, async () => {
      const { outcome, requests } = await redirectTo(location);
      expect(outcome).toMatchObject({ status: "failed", cause: "redirect-refused" });
      expect(requests).toBe(1);
    });
  }

  test("a redirect without a place to go is refused as well", async () => {
    const outcome = await callAnswering((_, response) => response.writeHead(302).end('{"result":1}'));
    expect(outcome).toMatchObject({ status: "failed", cause: "redirect-refused" });
  });
});

describe("fault row 30: bodies beyond the cap", () => {
  test("a huge body is cut off at the cap, with the bytes seen", async () => {
    let sent = 0;
    const outcome = await callAnswering((_, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(megabyte, "a");
      const pour = () => {
        while (!response.destroyed && sent < 1000 * megabyte) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once("drain", pour);
        }
      };
      pour();
    });

    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.bytesSeen).toBeGreaterThan(5 * megabyte);
    expect(outcome.bytesSeen).toBeLessThan(7 * megabyte);
    expect(sent).toBeLessThan(100 * megabyte);
  });

  test("a gzip bomb of 200 kB for 200 MB is cut off at the cap of what it unpacks to", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000), { level: 1 });
    const rssBefore = process.memoryUsage().rss;

    const outcome = await callAnswering((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length }).end(bomb),
    );

    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.bytesSeen).toBeLessThan(7 * megabyte);
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(100 * megabyte);
  });

  test("a body of exactly the cap is an answer", async () => {
    const body = JSON.stringify("x".repeat(998));
    expect(await callAnswering((_, response) => response.end(body), { maxOutputBytes: 1000 })).toMatchObject({
      status: "answered",
    });
  });

  test("one byte more is too much", async () => {
    const body = JSON.stringify("x".repeat(999));
    expect(await callAnswering((_, response) => response.end(body), { maxOutputBytes: 1000 })).toMatchObject({
      cause: "output-limit",
      bytesSeen: 1001,
    });
  });

  test("headers without end are no answer", async () => {
    const outcome = await callRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      for (let line = 0; line < 1000; line++) socket.write(`x-header-${line}: ${"y".repeat(100)}\r\n`);
    });
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });
});

describe("fault row 31: broken exchanges are never an answer", () => {
  test("a reset in the middle of a body", async () => {
    const outcome = await callAnswering((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write('{"result":', () => response.socket?.resetAndDestroy());
    });
    expect(outcome).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a reset in the middle of a body that could be read as JSON", async () => {
    const outcome = await callAnswering((_, response) => {
      response.writeHead(200);
      response.write('{"result":1}', () => response.socket?.destroy());
    });
    expect(outcome).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a Content-Length that promises more than comes", async () => {
    const outcome = await callRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"result":1}'),
    );
    expect(outcome).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a Content-Length that promises less than comes", async () => {
    const outcome = await callRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"result":1}'),
    );
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });

  test("a compressed body that is cut short", async () => {
    const outcome = await callAnswering((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"result":1}').subarray(0, 15)),
    );
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });

  test("a body that is not compressed as it claims", async () => {
    for (const encoding of ["gzip", "deflate", "br"]) {
      const outcome = await callAnswering((_, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end('{"result":1}'),
      );
      expect(outcome).toMatchObject({
        status: "failed",
        cause: "bad-response",
        message: `the body is not valid ${encoding}`,
      });
    }
  });

  test("a compression nobody knows", async () => {
    const outcome = await callAnswering((_, response) =>
      response.writeHead(200, { "content-encoding": "zip9000" }).end('{"result":1}'),
    );
    expect(outcome).toMatchObject({ cause: "bad-response", message: expect.stringContaining("zip9000") });
  });

  test("TLS to a port that does not speak it", async () => {
    await using server = await httpServer((_, response) => response.end("1"));
    const outcome = await callServer({ ...server, url: server.url.replace("http:", "https:") });
    expect(outcome).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a server that does not speak HTTP", async () => {
    const outcome = await callRaw((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });

  test("nobody at the port", async () => {
    const server = await httpServer(() => {});
    await server[Symbol.asyncDispose]();
    const outcome = await callServer(server);
    expect(outcome).toMatchObject({
      status: "failed",
      cause: "connection",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("a connection that is closed without a word", async () => {
    const outcome = await callRaw((socket) => socket.end());
    expect(outcome).toMatchObject({
      status: "failed",
      cause: "connection",
      message: expect.stringMatching(/./),
    });
  });

  test("a name that nobody has", async () => {
    await using skill = httpAdapter({
      target: { origin: "http://nobody.invalid", path: "/", headers: {} },
      buildBody: (input) => input,
      maxOutputBytes: megabyte,
      concurrency: 1,
    });
    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "connection" });
  });
});

describe("bodies that are no JSON", () => {
  const bodies: [string, string | Buffer, string][] = [
    ["an empty body", "", "empty body"],
    ["text", "OK", "not valid JSON"],
    ["a page", "<!doctype html><p>Welcome", "<!doctype html>"],
    ["half an object", '{"a":', "not valid JSON"],
    ["two values", "1 2", "not valid JSON"],
    ["NaN", "NaN", "not valid JSON"],
    ["1e400", "1e400", "not finite"],
    ["a key twice", '{"a":1,"a":2}', "duplicate key"],
    ["10 000 levels", "[".repeat(10_000) + "]".repeat(10_000), "nested deeper"],
  ];
  for (const [what, body, words] of bodies) {
    test(`${what} is a bad response`, async () => {
      expect(await callAnswering((_, response) => response.end(body))).toMatchObject({
        status: "failed",
        cause: "bad-response",
        message: expect.stringContaining(words),
      });
    });
  }

  test("fault row 22: a body that is not UTF-8 is a bad response, and its bytes are kept", async () => {
    const body = Buffer.from([0x22, 0xff, 0x22]);
    expect(await callAnswering((_, response) => response.end(body))).toMatchObject({
      cause: "bad-response",
      rawBase64: body.toString("base64"),
    });
  });

  test("204 has no body and is not an answer", async () => {
    expect(await callAnswering((_, response) => response.writeHead(204).end())).toMatchObject({
      cause: "bad-response",
    });
  });

  test("a long text is quoted in part", async () => {
    const outcome = (await callAnswering((_, response) => response.end("x".repeat(100_000)))) as Failed;
    expect(outcome.message.length).toBeLessThan(600);
  });
});
