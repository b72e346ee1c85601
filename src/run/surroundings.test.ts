import { expect, test } from "vitest";
import { storeBackups } from "../store/migrations.ts";
import type { OutputOptions } from "./request.ts";
import { surroundingsOf } from "./surroundings.ts";

const output = { store: "runs.db", outputDir: "reports", evalLog: null, concurrency: 1 } as OutputOptions;

test("recorded calls of judges, which quote expectations, are never part of a skill, nor shown to one", () => {
  const facts = {
    env: {},
    cwd: "/skill",
    output,
    config: { llm: {}, telemetry: { sqlitePath: ".eval-skills/t.db" } },
  };
  expect(surroundingsOf({ ...facts, record: "calls" }).exclude).toContain("/skill/calls");
  expect(surroundingsOf({ ...facts, replay: "calls" }).exclude).toContain("/skill/calls");
  expect(surroundingsOf(facts).exclude).toContain("/skill/reports");
  const store = ["/skill/runs.db", "/skill/runs.db-wal", ...storeBackups("/skill/runs.db")];
  expect(surroundingsOf(facts).exclude).toEqual(expect.arrayContaining(store));
});

test("nor is what telemetry writes, wherever a variable puts it", () => {
  const facts = {
    cwd: "/skill",
    output,
    config: { llm: {}, telemetry: { sqlitePath: "./.eval-skills/t.db" } },
  };
  const usual = surroundingsOf({ ...facts, env: {} }).exclude;
  expect(usual).toEqual(
    expect.arrayContaining(["/skill/.eval-skills", "/skill/.eval-skills/t.db.spool-wal"]),
  );
  const elsewhere = surroundingsOf({ ...facts, env: { TELEMETRY_SQLITE_PATH: "logs/t.db" } }).exclude;
  expect(elsewhere).toEqual(expect.arrayContaining(["/skill/logs/t.db", "/skill/logs/t.db-wal"]));
  expect(elsewhere).not.toContain("/skill/logs");
});
