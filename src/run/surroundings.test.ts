import { expect, test } from "vitest";
import type { OutputOptions } from "./request.ts";
import { surroundingsOf } from "./surroundings.ts";

const output = { store: "runs.db", outputDir: "reports", evalLog: null, concurrency: 1 } as OutputOptions;

test("recorded calls of judges, which quote expectations, are never part of a skill, nor shown to one", () => {
  const facts = {
    env: {},
    cwd: "/skill",
    output,
    apiKey: undefined,
    telemetry: { sqlitePath: ".eval-skills/t.db" },
  };
  expect(surroundingsOf({ ...facts, record: "calls" }).exclude).toContain("/skill/calls");
  expect(surroundingsOf({ ...facts, replay: "calls" }).exclude).toContain("/skill/calls");
  expect(surroundingsOf(facts).exclude).toContain("/skill/reports");
  expect(surroundingsOf(facts).exclude).toContain("/skill/runs.db.v1.bak");
});
