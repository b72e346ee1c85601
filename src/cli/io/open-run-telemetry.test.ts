import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

/** A collector that accepts spans as they arrive, or refuses them. */
async function collector(status = 200) {
  const spans: Span[] = [];
  const paths: string[] = [];
  const server = await httpServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const { resourceSpans } = JSON.parse(await readBody(request));
    for (const { scopeSpans } of resourceSpans)
      for (const { spans: received } of scopeSpans) spans.push(...(status === 200 ? received : []));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  return { spans, paths, url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** One skill with a right, a wrong and a broken answer; its inputs must never be sent. */
async function project(config: object = {}) {
  const cli = await capturedCli();
  const write = (name: string, text: string) => {
    mkdirSync(join(cli.cwd, name, ".."), { recursive: true });
    writeFileSync(join(cli.cwd, name), text);
  };
  cli.configureUser(config);
  const manifest = { id: "echo", name: "Echo", version: "1.0.0", description: "Says it again" };
  write(
    "echo/skill.json",
    JSON.stringify({ ...manifest, adapterType: "subprocess", entrypoint: "node e.mjs" }),
  );
  write(
    "echo/e.mjs",
    'let t="";for await(const c of process.stdin)t+=c;const{id,params}=JSON.parse(t);if(params.x==="crash")process.exit(3);console.log(JSON.stringify({jsonrpc:"2.0",id,result:params.x}));',
  );
  const task = (id: string, x: string) => ({ id, inputData: { x }, expectedOutput: { value: "private" } });
  write(
    "t.json",
    JSON.stringify([task("right", "private"), task("wrong", "other"), task("broken", "crash")]),
  );
  const fixed = { id: "one", input: "x", source: "fixed", outputs: [{ title: "x" }] };
  write("bench.yaml", JSON.stringify({ id: "b", schema: "any.json", cases: [fixed] }));
  write("any.json", JSON.stringify({ type: "object", required: ["title"] }));
  const { PATH = "" } = process.env;
  return {
    ...cli,
    run: (argv: readonly string[], env: Record<string, string> = {}) =>
      cli.run(argv, { env: { PATH, ...env } }),
  };
}

const command = ["eval", "--skills", "./echo", "--tasks", "t.json", "--retries", "0", "--format", "json"];
const readAttributes = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test("a run is sent as spans: itself and its cells, without what was said; sent again it is the same spans", async () => {
  await using otlp = await collector();
  await using cli = await project({ telemetry: { otlp: { endpoint: otlp.url } } });

  const { document } = await cli.run([...command, "--otlp", "--json"]);
  const first = otlp.spans.splice(0);
  const again = await cli.run(["eval", "--resume", document.run.id, "--otlp"]);

  expect(again.stderr).toContain("4 spans sent");
  expect(new Set(otlp.paths)).toEqual(new Set(["POST /v1/traces"]));
  const root = first.find(({ parentSpanId }) => parentSpanId === undefined) as Span;
  expect(root).toMatchObject({ name: "eval-skills eval" });
  const cells = first.filter((span) => span !== root);
  expect(new Set(cells.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root.spanId]));
  expect(new Set(first.map(({ traceId }) => traceId)).size).toBe(1);
  expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
  const facts = Object.fromEntries(
    cells.map((span) => [readAttributes(span)["eval.task.id"], readAttributes(span)]),
  );
  expect(facts).toMatchObject({
    right: { "eval.status": "pass", "eval.score": 1, "eval.skill.id": "echo", "eval.trial": 1 },
    wrong: { "eval.status": "fail", "eval.score": 0 },
    broken: { "eval.status": "error", "eval.cause": "crash" },
  });
  expect(cells.map(({ status }) => status.code).sort()).toEqual([1, 1, 2]);
  expect(JSON.stringify(first)).not.toContain("private");
  for (const { startTimeUnixNano, endTimeUnixNano } of first)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  const spanIds = (spans: Span[]) =>
    spans.map(({ traceId, spanId, parentSpanId }) => [traceId, spanId, parentSpanId]).sort();
  expect(spanIds(otlp.spans)).toEqual(spanIds(first));
});

test("what was said goes along only where the configuration says so", async () => {
  await using otlp = await collector();
  await using cli = await project({
    telemetry: { otlp: { enabled: true, endpoint: otlp.url, content: true } },
  });

  await cli.run(command);

  expect(JSON.stringify(otlp.spans)).toContain("private");
});

/** A run that starts no process. */
const bench = ["planbench", "bench.yaml", "--format", "json"];

test("the variable of an endpoint alone starts nothing, and serves where spans are asked for", async () => {
  await using otlp = await collector();
  await using cli = await project();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url };

  await cli.run(bench, env);
  expect(otlp.paths).toEqual([]);
  await cli.run([...bench, "--otlp"], env);
  expect(otlp.spans.map(({ name }) => name)).toContain("eval-skills planbench");
});

test("a collector that refuses or is not there is a warning, and the run ends as it would have", async () => {
  await using otlp = await collector(400);
  await using cli = await project({ telemetry: { otlp: { endpoint: otlp.url } } });

  const { exitCode, stderr } = await cli.run([...bench, "--otlp"]);

  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/the spans of this run could not be sent to 127\.0\.0\.1:\d+/);
});

test.each([
  ["no endpoint", undefined, "no OTLP endpoint is configured"],
  ["no address", "collector", "the OTLP endpoint is not an http or https URL"],
])("%s is for the user to fix before anything is run", async (_, endpoint, message) => {
  await using cli = await project({ telemetry: { otlp: endpoint === undefined ? {} : { endpoint } } });

  const { exitCode, document } = await cli.run([...command, "--otlp", "--json"]);

  expect([exitCode, document.error]).toMatchObject([2, { code: "config-invalid", message }]);
});
