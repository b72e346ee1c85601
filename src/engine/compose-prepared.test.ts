import { expect, test } from "vitest";
import { sampleSuite } from "../../test/sample-suite.ts";
import type { Containment } from "../contract/containment.ts";
import { noTelemetry } from "../contract/telemetry.ts";
import { systemClock } from "../shared/async/clock.ts";
import { composePrepared } from "./compose-prepared.ts";
import { plainRun } from "./plain-suite.ts";
import type { PreparedRun, SuiteContext } from "./prepared-run.ts";

function run(given: Partial<PreparedRun>): PreparedRun {
  return plainRun({ suites: () => [], ...given });
}

function contained(level: Containment["level"], more: Partial<PreparedRun> = {}): PreparedRun {
  return run({ containment: { level, backend: "b", network: "open", unproven: [] }, ...more });
}

test("secrets of all parts are removed together, also one that begins another", () => {
  const parts = [run({ secrets: ["hunter22"] }), run({ secrets: ["hunter22-of-the-other-part"] })];
  const composed = composePrepared(
    parts.map((ready) => ({ ready })),
    { seed: 1 },
  );

  expect(composed.redact("it is hunter22-of-the-other-part")).not.toContain("part");
  expect(composed.redact("it is hunter22")).not.toContain("hunter22");
});

test("what several parts say is said once, and settings and conditions are filed under the label of their part", () => {
  const said = { warnings: ["both"], notLoaded: [{ path: "skills/x", code: "SKD02", reason: "broken" }] };
  const first = run({
    ...said,
    models: ["m"],
    conditions: () => ({ deadline: "1 s" }),
    settings: () => ({ n: 1 }),
  });
  const second = run({
    ...said,
    models: ["m", "n"],
    conditions: () => ({ deadline: "2 s" }),
    settings: () => ({ n: 2 }),
  });

  const composed = composePrepared(
    [
      { label: "unit", ready: first },
      { label: "agent", ready: second },
    ],
    { seed: 7 },
  );

  expect(composed).toMatchObject({ ...said, models: ["m", "n"], seed: 7 });
  expect(composed.conditions()).toEqual({ "unit: deadline": "1 s", "agent: deadline": "2 s" });
  expect(composed.settings()).toEqual({ unit: { n: 1 }, agent: { n: 2 } });
});

test("the run is contained as its weakest part that starts anything", () => {
  const parts = [
    run({}),
    contained("process", { startsNothing: true }),
    contained("strict"),
    contained("reduced"),
  ];
  const composed = composePrepared(
    parts.map((ready) => ({ ready })),
    { seed: 1 },
  );

  expect(composed.containment.level).toBe("reduced");
});

test("two suites of one level cannot have the same id", () => {
  const context: SuiteContext = {
    run: { id: "r", startedAt: "", isResumed: false, wasDone: false },
    concurrency: 1,
    redact: (value) => value,
    clock: systemClock,
    random: Math.random,
    env: {},
    cwd: "/",
    telemetry: noTelemetry,
  };
  const parts = ["basic", "basic"].map((id) => ({ ready: run({ suites: () => [sampleSuite({ id })] }) }));

  expect(() => composePrepared(parts, { seed: 1 }).suites(context)).toThrow(
    "two unit suites have the id basic",
  );
});

test("parts are closed in reverse, since later ones may use earlier ones", async () => {
  const closed: string[] = [];
  const part = (name: string) => ({
    ready: run({
      async [Symbol.asyncDispose]() {
        closed.push(name);
      },
    }),
  });

  await composePrepared([part("first"), part("second")], { seed: 1 })[Symbol.asyncDispose]();

  expect(closed).toEqual(["second", "first"]);
});
