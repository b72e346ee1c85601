import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { openSampleTools } from "../../../test/sample-tools.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { flagsApprover, scriptedApprover } from "./approvers.ts";
import type { ToolsOptions } from "./open-tools.ts";

/** A run that may send requests to these hosts. */
async function openNetwork(hosts: readonly string[], options: Partial<Omit<ToolsOptions, "policy">> = {}) {
  const tools = await openSampleTools({
    approver: flagsApprover([{ tool: "network_request", scope: "call" }]),
    ...options,
    policy: { enable_tools: ["network_request"], network_hosts: hosts },
  });
  const send = (params: JsonObject, remainingMs = 20_000) =>
    tools.call("network_request", params, { remainingMs });
  return { ...tools, send };
}

const loopback = async () => [{ address: "127.0.0.1", family: 4 }];

describe("a request", () => {
  test("to a host that is listed is sent, and its answer reported", async () => {
    await using server = await httpServer(async (request, response) => {
      const { method, url, headers } = request;
      const seen = { method, url, host: headers.host, own: headers["x-own"], body: await readBody(request) };
      response.end(JSON.stringify(seen));
    });
    const host = `127.0.0.1:${server.port}`;
    await using tools = await openNetwork([host]);
    const url = `http://${host}/a?b=c`;
    const end = await tools.send({ url, method: "post", headers: { "X-Own": "1" }, body: "sent" });
    const [first, seen = ""] = end.observation.summary.split("\n");
    expect(end).toMatchObject({ started: true, ok: true, result: { status: 200, bytes: seen.length } });
    expect(first).toBe(`HTTP 200, ${seen.length} bytes`);
    expect(JSON.parse(seen)).toEqual({ method: "POST", url: "/a?b=c", host, own: "1", body: "sent" });
    expect(tools.reported).toEqual(["required", "granted call", "synced"]);
  });

  test.each<[string, JsonObject, string]>([
    ["a host that is not listed", { url: "http://example.com/" }, "ToolNotAllowed"],
    ["another port", { url: "http://api.example.org:8080/" }, "ToolNotAllowed"],
    ["an address in other clothes", { url: "http://2130706433/" }, "ToolNotAllowed"],
    ["a file", { url: "file:///etc/passwd" }, "ToolNotAllowed"],
    ["a user's name", { url: "http://me:pw@api.example.org/" }, "ToolNotAllowed"],
    [
      "another host in its header",
      { url: "http://api.example.org", headers: { Host: "x" } },
      "InvalidAction",
    ],
    [
      "a line break in a header",
      { url: "http://api.example.org", headers: { a: "b\r\nc: d" } },
      "InvalidAction",
    ],
    ["a method of its own", { url: "http://api.example.org", method: "CONNECT" }, "InvalidAction"],
    ["a body with GET", { url: "http://api.example.org", body: "x" }, "InvalidAction"],
  ])("for %s is refused before anybody is asked", async (_, params, code) => {
    const lookup = async () => {
      throw new Error("nothing was to be looked up");
    };
    await using tools = await openNetwork(["api.example.org", "no host at all"], { lookup });
    expect(await tools.send(params)).toMatchObject({ started: false, ok: false, error: { code } });
    expect(tools.reported).toEqual([]);
  });

  test("goes nowhere without approval", async () => {
    await using server = await httpServer((_, response) => response.end());
    const host = `127.0.0.1:${server.port}`;
    for (const [approver, code] of [
      [scriptedApprover([]), "ApprovalDenied"],
      [flagsApprover([]), "ApprovalRequired"],
    ] as const) {
      await using tools = await openNetwork([host], { approver });
      expect(await tools.send({ url: server.url })).toMatchObject({ started: false, error: { code } });
    }
    expect(server.connections.made).toBe(0);
  });

  test("by a name that leads into the machine is not sent, unless the name is localhost", async () => {
    await using server = await httpServer((_, response) => response.end("local"));
    const { port } = server;
    await using tools = await openNetwork([`inside.example.org:${port}`, `localhost:${port}`], {
      lookup: loopback,
    });
    expect(await tools.send({ url: `http://inside.example.org:${port}/` })).toMatchObject({
      ...{ started: false, error: { code: "ToolNotAllowed", reason: "private_address" } },
    });
    expect(server.connections.made).toBe(0);
    expect(await tools.send({ url: `http://localhost:${port}/` })).toMatchObject({ started: true, ok: true });
  });

  test("that is answered with a redirect is not sent there", async () => {
    await using server = await httpServer((request, response) => {
      if (request.url === "/there") return response.end("arrived");
      response.writeHead(302, { location: "/there" }).end();
    });
    await using tools = await openNetwork([`127.0.0.1:${server.port}`]);
    expect(await tools.send({ url: server.url })).toMatchObject({
      ...{ started: true, ok: false, error: { code: "IOError", reason: "redirect_refused" } },
      result: { status: 302 },
    });
    expect(server.requests).toBe(1);
  });

  test("may fail in every way that requests fail", async () => {
    await using server = await httpServer((request, response) => {
      if (request.url === "/silent") return;
      if (request.url === "/reset") return void request.socket.destroy();
      if (request.url === "/long") return response.end("é".repeat(12_001));
      if (request.url === "/flood") return response.end(Buffer.alloc(1_048_577));
      response.writeHead(404).end("nothing here");
    });
    await using tools = await openNetwork([`127.0.0.1:${server.port}`, "127.0.0.1:1", "gone.example.org"], {
      lookup: async () => {
        throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
      },
    });
    const at = (path: string, ms?: number) => tools.send({ url: new URL(path, server.url).href }, ms);
    expect(await at("/none")).toMatchObject({
      ...{ ok: false, error: { code: "IOError", reason: "http_status" }, result: { status: 404 } },
      observation: { summary: "HTTP 404, 12 bytes\nnothing here" },
    });
    expect(await at("/silent", 200)).toMatchObject({
      ...{ started: true, error: { code: "Timeout" }, audit: { result: { ok: false, timeout: true } } },
    });
    expect(await at("/reset")).toMatchObject({ error: { code: "IOError", reason: "connection" } });
    expect(await at("/flood")).toMatchObject({ started: true, error: { code: "OutputLimit" } });
    const refused = await tools.send({ url: "http://127.0.0.1:1/" });
    expect(refused).toMatchObject({ started: true, error: { code: "IOError", reason: "connection" } });
    const gone = await tools.send({ url: "http://gone.example.org/" });
    expect(gone).toMatchObject({ started: false, error: { code: "IOError", reason: "name_not_found" } });
    const { observation } = await at("/long");
    expect(observation.summary).toContain("[...truncated...] 12000 of 12001");
    const stored = readFileSync(join(tools.dir, String(observation.storage_ref)), "utf8");
    expect(stored).toBe("é".repeat(12_001));
  });

  test("is broken off with the run", async () => {
    const stop = new AbortController();
    await using server = await httpServer(() => stop.abort(new Error("called off")));
    await using tools = await openNetwork([`127.0.0.1:${server.port}`]);
    const params = { url: server.url };
    await expect(tools.call("network_request", params, {}, stop.signal)).rejects.toThrow("called off");
  });
});
