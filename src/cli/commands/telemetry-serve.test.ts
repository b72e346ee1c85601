import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer } from "../../../test/local-server.ts";

const serve = ["telemetry", "serve"];
const local = { EVAL_SKILLS_TELEMETRY_MODE: "local" };

describe("telemetry serve refuses", () => {
  test.each([
    ["another host without a token", ["--host", "0.0.0.0"], "requires --token"],
    ["a token that anybody guesses", ["--token", "secret"], "--token must be 16 to 512"],
    ["a token file that is not there", ["--token", "@nowhere"], "cannot read the --token file"],
    ["any origin", ["--allow-origin", "*"], "must not contain *"],
    ["many origins at once", ["--allow-origin", "https://*.example.org"], "must not contain *"],
    ["a page for an origin", ["--allow-origin", "https://app.example.org/"], "write https://app.example.org"],
    ["no origin at all", ["--allow-origin", "null"], "is not an origin"],
    ["a port that is none", ["--port", "65536"], "a whole number from 0 to 65535"],
    ["an address of another machine", ["--host", "192.0.2.1", "--token", "x".repeat(16)], "no such address"],
  ])("%s", async (_, flags, problem) => {
    await using cli = await capturedCli();
    const { exitCode, stderr } = await cli.run([...serve, ...flags]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(problem);
  });

  test("a port that is taken, with a way out", async () => {
    await using other = await httpServer(() => {});
    await using cli = await capturedCli();
    const { exitCode, document } = await cli.run([...serve, "--port", String(other.port), "--json"], {
      env: local,
    });
    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({ code: "usage", hint: expect.stringContaining("--port 0") });
    expect(readdirSync(join(cli.cwd, ".eval-skills")).filter((name) => name.endsWith(".token"))).toEqual([]);
  });
});

test("telemetry serve says where it is in one document, without a secret, and ends well when it is stopped", async () => {
  await using cli = await capturedCli();
  const before = process.listeners("SIGTERM");
  const running = cli.run([...serve, "--port", "0", "--allow-origin", "https://app.example.org", "--json"], {
    env: { ...local, AH32_ENABLE_DEV_ROUTES: "TRUE" },
  });
  const tokens = () =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith(".token"));
  const folder = join(cli.cwd, ".eval-skills");
  await expect.poll(tokens).toHaveLength(1);
  const [tokenFile = ""] = tokens();
  const [stop] = process.listeners("SIGTERM").filter((listener) => !before.includes(listener));
  stop?.("SIGTERM");

  const { exitCode, document, stderr } = await running;
  expect([exitCode, stderr]).toEqual([0, "stop with Ctrl-C\nstopped\n"]);
  const { port } = document;
  expect(document).toEqual({
    schemaVersion: 1,
    command: "telemetry serve",
    url: `http://127.0.0.1:${port}`,
    host: "127.0.0.1",
    port,
    pid: process.pid,
    tokenFile: `.eval-skills/telemetry-${port}.token`,
    page: `http://127.0.0.1:${port}/dev/telemetry/ui`,
    path: ".eval-skills/telemetry.sqlite3",
    mode: "local",
    enabled: true,
    retentionDays: 7,
    allowedOrigins: ["https://app.example.org"],
  });
  expect(tokenFile).toBe(`telemetry-${port}.token`);
  expect(tokens()).toEqual([]);
});
