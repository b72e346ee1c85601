import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { loadConfig } from "../config/load-config.ts";
import { Config } from "../contract/config.ts";
import type { UserError } from "../shared/user-error.ts";
import { settingNames, settingPrefixes, telemetrySettings } from "./settings.ts";

type TelemetryConfig = Partial<Config["telemetry"]>;

function settings(env: Record<string, string> = {}, configured: TelemetryConfig = {}) {
  return telemetrySettings(Config.parse({ telemetry: configured }).telemetry, env);
}

function refusal(env: Record<string, string>, configured: TelemetryConfig = {}): UserError {
  try {
    settings(env, configured);
  } catch (error) {
    return error as UserError;
  }
  throw new Error("it was taken");
}

const endpoint = "https://collector.example/events";

describe("what holds", () => {
  test("by default events stay in a file of this machine", () => {
    expect(settings()).toEqual({
      mode: "local",
      sqlitePath: "./.eval-skills/telemetry.sqlite3",
      retentionDays: 7,
      flushIntervalMs: 1000,
      batchSize: 200,
      remoteEndpoint: null,
      token: null,
    });
  });

  test.each(["off", "disabled", "false", "0", " OFF ", "False"])("%j is off", (word) => {
    expect(settings({ EVAL_SKILLS_TELEMETRY_MODE: word }).mode).toBe("off");
  });

  test("every way to write off in a configuration file is off", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "eval-skills.config.yaml");
    for (const word of ["off", "false", "disabled", "0", '"0"', "False"]) {
      writeFileSync(file, `telemetry:\n  mode: ${word}\n`);
      const { config } = await loadConfig({ cwd: folder.path, home: folder.path });
      expect(telemetrySettings(config.telemetry, {}).mode, word).toBe("off");
    }
    writeFileSync(file, "telemetry:\n  mode: of\n");
    const of = loadConfig({ cwd: folder.path, home: folder.path });
    await expect(of).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("mean off?") });
  });

  const values: Record<(typeof settingNames)[number], [key: string, texts: [string, string, string]]> = {
    TELEMETRY_MODE: ["mode", ["local", "both", "remote"]],
    TELEMETRY_SQLITE_PATH: ["sqlitePath", ["a.db", "b.db", "c.db"]],
    TELEMETRY_RETENTION_DAYS: ["retentionDays", ["1", "2", "3"]],
    TELEMETRY_FLUSH_INTERVAL_MS: ["flushIntervalMs", ["50", "51", "52"]],
    TELEMETRY_BATCH_SIZE: ["batchSize", ["1", "2", "3"]],
    TELEMETRY_REMOTE_ENDPOINT: ["remoteEndpoint", [`${endpoint}/1`, `${endpoint}/2`, `${endpoint}/3`]],
    TELEMETRY_TOKEN: ["token", ["one", "two", "three"]],
  };

  test.each(settingNames)("%s is read under three prefixes, the first that says something counts", (name) => {
    const [key, texts] = values[name];
    const all: Record<string, string> = {};
    const configured: TelemetryConfig = { mode: "both", remoteEndpoint: endpoint };
    const found = () => String(settings(all, configured)[key as keyof ReturnType<typeof settings>]);
    // From the weakest to the strongest.
    for (const index of [2, 1, 0]) {
      all[`${settingPrefixes[index]}${name}`] = texts[index] as string;
      expect(found()).toBe(texts[index]);
    }
    all[`EVAL_SKILLS_${name}`] = "  ";
    expect(found()).toBe(texts[1]);
  });

  test("the token is that of tokenEnv, else that of the default variables", () => {
    const configured: TelemetryConfig = { mode: "remote", remoteEndpoint: endpoint, tokenEnv: "MINE" };
    const env = { MINE: "mine", TELEMETRY_TOKEN: "usual" };
    expect(settings(env, configured).token).toBe("mine");
    expect(settings({ TELEMETRY_TOKEN: "usual" }, configured).token).toBe("usual");
    expect(settings({}, { ...configured, tokenEnv: null }).token).toBe(null);
    expect(refusal({}, configured)).toMatchObject({ code: "secret-missing", exitCode: 2 });
  });
});

describe("what cannot be meant is exit 2", () => {
  test("mode of names what was meant", () => {
    expect(refusal({ EVAL_SKILLS_TELEMETRY_MODE: "of" })).toMatchObject({
      exitCode: 2,
      message: 'EVAL_SKILLS_TELEMETRY_MODE must be local, remote, both or off, not "of"',
      hint: "did you mean off?",
    });
    expect(refusal({ AH32_TELEMETRY_MODE: "on" }).message).toContain("AH32_TELEMETRY_MODE");
  });

  test.each([
    ["TELEMETRY_RETENTION_DAYS", "0"],
    ["TELEMETRY_RETENTION_DAYS", "-1"],
    ["TELEMETRY_RETENTION_DAYS", "1.5"],
    ["EVAL_SKILLS_TELEMETRY_FLUSH_INTERVAL_MS", "49"],
    ["EVAL_SKILLS_TELEMETRY_FLUSH_INTERVAL_MS", "99999999999"],
    ["AH32_TELEMETRY_BATCH_SIZE", "many"],
  ])("%s=%s", (name, value) => {
    const { exitCode, message } = refusal({ [name]: value });
    expect(exitCode).toBe(2);
    expect(message).toContain(name);
  });

  test.each(["remote", "both"] as const)("%s without an endpoint, or with one that is none", (mode) => {
    expect(refusal({}, { mode })).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("endpoint"),
    });
    expect(refusal({ TELEMETRY_REMOTE_ENDPOINT: "ftp://x" }, { mode }).exitCode).toBe(2);
    const secret = refusal({ TELEMETRY_REMOTE_ENDPOINT: "https://me:hunter2@x.example" }, { mode });
    expect(JSON.stringify([secret.message, secret.hint])).not.toContain("hunter2");
  });

  test("a token that is not valid in a header is refused and not shown", () => {
    const { exitCode, message } = refusal(
      { TELEMETRY_TOKEN: "hunter\n2" },
      { mode: "remote", remoteEndpoint: endpoint },
    );
    expect(exitCode).toBe(2);
    expect(message).not.toContain("hunter");
  });
});
