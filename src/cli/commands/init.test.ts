import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { loadConfig } from "../../config/load-config.ts";
import { Config } from "../../contract/config.ts";
import { parseYamlText } from "../../shared/files/read-text-file.ts";
import { initialConfig } from "./initial-config.ts";

const schema = ".eval-skills/config.schema.json";
const everything = ["eval-skills.config.yaml", schema, "skills", "benchmarks", "reports"];

describe("init", () => {
  test("creates the configuration and three folders, and says so", async () => {
    await using cli = await capturedCli();
    const { document, exitCode } = await cli.run(["init", "--json"]);
    expect(exitCode).toBe(0);
    expect(document).toEqual({ schemaVersion: 1, command: "init", dir: ".", created: everything, kept: [] });
    expect(readdirSync(cli.cwd).sort()).toEqual(
      [".eval-skills", "benchmarks", "eval-skills.config.yaml", "reports", "skills"].sort(),
    );
    expect(JSON.parse(readFileSync(join(cli.cwd, schema), "utf8"))).toHaveProperty("properties.gates");
    const [first] = readFileSync(join(cli.cwd, "eval-skills.config.yaml"), "utf8").split("\n");
    expect(first).toBe(`# yaml-language-server: $schema=./${schema}`);
  });

  test("keeps what is there and lists it as kept", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "eval-skills.config.yaml"), "concurrency: 9\n");
    await cli.run(["init"]);
    const { document } = await cli.run(["init", "--dir", ".", "--json"]);
    expect(document).toMatchObject({ created: [], kept: everything });
    expect(readFileSync(join(cli.cwd, "eval-skills.config.yaml"), "utf8")).toBe("concurrency: 9\n");
  });

  test("adds no second configuration beside one of another ending", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "eval-skills.config.json"), "{}");
    expect((await cli.run(["init", "--json"])).document).toMatchObject({
      kept: ["eval-skills.config.json"],
      created: [schema, "skills", "benchmarks", "reports"],
    });
    expect((await cli.run(["config", "list"])).exitCode).toBe(0);
  });

  test("makes the folder it is pointed at", async () => {
    await using cli = await capturedCli();
    expect((await cli.run(["init", "--dir", "a/b", "--json"])).document).toMatchObject({ dir: "a/b" });
    expect(readdirSync(join(cli.cwd, "a/b"))).toHaveLength(5);
  });

  test("a file in the way is exit 2", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "file"), "");
    expect((await cli.run(["init", "--dir", "file", "--json"])).document).toMatchObject({
      error: { code: "output-unwritable", path: "file" },
    });
    expect((await cli.run(["init", "--dir", ""])).exitCode).toBe(2);
  });

  test("the configuration it writes sets nothing, so that the user's own file still counts", async () => {
    await using cli = await capturedCli();
    await cli.run(["init"]);
    await cli.run(["config", "set", "concurrency", "8"]);
    const { config, origins, warnings } = await loadConfig({ cwd: cli.cwd, home: cli.home });
    expect(config).toEqual({ ...Config.parse({}), concurrency: 8 });
    expect(origins.concurrency).toBe("user");
    expect(warnings).toEqual([]);
  });

  test("uncommented, the configuration it writes is every key with its default", async () => {
    const uncommented = initialConfig.split("\n").slice(2).join("\n").replace(/^# /gm, "");
    const written = await parseYamlText(uncommented, "config-invalid", "x");
    expect(Object.keys(written as object)).toEqual(
      Object.keys(Config.shape).filter((key) => key !== "grants"), // only for the user's own file
    );
    expect(Config.parse(written)).toEqual(Config.parse({}));
  });
});
