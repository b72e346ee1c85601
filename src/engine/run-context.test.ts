import { expect, test } from "vitest";
import type { OutputOptions } from "../operations/eval/request.ts";
import { storeBackups } from "../store/migrations.ts";
import { makeRunContext } from "./run-context.ts";

const output = { store: "runs.db", outputDir: "reports", evalLog: null, concurrency: 1 } as OutputOptions;

test("recorded calls of judges, which quote expectations, are never part of a skill, nor shown to one", () => {
  const facts = {
    env: {},
    cwd: "/skill",
    output,
    config: { llm: {}, telemetry: { sqlitePath: ".eval-skills/t.db" } },
  };
  expect(makeRunContext({ ...facts, record: "calls" }).exclude).toContain("/skill/calls");
  expect(makeRunContext({ ...facts, replay: "calls" }).exclude).toContain("/skill/calls");
  expect(makeRunContext(facts).exclude).toContain("/skill/reports");
  const store = ["/skill/runs.db", "/skill/runs.db-wal", ...storeBackups("/skill/runs.db")];
  expect(makeRunContext(facts).exclude).toEqual(expect.arrayContaining(store));
});

test("nor is what telemetry writes, wherever a variable puts it", () => {
  const facts = {
    cwd: "/skill",
    output,
    config: { llm: {}, telemetry: { sqlitePath: "./.eval-skills/t.db" } },
  };
  const defaults = makeRunContext({ ...facts, env: {} }).exclude;
  expect(defaults).toEqual(
    expect.arrayContaining(["/skill/.eval-skills", "/skill/.eval-skills/t.db.spool-wal"]),
  );
  const elsewhere = makeRunContext({ ...facts, env: { TELEMETRY_SQLITE_PATH: "logs/t.db" } }).exclude;
  expect(elsewhere).toEqual(expect.arrayContaining(["/skill/logs/t.db", "/skill/logs/t.db-wal"]));
  expect(elsewhere).not.toContain("/skill/logs");
});
