import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Ask } from "../../contract/grant.ts";
import { openPermissions } from "./open-permissions.ts";
import { coversAsk, parseGrant } from "./parse-grant.ts";
import { askDigest, digestAsks, readTrust, trustedAsks, trustFile, writeTrust } from "./trust-file.ts";

function ask(over: Partial<Ask> = {}): Ask {
  return {
    kind: "env",
    value: "WEATHER_KEY",
    subject: "weather",
    asker: "skill",
    to: null,
    purpose: "passed to its process",
    file: "/p/skills/weather/adapter.config.json",
    steps: ["envKeys", 0],
    ...over,
  };
}

function permissions(over: Partial<Parameters<typeof openPermissions>[0]> & { home: string }) {
  return openPermissions({ cwd: "/p", project: "/p", typed: [], configured: {}, userFile: null, ...over });
}

describe("a grant", () => {
  test.each([
    ["env:WEATHER_KEY", ask()],
    ["env:WEATHER_KEY@weather", ask()],
    ["host:api.example.org", ask({ kind: "host", value: "api.example.org:443" })],
    ["host:api.example.org", ask({ kind: "host", value: "api.example.org:80" })],
    ["host:127.0.0.1:8080", ask({ kind: "host", value: "127.0.0.1:8080" })],
    ["program:pyenv", ask({ kind: "program", value: "pyenv" })],
    ["read:/p/../shared", ask({ kind: "read", value: "/shared/lib" })],
    ["read:../shared", ask({ kind: "read", value: "/shared" })],
  ])("%s covers what it names", (text, asked) => {
    expect(coversAsk(parseGrant(text, "/p"), asked)).toBe(true);
  });

  test.each([
    ["env:WEATHER_KEY@maps", ask()],
    ["env:WEATHER", ask()],
    ["env:WEATHER_KEY", ask({ kind: "program", value: "WEATHER_KEY" })],
    ["host:api.example.org", ask({ kind: "host", value: "api.example.org:8443" })],
    ["host:example.org", ask({ kind: "host", value: "api.example.org:443" })],
    ["host:api.example.org:443", ask({ kind: "host", value: "api.example.org.evil.example:443" })],
    ["read:/shared", ask({ kind: "read", value: "/shared-evil" })],
    ["read:/shared/lib", ask({ kind: "read", value: "/shared" })],
  ])("%s covers nothing else", (text, asked) => {
    expect(coversAsk(parseGrant(text, "/p"), asked)).toBe(false);
  });

  test("follows links before it is compared", async () => {
    await using folder = await temporaryFolder();
    mkdirSync(join(folder.path, "granted"));
    mkdirSync(join(folder.path, "other"));
    symlinkSync(join(folder.path, "other"), join(folder.path, "granted", "link"));
    const grant = parseGrant("read:granted", folder.path);

    expect(coversAsk(grant, ask({ kind: "read", value: join(folder.path, "granted", "link") }))).toBe(false);
  });

  test.each(["", "env", "env:", "env:A B", "everything:*", "host:*", "host:https://x", "sandbox:off"])(
    "%j is refused",
    (text) => {
      expect(() => parseGrant(text, "/p")).toThrow(/--grant/);
    },
  );
});

describe("permissions", () => {
  test("come from a flag, from the user's own file, or from trust, and say which", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeTrust(home, "/p", trustedAsks([ask({ value: "C" })], "/p", "2026-01-01T00:00:00Z"));
    const open = permissions({ home, typed: ["env:A"], configured: { "/p": ["env:B"], "/q": ["env:D"] } });

    open.require([ask({ value: "A" }), ask({ value: "B" }), ask({ value: "C" }), ask({ value: "C" })]);

    expect(open.granted().map(({ value, by }) => [value, by])).toEqual([
      ["A", "flag"],
      ["B", "user file"],
      ["C", "trust"],
    ]);
    expect(open.missing([ask({ value: "D" })])).toHaveLength(1);
  });

  test("to read are those of flags and of the user's own file, whether or not a file asks for them", async () => {
    await using folder = await temporaryFolder();
    const open = permissions({
      home: folder.path,
      typed: ["read:../shared", "env:A"],
      configured: { "/p": ["read:/data"], "/q": ["read:/other"] },
    });

    expect(open.readable()).toEqual([
      { path: "/shared", by: "flag" },
      { path: "/data", by: "user file" },
    ]);
  });

  test.each([
    ["/p", true],
    ["/*", true],
    ["/**", true],
    ["/p/*", false],
    ["p", false],
    ["**", false],
    ["/x", false],
  ])("of the user's file for %s hold in /p: %s", async (pattern, expected) => {
    await using folder = await temporaryFolder();
    const open = permissions({ home: folder.path, configured: { [pattern]: ["env:A"] } });

    expect(open.isGranted(ask({ value: "A" }))).toBe(expected);
  });

  test("missing are named together, each with its place and the command that grants it", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "adapter.config.json");
    writeFileSync(file, '{\n  "type": "http",\n  "envKeys": ["WEATHER_KEY"]\n}\n');
    const config = join(folder.path, "eval-skills.config.yaml");
    writeFileSync(config, "models:\n  lab:\n    baseUrl: http://evil.example/v1\n");
    const open = permissions({ home: folder.path, cwd: folder.path, project: folder.path });
    const asks = [
      ask({ file }),
      ask({
        kind: "host",
        value: "evil.example:80",
        subject: null,
        purpose: "receives the requests to models",
        file: config,
        steps: ["models", "lab", "baseUrl"],
      }),
    ];

    expect(() => open.require(asks)).toThrow(
      expect.objectContaining({
        code: "grant-missing",
        exitCode: 2,
        message: [
          "files of this project ask for 2 things that you have not granted:",
          "  env:WEATHER_KEY@weather  passed to its process, for weather  (adapter.config.json:3:15)",
          "  host:evil.example:80  receives the requests to models  (eval-skills.config.yaml:3:5)",
        ].join("\n"),
        hint: expect.stringContaining("--grant env:WEATHER_KEY@weather --grant host:evil.example:80"),
      }),
    );
  });
});

describe("trust", () => {
  test("is stored outside the project for its owner alone, and can be taken back", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeTrust(home, "/p", trustedAsks([ask()], "/p", "2026-01-01T00:00:00Z"));
    writeTrust(home, "/q", trustedAsks([ask()], "/q", "2026-01-01T00:00:00Z"));

    expect(statSync(trustFile(home)).mode & 0o777).toBe(0o600);
    expect(Object.keys(readTrust(home))).toEqual(["/p", "/q"]);
    writeTrust(home, "/p", null);
    expect(Object.keys(readTrust(home))).toEqual(["/q"]);
  });

  test.each([
    ["another variable", { value: "OTHER" }],
    ["another skill", { subject: "maps" }],
    ["another address", { purpose: "sent to https://evil.example" }],
    ["another file", { file: "/p/skills/other/adapter.config.json" }],
  ])("does not cover %s", async (_, over) => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeTrust(home, "/p", trustedAsks([ask()], "/p", "2026-01-01T00:00:00Z"));

    expect(permissions({ home }).isGranted(ask())).toBe(true);
    expect(permissions({ home }).isGranted(ask(over))).toBe(false);
    expect(permissions({ home, project: "/q" }).isGranted(ask({ file: "/q/skill.json" }))).toBe(false);
  });

  test("of a project holds in a folder of it, and where its files are used from elsewhere", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeTrust(home, "/p", trustedAsks([ask()], "/p", "2026-01-01T00:00:00Z"));

    expect(permissions({ home, project: "/p/skills" }).isGranted(ask())).toBe(true);
    expect(permissions({ home, project: "/q" }).isGranted(ask())).toBe(true);
    expect(permissions({ home, project: "/" }).isGranted(ask({ value: "OTHER" }))).toBe(false);
  });

  test("has one digest for all that is asked, whatever the order", () => {
    const two = [ask(), ask({ value: "OTHER" })];

    expect(digestAsks(two, "/p")).toBe(digestAsks(two.toReversed(), "/p"));
    expect(digestAsks(two, "/p")).not.toBe(digestAsks([ask()], "/p"));
    expect(askDigest(ask(), "/p")).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test("a damaged file trusts nothing and says so", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    mkdirSync(join(home, ".eval-skills"));
    writeFileSync(trustFile(home), "{");

    expect(() => readTrust(home)).toThrow(/trust\.json cannot be read/);
  });
});
