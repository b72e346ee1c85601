import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Config } from "../contract/config.ts";
import { ownEvents, telemetryModeWords } from "../contract/telemetry.ts";
import { contextFields, durationFields } from "../contract/telemetry-fields.ts";
import { settingNames } from "./settings.ts";

const page = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8");

test("docs/telemetry.md names every event, field, mode and setting, and no other event", () => {
  const keys = Object.keys(Config.parse({}).telemetry).filter((key) => key !== "otlp");
  const words = [
    ...ownEvents,
    ...contextFields,
    ...durationFields,
    ...telemetryModeWords,
    ...settingNames.map((name) => `EVAL_SKILLS_${name}`),
    ...keys.map((key) => `telemetry.${key}`),
  ];
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)`/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...ownEvents].sort());
});
