import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { isOpenSchema, loadSkills } from "./load-skills.ts";

const manifest = {
  id: "calc",
  name: "Calc",
  version: "1.0.0",
  description: "Does sums",
  adapterType: "subprocess",
  entrypoint: "node skill.mjs",
};

/** A folder with these files; text is written as it is, everything else as JSON. */
async function project(files: Record<string, unknown>) {
  const folder = await temporaryFolder();
  const write = (name: string, content: unknown) => {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const load = (paths: string[], exclude: string[] = []) => loadSkills(paths, { cwd: folder.path, exclude });
  return {
    at: (name: string) => join(folder.path, name),
    write,
    load,
    async only(path = "calc") {
      const [loaded] = (await load([path])).skills;
      if (loaded === undefined) throw new Error("no skill");
      return loaded;
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("a skill is loaded with its defaults, its folder and its digest", async () => {
  await using here = await project({ "calc/skill.json": manifest });

  const { skill } = await here.only();

  expect(skill).toEqual({
    id: "calc",
    name: "Calc",
    version: "1.0.0",
    description: "Does sums",
    tags: [],
    inputSchema: {},
    outputSchema: {},
    metadata: {},
    dir: here.at("calc"),
    manifest: here.at("calc/skill.json"),
    adapter: {
      type: "subprocess",
      entrypoint: "node skill.mjs",
      config: { type: "subprocess", env: {}, envKeys: [], args: [] },
    },
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
});

test("a skill is the same however it was named", async () => {
  await using here = await project({ "all/calc/skill.json": manifest });

  const named = await Promise.all(
    ["all/calc/skill.json", "all/calc", "all", here.at("all")].map(
      async (path) => (await here.only(path)).skill,
    ),
  );

  expect(new Set(named.map((skill) => JSON.stringify(skill))).size).toBe(1);
});

test("the same file named twice counts once", async () => {
  await using here = await project({ "calc/skill.json": manifest });

  expect((await here.load(["calc", "calc/skill.json", "./calc/"])).skills).toHaveLength(1);
});

test("two files with one id are refused with both names", async () => {
  await using here = await project({
    "a/skill.json": manifest,
    "b/skill.json": { ...manifest, name: "Other" },
  });

  const load = here.load(["a", "b"]);

  await expect(load).rejects.toMatchObject({ code: "skill-duplicate", exitCode: 2, jsonPath: "$.id" });
  await expect(load).rejects.toThrow(here.at("a/skill.json"));
  await expect(load).rejects.toThrow(here.at("b/skill.json"));
});

test("two copies of one skill are refused too", async () => {
  await using here = await project({ "a/skill.json": manifest });
  cpSync(here.at("a"), here.at("b"), { recursive: true });

  await expect(here.load(["a", "b"])).rejects.toMatchObject({ code: "skill-duplicate" });
});

test("two manifests over the same files and the same entrypoint are indistinguishable and refused", async () => {
  await using here = await project({
    "a/skill.json": manifest,
    "a/second.json": { ...manifest, id: "second" },
  });

  await expect(here.load(["a/skill.json", "a/second.json"])).rejects.toMatchObject({
    code: "skill-duplicate",
    message: expect.stringContaining("same files"),
  });
});

test("two manifests in one folder with two entrypoints are two skills", async () => {
  const second = { ...manifest, id: "second", entrypoint: "node second.mjs" };
  await using here = await project({ "a/skill.json": manifest, "a/second.json": second });

  expect((await here.load(["a/skill.json", "a/second.json"])).skills).toHaveLength(2);
});

test.each<[string, object, string]>([
  ["no id", { id: undefined }, "$.id"],
  ["an id with capitals", { id: "Calc" }, "$.id"],
  ["an id that is a path", { id: "../calc" }, "$.id"],
  ["an id with a newline at its end", { id: "calc\n" }, "$.id"],
  ["an empty name", { name: "" }, "$.name"],
  ["no description", { description: undefined }, "$.description"],
  ["a version of two numbers", { version: "1.0" }, "$.version"],
  ["a version with a v", { version: "v1.0.0" }, "$.version"],
  ["tags that are not a list", { tags: "math" }, "$.tags"],
  ["an unknown adapter", { adapterType: "grpc" }, "$.adapterType"],
  ["an empty entrypoint", { entrypoint: "" }, "$.entrypoint"],
  ["an unknown lifecycle", { metadata: { lifecycle: "forever" } }, "$.metadata.lifecycle"],
  [
    "pricing without a number",
    { metadata: { pricing: { inputPerMTok: "1", outputPerMTok: 1 } } },
    "$.metadata.pricing.inputPerMTok",
  ],
  ["an inputSchema that is null", { inputSchema: null }, "$.inputSchema"],
  ["an inputSchema that is a list", { inputSchema: [] }, "$.inputSchema"],
  ["an inputSchema that is text", { inputSchema: "object" }, "$.inputSchema"],
  ["an inputSchema that does not compile", { inputSchema: { type: "objekt" } }, "$.inputSchema"],
  ["an outputSchema that does not compile", { outputSchema: { $ref: "#/nowhere" } }, "$.outputSchema"],
])("a skill.json with %s is refused with the file and the location", async (_, changes, jsonPath) => {
  await using here = await project({ "calc/skill.json": { ...manifest, ...changes } });

  await expect(here.load(["calc"])).rejects.toMatchObject({
    code: "skill-invalid",
    path: here.at("calc/skill.json"),
    jsonPath,
    exitCode: 2,
  });
});

test.each(["1.0.0-beta.1", "1.0.0+build.5", "10.20.30-rc.1+exp.sha"])(
  "the version %s is fine",
  async (version) => {
    await using here = await project({ "calc/skill.json": { ...manifest, version } });

    expect((await here.only()).skill.version).toBe(version);
  },
);

test("a file of a skill passed instead of its manifest gets a hint what to pass", async () => {
  await using here = await project({
    "calc/skill.json": manifest,
    "calc/skill.py": "import sys",
    "calc/manifest": { ...manifest, id: undefined },
    "calc/broken.json": "{",
  });
  const hint = "pass the skill folder, or its skill.json";

  await expect(here.load(["calc/skill.py"])).rejects.toMatchObject({ code: "skill-invalid", hint });
  await expect(here.load(["calc/manifest"])).rejects.toMatchObject({ jsonPath: "$.id", hint });
  await expect(here.load(["calc/broken.json"])).rejects.toMatchObject({ hint: "fix the syntax" });
});

test("a broken skill among good ones stops none of them and is listed; one that was named is an error", async () => {
  await using here = await project({ "s/good/skill.json": manifest, "s/bad/skill.json": "{ broken" });

  expect(await here.load(["s"])).toMatchObject({
    skills: [{ skill: { id: "calc" } }],
    notLoaded: [{ path: "s/bad", code: "SKD02", reason: expect.stringContaining("s/bad/skill.json:1:3") }],
  });
  await expect(here.load(["s", "s/bad"])).rejects.toMatchObject({
    code: "skill-invalid",
    path: here.at("s/bad/skill.json"),
  });
});

test("a key close to a known one is an error, any other a warning, and metadata is open", async () => {
  await using here = await project({
    "near/skill.json": { ...manifest, entrypiont: "x" },
    "far/skill.json": { ...manifest, maintainers: [], metadata: { autor: "me", anything: 1 } },
  });

  await expect(here.load(["near"])).rejects.toMatchObject({
    code: "skill-invalid",
    jsonPath: "$.entrypiont",
    hint: "did you mean entrypoint?",
  });
  expect((await here.load(["far"])).warnings).toEqual([`far/skill.json:1:129: unknown key $.maintainers`]);
});

test("schemas of both drafts and the schema that allows everything are fine", async () => {
  const inputSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    prefixItems: [{ type: "string" }],
  };
  await using here = await project({ "calc/skill.json": { ...manifest, inputSchema, outputSchema: true } });

  expect((await here.only()).skill).toMatchObject({ inputSchema, outputSchema: true });
});

test.each([
  [true, true],
  [{}, true],
  [false, false],
  [{ type: "string" }, false],
])("whether %j lets everything pass: %s", (schema, isOpen) => {
  expect(isOpenSchema(schema)).toBe(isOpen);
});

test("adapter.config.json beside skill.json is read", async () => {
  const config = {
    type: "subprocess",
    command: "python3",
    args: ["s.py"],
    timeoutMs: 500,
    lifecycle: "persistent",
  };
  await using here = await project({ "calc/skill.json": manifest, "calc/adapter.config.json": config });

  expect((await here.only()).skill.adapter.config).toMatchObject({ ...config, env: {}, envKeys: [] });
});

test.each<[string, object, object, string]>([
  ["another type than the skill", {}, { type: "http" }, "$.type"],
  ["no type", {}, { timeoutMs: 5 }, "$.type"],
  ["a deadline of 0", {}, { type: "subprocess", timeoutMs: 0 }, "$.timeoutMs"],
  ["a variable that is a number", {}, { type: "subprocess", env: { A: 1 } }, "$.env.A"],
  ["a misspelt key", {}, { type: "subprocess", timeoutMS: 5 }, "$.timeoutMS"],
  [
    "an unknown way to authenticate",
    { adapterType: "http" },
    { type: "http", authType: "basic" },
    "$.authType",
  ],
])(
  "an adapter.config.json with %s is refused with the file and the location",
  async (_, changes, config, jsonPath) => {
    await using here = await project({
      "calc/skill.json": { ...manifest, ...changes },
      "calc/adapter.config.json": config,
    });

    await expect(here.load(["calc"])).rejects.toMatchObject({
      code: "adapter-invalid",
      path: here.at("calc/adapter.config.json"),
      jsonPath,
    });
  },
);

test("a key that an adapter does not know is a warning", async () => {
  await using here = await project({
    "calc/skill.json": manifest,
    "calc/adapter.config.json": { type: "subprocess", baseUrl: "http://x" },
  });

  expect((await here.load(["calc"])).warnings).toEqual([expect.stringContaining("$.baseUrl")]);
});

test("a skill without adapter.config.json has the defaults of its adapter", async () => {
  await using here = await project({ "calc/skill.json": { ...manifest, adapterType: "mcp" } });

  expect((await here.only()).skill.adapter).toEqual({
    type: "mcp",
    entrypoint: "node skill.mjs",
    config: { type: "mcp", authType: "none", authHeader: "X-API-Key", args: [], env: {}, envKeys: [] },
  });
});

test("the digest changes with the content of any file, and not with the path of the folder", async () => {
  await using here = await project({ "calc/skill.json": manifest, "calc/skill.mjs": "1" });
  const first = (await here.only()).skill.digest;

  cpSync(here.at("calc"), here.at("moved"), { recursive: true });
  expect((await here.only("moved")).skill.digest).toBe(first);

  here.write("calc/skill.mjs", "2");
  expect((await here.only()).skill.digest).not.toBe(first);
});

test("files named by digestIgnore, the store and the report folder are not part of a skill", async () => {
  const ignoring = { ...manifest, metadata: { digestIgnore: ["cache"] } };
  await using here = await project({ "calc/skill.json": ignoring });
  const load = async () =>
    (await here.load(["calc"], [here.at("calc/x.db"), here.at("calc/out")])).skills[0]?.skill;
  const first = (await load())?.digest;

  here.write("calc/cache/a", "1");
  here.write("calc/x.db", "2");
  here.write("calc/out/report.json", "3");

  expect((await load())?.digest).toBe(first);
});

test("a loaded skill knows whether it was edited since", async () => {
  await using here = await project({ "calc/skill.json": manifest, "calc/skill.mjs": "1" });
  const { watch } = await here.only();
  expect(await watch.isUnchanged()).toBe(true);

  await using other = await project({ "calc/skill.json": manifest, "calc/skill.mjs": "1" });
  const loaded = await other.only();
  other.write("calc/skill.mjs", "2");

  expect(await loaded.watch.isUnchanged()).toBe(false);
});

test("a link that leaves the folder is refused", async () => {
  await using here = await project({ "calc/skill.json": manifest });
  symlinkSync("/etc/passwd", here.at("calc/secrets"));

  await expect(here.load(["calc"])).rejects.toMatchObject({ code: "path-outside-skill" });
  rmSync(here.at("calc/secrets"));
  expect((await here.load(["calc"])).skills).toHaveLength(1);
});

test("settings without effect are warned of", async () => {
  await using folder = await temporaryFolder();
  const manifest = {
    id: "s",
    name: "s",
    version: "1.0.0",
    description: "d",
    adapterType: "subprocess",
    entrypoint: "node s.mjs",
  };
  writeFileSync(join(folder.path, "skill.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder.path, "adapter.config.json"),
    JSON.stringify({ type: "subprocess", args: ["x"] }),
  );

  const { warnings } = await loadSkills(["."], { cwd: folder.path, exclude: [] });

  expect(warnings).toEqual(["adapter.config.json:1:22: $.args: is ignored without command"]);
});
