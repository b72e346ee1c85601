import { describe, expect, test } from "vitest";
import { emptyProject } from "./built-cli.ts";
import { httpServer } from "./local-server.ts";
import { describeStrict } from "./strict-machine.ts";

/** Fetches the URL it is given, as an ordinary Python program does. */
const fetching = `
import json, sys, urllib.request
request = json.loads(sys.stdin.readline())
result = urllib.request.urlopen(request["params"]["url"], timeout=10).read().decode()
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}))
`;

/** A project with that skill and one task, and a server that the task is about. */
async function fetchingProject() {
  const project = await emptyProject();
  const server = await httpServer((_, response) => response.end("from the server"));
  await project.skill("fetcher", fetching, { manifest: { entrypoint: "python3 program" } });
  const expectedOutput = { type: "exact", value: "from the server" };
  await project.write("tasks.json", [{ id: "fetch", inputData: { url: server.url }, expectedOutput }]);
  return {
    ...project,
    server,
    host: `127.0.0.1:${server.port}`,
    evaluate: (...flags: string[]) =>
      project.run(["eval", "--skills", "./skills", "--tasks", "tasks.json", "--json", ...flags]),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

describe("case 13: the network of a skill that fetches a URL", () => {
  test("is open at auto, and the report says so", async () => {
    await using project = await fetchingProject();

    const { code, document } = await project.evaluate();

    expect(code).toBe(0);
    expect(document.run.containment.network).toBe("open");
    expect(document.subjects[0].counts).toMatchObject({ total: 1, pass: 1 });
  });

  test("cannot be opened by a project's file", async () => {
    await using project = await fetchingProject();
    await project.write("eval-skills.config.yaml", `sandbox: { allowNetwork: ["${project.host}"] }\n`);

    const { code, document } = await project.evaluate();

    expect(code).toBe(2);
    expect(document.error).toMatchObject({ code: "config-invalid", jsonPath: "$.sandbox.allowNetwork" });
  });

  test.each([[["--network", "none"]], [["--allow-network", "example.org"]]])(
    "%s is refused at a level that cannot close it, and nothing runs",
    async (flags) => {
      await using project = await fetchingProject();

      const { code, document } = await project.evaluate("--sandbox", "process", ...flags);

      expect(code).toBe(2);
      expect(document.error.code).toBe("sandbox-unavailable");
      expect(project.server.requests).toBe(0);
    },
  );

  test.each([
    ["https://example.org", /leave out the scheme/],
    ["*.example.org", /wildcard/],
  ])("--allow-network %s is refused with what is right", async (host, message) => {
    await using project = await fetchingProject();

    const { code, document } = await project.evaluate("--allow-network", host);

    expect(code).toBe(2);
    expect(document.error).toMatchObject({ code: "usage", message: expect.stringMatching(message) });
  });
});

describeStrict("case 13: the same skill in a sandbox", () => {
  test("has no network where strict is demanded, and its error says so", async () => {
    await using project = await fetchingProject();

    const { document } = await project.evaluate("--sandbox", "strict");

    expect(document.run.containment).toMatchObject({ level: "strict", network: "none" });
    const [cell] = document.cells;
    expect(cell).toMatchObject({ status: "invalid", cause: "sandbox-hid" });
    expect(cell.reason).toContain(
      "this run has no network; allow it with --network open or --allow-network <host>",
    );
    expect(project.server.connections.made).toBe(0);
  });

  test("reaches exactly the host that is listed, and every attempt is in the report", async () => {
    await using project = await fetchingProject();

    const { code, document } = await project.evaluate("--sandbox", "strict", "--allow-network", project.host);

    expect(code).toBe(0);
    expect(document.run.containment).toMatchObject({ level: "strict", network: [project.host] });
    const [cell] = document.cells;
    expect(cell).toMatchObject({
      status: "pass",
      network: [{ host: "127.0.0.1", port: project.server.port, allowed: true, reason: null }],
    });
  });

  test("is refused everything else", async () => {
    await using project = await fetchingProject();

    const { document } = await project.evaluate("--sandbox", "strict", "--allow-network", "127.0.0.1:9");

    const [cell] = document.cells;
    expect(cell).toMatchObject({ status: "invalid", cause: "sandbox-hid" });
    expect(cell.reason).toContain(`--allow-network ${project.host}`);
    expect(cell.network).toMatchObject([{ port: project.server.port, allowed: false }]);
    expect(project.server.connections.made).toBe(0);
  });
});
