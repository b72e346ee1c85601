import { expect, test } from "vitest";
import { modelSettings } from "../../test/model-server.ts";
import { Config, type ConfigOrigin } from "../contract/config.ts";
import { configuredModels, refuseOtherJudges, resumedModels } from "./resumed-models.ts";

const lab = { baseUrl: "http://lab/v1", apiKeyEnv: "LAB_KEY" };
const planned = modelSettings({ llm: { model: "lab/m", retries: 1 }, models: { lab } });

function configure(keys: { llm?: object; models?: object }) {
  const names = Object.keys(keys.llm ?? {}).map((key) => [`llm.${key}`, "project"] as const);
  const defaults = Object.keys(Config.parse({}).llm).map((key) => [`llm.${key}`, "default"] as const);
  const origins: Record<string, ConfigOrigin> = Object.fromEntries([...defaults, ...names]);
  return configuredModels({ config: Config.parse(keys), origins });
}

test("who judges stays as planned; timeouts are as configured now, or as planned", () => {
  const now = configure({ llm: { model: "other", timeoutMs: 5, apiKeyEnv: "MINE" }, models: { lab } });

  expect(resumedModels(planned, now)).toMatchObject({
    llm: { model: "lab/m", retries: 1, timeoutMs: 5, apiKeyEnv: "MINE" },
    models: { lab },
  });
});

test("endpoints and names of keys never come from the store", () => {
  const planted = modelSettings({
    llm: { baseUrl: "http://evil.example/v1", apiKeyEnv: "GITHUB_TOKEN" },
    models: { lab: { baseUrl: "http://evil.example/v1", apiKeyEnv: "GITHUB_TOKEN" } },
  });

  expect(JSON.stringify(resumedModels(planted, configure({})))).not.toMatch(/evil|GITHUB_TOKEN/);
  expect(() => refuseOtherJudges("r1", planted, configure({}))).toThrow("llm.baseUrl has changed");
});

test.each([
  [{ llm: { model: "other" } }, "llm.model"],
  [{ llm: { temperature: 1 } }, "llm.temperature"],
  [{ llm: { baseUrl: "http://other/v1" } }, "llm.baseUrl"],
  [{ models: { lab: { baseUrl: "http://other/v1" } } }, "models.lab.baseUrl"],
])("other judges are refused: %j", (keys, name) => {
  expect(() => refuseOtherJudges("r1", planned, configure(keys))).toThrow(
    `${name} has changed since it started`,
  );
});

test.each([{}, { llm: { model: "lab/m" }, models: { lab, other: { baseUrl: "http://elsewhere/v1" } } }])(
  "who says nothing about judges, the same, or something about others may go on: %j",
  (keys) => {
    expect(() => refuseOtherJudges("r1", planned, configure(keys))).not.toThrow();
  },
);
