import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { httpServer, readBody } from "../../../../test/local-server.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import { systemClock } from "../../../shared/async/clock.ts";
import { openSseService } from "./sse-service.ts";

const values = { input: "do it", host: "wps", session: "s-1" };

/** Asks a real server once, which answers like this. */
async function askServer(
  answer: (response: ServerResponse) => void,
  { headers = {}, signal = neverAborted }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
) {
  const seen: { body: string; headers: NodeJS.Dict<string | string[]>; url: string | undefined }[] = [];
  await using server = await httpServer(async (request, response) => {
    seen.push({ body: await readBody(request), headers: request.headers, url: request.url });
    answer(response);
  });
  await using service = openSseService({
    url: `${server.url}/plan?v=1`,
    headers,
    body: { q: `$${"{input}"}` },
    concurrency: 2,
    clock: systemClock,
  });
  const made = await service.source(values).generate(0, null, signal);
  return { made, seen };
}

const final = 'data: {"type":"final_result","success":true,"plan":{"title":"计划"},"attempt_count":1}\n\n';
const events = { "content-type": "text/event-stream" };

test("one POST with the filled body; the answer may come in any pieces, and nobody waits for more than its end", async () => {
  const { made, seen } = await askServer(
    (response) => {
      response.writeHead(200, events);
      // Byte by byte, so that lines and characters are split; and the stream stays open.
      for (const byte of Buffer.from(`: hi\r\n\r\ndata: {"type":"progress"}\r\n\r\n${final}`))
        response.write(Buffer.of(byte));
    },
    { headers: { Authorization: "Bearer key" } },
  );

  expect(made).toMatchObject({
    status: "generated",
    output: '{"title":"计划"}',
    service: { claimedOk: true, repairs: 0, events: { progress: 1, final_result: 1 } },
  });
  expect(seen).toEqual([
    {
      body: '{"q":"do it"}',
      url: "/plan?v=1",
      headers: expect.objectContaining({
        "content-type": "application/json",
        accept: "text/event-stream",
        authorization: "Bearer key",
      }),
    },
  ]);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  [
    "a stream without its last event",
    (response) => response.writeHead(200, events).end('data: {"type":"progress"}\n\n'),
    "the stream ended without final_result",
  ],
  [
    "a page instead of a stream",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Please log in"),
    "the stream ended without final_result: content-type is text/html, not text/event-stream",
  ],
  [
    "a breakdown of the service",
    (response) => response.writeHead(200, events).end('data: {"type":"error","error":"no model"}\n\n'),
    "the service failed: no model",
  ],
  [
    "a last event that breaks off",
    (response) => response.writeHead(200, events).end(final.slice(0, 60)),
    "the stream ended without final_result",
  ],
  [
    "HTTP 500",
    (response) => response.writeHead(500).end("out \u001b[31mof order"),
    "HTTP 500: out \\e[31mof order",
  ],
  [
    "a redirect",
    (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
    "HTTP 307 redirect is not followed",
  ],
  [
    "an encoding nobody asked for",
    (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
    "content-encoding gzip is not supported",
  ],
  ["a connection that breaks", (response) => response.destroy(), "other side closed (UND_ERR_SOCKET)"],
])("%s is no outcome, and asked once", async (_, answer, message) => {
  const { made, seen } = await askServer(answer);

  expect(made).toMatchObject({ status: "failed", cause: "provider-error", message });
  expect(seen).toHaveLength(1);
});

test("a service that is silent is left alone when the sample is over", async () => {
  const stop = new AbortController();
  const asking = askServer(() => stop.abort(new Error("over")), { signal: stop.signal });

  await expect(asking).rejects.toThrow("over");
});
