import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawAnswer, rawConnection, rawRequest, requestHead } from "../../../test/raw-request.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { EventFile, TelemetryFilter } from "../../contract/telemetry.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { openEventFile } from "../event-file.ts";
import type { RequestHead } from "./asked.ts";
import { getEvents } from "./get-events.ts";
import { openTelemetryServer, type TelemetryServer } from "./open-telemetry-server.ts";
import type { Served } from "./served.ts";

const token = "a-token-for-this-test";
const app = "https://app.example";
const json = "application/json";
const post = "POST /telemetry/events";
const routes = [
  post,
  "GET /telemetry/capabilities",
  "GET /dev/telemetry/events",
  "GET /dev/telemetry/summary",
  "GET /dev/telemetry/ui",
  "HEAD /dev/telemetry/ui",
  "GET /nowhere",
  "DELETE /telemetry/events",
  "OPTIONS /telemetry/events",
];
const afterGuard: Record<string, number> = {
  "GET /nowhere": 404,
  "DELETE /telemetry/events": 405,
  "OPTIONS /telemetry/events": 405,
};

type Headers = Record<string, string | readonly string[]>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: EventFile;
/** With dev routes and an origin that may post; and one that is off, without dev routes, and in a hurry. */
let server: TelemetryServer;
let off: TelemetryServer;
const warnings: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  file = await openEventFile(join(folder.path, "t.sqlite3"), { retentionDays: 7 });
  const serverOptions = {
    host: "127.0.0.1",
    port: 0,
    token,
    retentionDays: 7,
    clock: systemClock,
    warn: (text: string) => void warnings.push(text),
  };
  const page = { html: "<!doctype html><p>page", policy: ["script-src 'sha256-x'", "connect-src 'self'"] };
  server = await openTelemetryServer({
    ...serverOptions,
    allowedOrigins: new Set([app]),
    file,
    mode: "local",
    page,
  });
  off = await openTelemetryServer({
    ...serverOptions,
    allowedOrigins: new Set(),
    file: null,
    mode: "off",
    page: null,
    patienceMs: 100,
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
  file[Symbol.dispose]();
  await folder[Symbol.asyncDispose]();
});

const defaultHeaders = (at = server): Headers => ({
  Host: `127.0.0.1:${at.port}`,
  Authorization: `Bearer ${token}`,
});
const ask = (line: string, headers: Headers = {}, body = "", at = server) =>
  rawRequest(at.port, line, { ...defaultHeaders(at), ...headers }, body);
const send = (events: readonly unknown[], headers: Headers = {}, at = server) =>
  sendText(JSON.stringify({ events }), headers, at);
const sendText = (text: string, headers: Headers = {}, at = server) =>
  ask(
    post,
    { "Content-Type": json, "Content-Length": String(Buffer.byteLength(text)), ...headers },
    text,
    at,
  );
const readDocument = ({ body }: RawAnswer) => JSON.parse(body);
const readCode = (answer: RawAnswer) => readDocument(answer).error?.code;
const readEvents = async (query: string) =>
  readDocument(await ask(`GET /dev/telemetry/events?${query}`)).events;

describe("every route asks who is there, whatever the method", () => {
  const port = () => server.port;
  const rows: [string, () => Headers, number][] = [
    ["another Host", () => ({ Host: `evil.example:${port()}` }), 403],
    ["a Host without the port", () => ({ Host: "127.0.0.1" }), 403],
    ["a Host with another port", () => ({ Host: "localhost:1" }), 403],
    ["a Host that only begins like ours", () => ({ Host: `127.0.0.1.evil.example:${port()}` }), 403],
    ["two Hosts", () => ({ Host: [`127.0.0.1:${port()}`, "evil.example"] }), 400],
    ["another Origin", () => ({ Origin: "https://evil.example" }), 403],
    ["no Origin at all, in words", () => ({ Origin: "null" }), 403],
    ["the Origin of another port", () => ({ Origin: "http://127.0.0.1:1" }), 403],
    ["our Origin under another name", () => ({ Origin: `http://localhost:${port()}` }), 403],
    ["another site", () => ({ "Sec-Fetch-Site": "cross-site" }), 403],
    ["another port of this site", () => ({ "Sec-Fetch-Site": "same-site" }), 403],
    ["no token", () => ({ Authorization: [] }), 401],
    ["another token", () => ({ Authorization: "Bearer another-token-here" }), 401],
    ["the token in another way", () => ({ Authorization: `Basic ${token}` }), 401],
    [
      "a cookie of its own making",
      () => ({ Authorization: [], Cookie: `eval_skills_telemetry_${port()}=${token}` }),
      401,
    ],
  ];

  test.each(rows)("%s", async (_, headers, status) => {
    const answers = await Promise.all(
      routes.map((route) => ask(route, { "Content-Length": "0", ...headers() })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(routes.map(() => status));
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each<[string, () => Headers]>([
    ["the token", () => ({})],
    [
      "the token under our other name",
      () => ({ Host: `LOCALHOST:${port()}`, Authorization: `bearer ${token}` }),
    ],
    [
      "the token from our own page",
      () => ({ Origin: `http://127.0.0.1:${port()}`, "Sec-Fetch-Site": "same-origin" }),
    ],
    ["somebody who typed the address", () => ({ "Sec-Fetch-Site": "none" })],
  ])("%s is let in", async (_, headers) => {
    const body = { "Content-Type": json, "Content-Length": "13" };
    const answers = await Promise.all(
      routes.map((route) =>
        ask(
          route,
          route === post ? { ...headers(), ...body } : headers(),
          route === post ? '{"events":[]}' : "",
        ),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(routes.map((route) => afterGuard[route] ?? 200));
    for (const { headers } of answers) {
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/,
      );
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    }
  });
});

describe("events", () => {
  test("of five with two bad ones three are stored, and the two have reasons", async () => {
    const five = [
      { event: "five.a" },
      { ts: 1 },
      { event: "five.b", ts: 123 },
      "x",
      { event: "five.c", ts: "?" },
    ];
    const answer = await send(five);
    expect(answer.status).toBe(200);
    expect(readDocument(answer)).toEqual({
      accepted: 3,
      duplicates: 0,
      rejected: [
        { index: 1, reason: "event_name is missing" },
        { index: 3, reason: "an event must be an object, not text" },
      ],
      enabled: true,
    });
    const [old] = await readEvents("event_name=five.b");
    expect(old.ts).toBe(123);
    file.sweep(Date.now() / 1000);
    expect(await readEvents("event_name=five.b")).toEqual([old]);
  });

  test("the same turn reported by client and server counts once, and what is sent again not at all", async () => {
    const turn = { event_name: "chat.turn_done", session_id: "s1", turn_id: "t1" };
    const client = { ...turn, ts: 5, payload: { ok: false, chat_ms: 900, first_token_ms: 20 } };
    const server = { ...turn, ts: 6, source: "server", payload: { ok: true, chat_ms: 880 } };
    expect(readDocument(await send([client]))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(readDocument(await send([client, client]))).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(readDocument(await send([server]))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await readEvents("session_id=s1")).toMatchObject([
      { reports: 2, source: "server", payload: { ok: true, chat_ms: 880, first_token_ms: 20 } },
    ]);
  });

  test("come back newest first, page by page, filtered and counted", async () => {
    await send(
      Array.from({ length: 250 }, (_, n) => ({
        event: "many",
        runId: "pages",
        ts: n,
        payload: { ms: n, ok: n % 5 > 0 },
      })),
    );
    const first = readDocument(await ask("GET /dev/telemetry/events?run_id=pages&limit=180"));
    expect(first.events.map(({ ts }: { ts: number }) => ts)).toEqual(
      Array.from({ length: 180 }, (_, n) => 249 - n),
    );
    const rest = readDocument(
      await ask(`GET /dev/telemetry/events?run_id=pages&before_id=${first.next_before_id}`),
    );
    expect(rest).toMatchObject({ enabled: true, next_before_id: null, now_ts: expect.any(Number) });
    expect(rest.events).toHaveLength(70);
    expect(await readEvents("run_id=pages&since_ts=10&until_ts=11.5")).toHaveLength(2);
    const summary = readDocument(await ask("GET /dev/telemetry/summary?run_id=pages&group_by=event_name"));
    expect(summary.groups).toEqual([
      { group: { event_name: "many" }, count: 250, errors: 50, p50: 124, p95: 237 },
    ]);
  });

  test("an answer that would grow too large ends early and says where to go on", async () => {
    const event = { event_name: "large", payload: { text: "x".repeat(30_000) } };
    const endless = {
      events: ({ limit, beforeId = 1000 }: TelemetryFilter) =>
        Array.from({ length: Math.min(limit, beforeId - 1) }, (_, n) => ({ ...event, id: beforeId - 1 - n })),
    };
    const preflightReply = { parameters: new URLSearchParams("limit=5000") } as RequestHead;
    const reply = await getEvents(preflightReply, {
      file: endless as unknown as EventFile,
      clock: systemClock,
    } as Served);
    const { events, next_before_id } = JSON.parse(reply.body);
    expect(reply.body.length).toBeLessThan(10 * 1024 * 1024);
    expect([events.at(0).id, events.at(-1).id, events.length]).toEqual([
      999,
      next_before_id,
      1000 - next_before_id,
    ]);
  });

  test.each([
    ["GET /dev/telemetry/events?limit=0", 400],
    ["GET /dev/telemetry/events?limit=5001", 400],
    ["GET /dev/telemetry/events?limit=5000&run_id=none", 200],
    ["GET /dev/telemetry/events?before_id=0", 400],
    ["GET /dev/telemetry/events?since_ts=soon", 400],
    ["GET /dev/telemetry/events?run=1", 400],
    ["GET /dev/telemetry/events?run_id=1&run_id=2", 400],
    ["GET /dev/telemetry/events?run_id=", 400],
    ["GET /dev/telemetry/events?run_id=..%2F..%2Fetc%2Fpasswd'--&limit=1", 200],
    ["GET /dev/telemetry/summary?limit=5", 400],
    ["GET /dev/telemetry/summary?group_by=payload", 400],
    ["GET /dev/telemetry/summary?group_by=skill_id,host_app", 200],
    ["GET /telemetry/capabilities?x=1", 400],
    ["GET /dev/telemetry/%65vents", 404],
    ["GET /dev/telemetry/../telemetry/events", 404],
    ["GET //evil.example/dev/telemetry/ui", 404],
    ["GET http://evil.example/dev/telemetry/ui", 400],
    ["PUT /dev/telemetry/events", 405],
  ])("%s → %i", async (line, status) => {
    expect((await ask(line, { "Content-Length": "0" })).status).toBe(status);
  });
});

describe("a body", () => {
  test("fault row 52: a body of 1 GB is refused before it is sent, and where it does not say its size, after 1 MiB", async () => {
    const huge = { "Content-Type": json, "Content-Length": String(1e9) };
    const known = await ask(post, huge, "x".repeat(10_000));
    expect([known.status, known.headers.connection]).toEqual([413, "close"]);
    const waiting = await ask(post, { ...huge, Expect: "100-continue" });
    expect([waiting.status, waiting.before]).toEqual([413, []]);
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const unknown = await ask(
      post,
      { "Content-Type": json, "Transfer-Encoding": "chunked" },
      chunk.repeat(17),
    );
    expect([unknown.status, readCode(unknown)]).toEqual([413, "too-large"]);
    const stranger = await ask(post, { ...huge, Authorization: [] }, "x".repeat(10_000));
    expect([stranger.status, stranger.headers.connection]).toEqual([401, "close"]);
  });

  test("whose sender waits for 100-continue gets it after all other checks", async () => {
    const connection = rawConnection(server.port);
    const text = '{"events":[{"event":"patient"}]}';
    const headers = {
      ...defaultHeaders(),
      "Content-Type": json,
      "Content-Length": String(text.length),
      Expect: "100-continue",
    };
    connection.send(requestHead(post, headers));
    await new Promise((resolve) => connection.socket.once("data", resolve));
    connection.send(text);
    expect(await connection.answer).toMatchObject({ status: 200, before: [100] });
  });

  test.each<[string, Headers, string, number]>([
    ["a form", { "Content-Type": "text/plain" }, '{"events":[]}', 415],
    ["of another charset", { "Content-Type": "application/json; charset=utf-16" }, '{"events":[]}', 415],
    ["with its charset", { "Content-Type": 'application/json; charset="UTF-8"' }, '{"events":[]}', 200],
    ["packed", { "Content-Encoding": "gzip" }, '{"events":[]}', 415],
    ["no JSON", {}, '{"events":', 400],
    ["nothing", {}, "", 400],
    ["a list", {}, "[]", 400],
    ["something that is not a post, such as spans", {}, '{"resourceSpans":[{"scopeSpans":[]}]}', 400],
    ["as deep as 1 MiB goes", {}, "[".repeat(1024 * 1024), 400],
    ["too many events", {}, `{"events":[${"1,".repeat(500)}1]}`, 413],
  ])("fault row 52: a body that is not a post costs an answer: %s", async (_, headers, text, status) => {
    expect((await sendText(text, headers)).status).toBe(status);
  });

  test("that is not UTF-8 is refused", async () => {
    const connection = rawConnection(server.port);
    connection.send(requestHead(post, { ...defaultHeaders(), "Content-Type": json, "Content-Length": "3" }));
    connection.socket.write(Buffer.from([0x22, 0xff, 0x22]));
    expect((await connection.answer).status).toBe(400);
  });

  test("whose sender leaves in the middle harms nobody", async () => {
    const head = requestHead(post, { ...defaultHeaders(), "Content-Type": json, "Content-Length": "1000" });
    const leaving = Array.from({ length: 20 }, () => rawConnection(server.port));
    for (const { send, socket, answer } of leaving) {
      send(`${head}{"events":`);
      socket.once("connect", () => socket.end(() => socket.resetAndDestroy()));
      answer.catch(() => {});
    }
    await Promise.all(leaving.map(({ answer }) => answer.catch(() => {})));
    expect((await send([{ event: "after" }])).status).toBe(200);
  });

  test("that never ends is given up", async () => {
    const { status } = await ask(post, { "Content-Type": json, "Content-Length": "100" }, "{", off);
    expect(status).toBe(408);
  });

  test("fault row 52: of a flood of posts some are in, some wait, and the rest hear that it is too much", async () => {
    const text = '{"events":[{"event":"flood"}]}';
    const head = requestHead(post, {
      ...defaultHeaders(),
      "Content-Type": json,
      "Content-Length": String(text.length),
    });
    const refused: number[] = [];
    const connections = Array.from({ length: 90 }, () => rawConnection(server.port));
    const enough = new Promise<void>((done) => {
      for (const { answer } of connections)
        void answer.then(({ status }) => {
          if (refused.push(status) === 18) done();
        });
    });
    for (const connection of connections) connection.send(head);
    await enough;
    expect(new Set(refused)).toEqual(new Set([429]));
    for (const { send } of connections) send(text);
    const statuses = (await Promise.all(connections.map(({ answer }) => answer))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(72);
    expect(await readEvents("event_name=flood")).toHaveLength(72);
  });
});

test("fault row 52: others are answered while posts pour in", async () => {
  const order: string[] = [];
  const events = Array.from({ length: 300 }, (_, n) => ({ event: "pour", run_id: `r${n}` }));
  const posts = Array.from({ length: 6 }, async () => {
    const { status } = await send(events);
    order.push("post");
    return status;
  });
  const capabilities = ask("GET /telemetry/capabilities").then(() => order.push("capabilities"));
  expect(await Promise.all(posts)).toEqual(Array(6).fill(200));
  await capabilities;
  expect(order.at(-1)).toBe("post");
});

describe("an origin that was allowed", () => {
  const origin = { Origin: app, "Sec-Fetch-Site": "cross-site" };
  const preflight = {
    ...origin,
    Authorization: [],
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
  };

  test("may ask whether it may, and send events with the token", async () => {
    const preflightReply = await ask("OPTIONS /telemetry/events", preflight);
    expect(preflightReply.status).toBe(204);
    expect(preflightReply.headers).toMatchObject({
      "access-control-allow-origin": app,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization, content-type",
      vary: "Origin",
    });
    expect(preflightReply.headers).not.toHaveProperty("access-control-allow-credentials");
    const sent = await send([{ event: "from.app" }], origin);
    expect([sent.status, sent.headers["access-control-allow-origin"]]).toEqual([200, app]);
  });

  test("may do nothing without the token, and read nothing with it", async () => {
    expect((await send([], { ...origin, Authorization: [] })).status).toBe(401);
    const cookie = await readCookie();
    expect((await send([], { ...origin, Authorization: [], Cookie: cookie })).status).toBe(401);
    const others = routes.filter((route) => route !== post);
    const answers = await Promise.all([
      ...others.map((route) => ask(route, origin)),
      ask("OPTIONS /dev/telemetry/events", { ...preflight, "Access-Control-Request-Method": "GET" }),
      ask("OPTIONS /telemetry/events", { ...preflight, "Access-Control-Request-Method": "GET" }),
      ask("OPTIONS /telemetry/events", { ...preflight, Origin: `${app}.evil.example` }),
      ask("OPTIONS /telemetry/events", { ...preflight, Origin: app.replace("https", "http") }),
    ]);
    for (const { status, headers } of answers) {
      expect(status).toBe(403);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });
});

async function readCookie(): Promise<string> {
  const { headers } = await ask(`GET /dev/telemetry/ui?token=${token}`, {
    Authorization: [],
    "Sec-Fetch-Site": "none",
  });
  return headers["set-cookie"]?.split(";")[0] ?? "";
}

describe("the page", () => {
  test("takes the token once from its address, and then a cookie that no script and no other site can use", async () => {
    const { status, headers, body } = await ask(`GET /dev/telemetry/ui?token=${token}`, {
      Authorization: [],
    });
    expect([status, headers.location, body]).toEqual([303, "/dev/telemetry/ui", ""]);
    expect(headers["set-cookie"]).toMatch(
      /^eval_skills_telemetry_\d+=[\w-]{43}; Path=\/dev\/telemetry; HttpOnly; SameSite=Strict$/,
    );
    expect(headers["set-cookie"]).not.toContain(token);
    const withCookie = {
      Authorization: [],
      Cookie: `other=1; ${await readCookie()}`,
      "Sec-Fetch-Site": "same-origin",
    };
    const page = await ask("GET /dev/telemetry/ui", withCookie);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.body).not.toContain(token);
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'sha256-x'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect((await ask("GET /dev/telemetry/events", withCookie)).status).toBe(200);
    expect(
      (await ask("GET /dev/telemetry/events", { ...withCookie, "Sec-Fetch-Site": "same-site" })).status,
    ).toBe(403);
    expect((await ask("GET /dev/telemetry/ui?token=wrong", withCookie)).status).toBe(401);
    const elsewhere = await ask(`GET /dev/telemetry/events?token=${token}`, { Authorization: [] });
    expect(elsewhere.status).toBe(401);
  });
});

describe("a server that is off and has no dev routes", () => {
  test("says so, keeps nothing and shows nothing", async () => {
    const { status, body } = await send([{ event: "a" }, 1], {}, off);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      accepted: 0,
      duplicates: 0,
      rejected: [{ index: 1, reason: "an event must be an object, not 1" }],
      enabled: false,
    });
    const capabilities = readDocument(await ask("GET /telemetry/capabilities", {}, "", off));
    expect(capabilities).toEqual({
      enabled: false,
      mode: "off",
      retention_days: 7,
      schema_version: "eval-skills.telemetry.v1",
      limits: { body_bytes: 1_048_576, events_per_post: 500, event_bytes: 32_768, event_depth: 32 },
    });
    for (const name of ["events", "summary", "ui", `ui?token=${token}`])
      expect((await ask(`GET /dev/telemetry/${name}`, {}, "", off)).status).toBe(404);
  });
});

test("a file that cannot be written costs an answer, not the server, and its operator gets the reason", async () => {
  const broken: EventFile = {
    ...file,
    add: () => {
      throw new Error("the disk is full");
    },
  };
  await using server = await openTelemetryServer({
    host: "127.0.0.1",
    port: 0,
    token,
    retentionDays: 7,
    clock: systemClock,
    warn: (text) => void warnings.push(text),
    allowedOrigins: new Set(),
    file: broken,
    mode: "local",
    page: null,
  });
  const answer = await send([{ event: "a" }], {}, server);
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "5"]);
  expect(answer.body).not.toContain("disk");
  expect(warnings).toEqual(["/telemetry/events failed: the disk is full"]);
});

test("an address that is taken is the user's to change", async () => {
  const second = openTelemetryServer({
    host: "127.0.0.1",
    port: server.port,
    token,
    retentionDays: 7,
    clock: systemClock,
    warn: () => {},
    allowedOrigins: new Set(),
    file: null,
    mode: "off",
    page: null,
  });
  await expect(second).rejects.toMatchObject({
    code: "usage",
    exitCode: 2,
    hint: expect.stringContaining("--port 0"),
  });
});
