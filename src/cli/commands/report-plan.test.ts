import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { planDocument as fileOf } from "../../../test/plan-document.ts";
import { sampleAttempt, samplePlanResult, wrongAnchor } from "../../../test/sample-plan-result.ts";
import { reportFile, skillParts } from "../../../test/sample-report-file.ts";
import type { ReportFile } from "../../contract/document.ts";
import type { PlanResult } from "../../contract/planbench-report.ts";

const bad = sampleAttempt({ violations: [wrongAnchor] });
const kinds: Record<string, Partial<PlanResult>> = {
  k: {},
  r: { attempts: [bad, sampleAttempt()] },
  f: { outcome: "fail", attempts: [bad] },
  "?": { outcome: "error", attempts: [] },
};

/** Cases c0, c1, …, given as one word each, a letter per sample: `krf`, or `?` without an outcome. */
function makeCells(words: readonly string[], given: Partial<PlanResult> = {}): PlanResult[] {
  return words.flatMap((word, n) =>
    [...word].map((letter, at) =>
      samplePlanResult({ caseId: `c${n}`, sample: at + 1, ...kinds[letter], ...given }),
    ),
  );
}

const ten = (...first: string[]) => [...first, ...Array<string>(10 - first.length).fill("k")];

async function project(files: Record<string, unknown>) {
  const cli = await capturedCli();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cli.cwd, name), JSON.stringify(content));
  return cli;
}

async function diff(a: unknown, b: object, ...argv: string[]) {
  // Every sample has the same id.
  const { run } = b as ReportFile;
  await using cli = await project({ "a.json": a, "b.json": { ...b, run: { ...run, id: "later" } } });
  return await cli.run(["report", "diff", "a.json", "b.json", ...argv]);
}

describe("report diff of reports of planbench", () => {
  test("identical ones are unchanged; cases pair within their stratum", async () => {
    const file = fileOf([
      ...makeCells(ten("f", "r")),
      ...makeCells(["k", "f"], { route: "forced" }).map((one) => ({
        ...one,
        caseId: `forced-${one.caseId}`,
      })),
      samplePlanResult({ caseId: "harness", route: "fixed" }),
    ]);

    const { exitCode, document } = await diff(file, file, "--fail-on-regression", "--json");

    expect(exitCode).toBe(0);
    expect(document.warnings).toEqual([]);
    expect(document.skills).toMatchObject([
      {
        skillId: null,
        model: "openai/gpt-5-mini",
        suite: "plans",
        arm: "routed",
        verdict: "unchanged",
        reason: "10 of 10 cases equal",
        metrics: { passRate: { a: 0.9 }, ok0Rate: { a: 0.8 }, latencyP95Ms: { a: 1680 } },
        paired: { tasks: 10, meanDelta: 0 },
      },
      { suite: "plans", arm: "forced", paired: { tasks: 2 } },
      { suite: "plans", arm: "fixed", model: null },
    ]);
    // How long a script takes says nothing about a model.
    expect(Object.keys(document.skills[2].metrics)).toEqual(["passRate", "ok0Rate", "errorRate"]);
  });

  test("a case that moved to another stratum pairs with nothing there", async () => {
    const before = fileOf([...makeCells(["k", "k"]), samplePlanResult({ caseId: "x", route: "forced" })]);
    const after = fileOf([...makeCells(["k"]), ...makeCells(["k", "f"], { route: "forced" }).slice(1)]);

    const { document } = await diff(before, after, "--json");

    expect(document.skills.map(({ paired }: { paired: { tasks: number } }) => paired.tasks)).toEqual([1, 0]);
    expect(document.warnings).toEqual([
      "routed cases of plans with openai/gpt-5-mini: 1 case not compared: 1 only in Before",
    ]);
    expect(document.skills[1]).toMatchObject({
      verdict: "not-comparable",
      reason: "no case could be compared: 1 only in Before, 1 only in After",
    });
  });

  test("a bench that fell is a regression, one that rose an improvement, a single case of a model luck", async () => {
    const good = fileOf(makeCells(ten()));
    const poor = fileOf(makeCells(ten("f", "f", "f", "f", "f")));
    const fell = await diff(good, poor, "--fail-on-regression");
    const rose = await diff(poor, good, "--output", "d.md", "--fail-on-regression");
    const lucky = await diff(good, fileOf(makeCells(ten("f"))), "--json");
    const steady = await diff(
      fileOf(makeCells(ten("kkk").map((word) => word.repeat(3).slice(0, 3)))),
      fileOf(makeCells(["fff", ...Array<string>(9).fill("kkk")])),
      "--json",
    );

    expect(fell.exitCode).toBe(1);
    expect(fell.stdout).toContain(
      "- **failed**: routed cases of plans with openai/gpt-5-mini regressed\n\n## routed cases of plans with openai/gpt-5-mini\n",
    );
    expect(fell.stdout).toMatch(/\| Ok at First +\| +100\.0% \| +50\.0% \| ↓ −50\.0 pp worse +\|/);
    expect(fell.stdout).toContain("### Broken: 5 cases");
    expect(rose.exitCode).toBe(0);
    expect(rose.stdout).toMatch(
      /^routed cases of plans with openai\/gpt-5-mini {2}improved +pass rate ↑ \+50\.0 pp better\n {2}rose by 50\.0 points, more than chance explains; .*\n {2}Ok at First ↑ \+50\.0 pp better\n\n1 suite improved\n/,
    );
    expect(lucky.document.skills[0]).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringMatching(/^could be chance: with 95% confidence the true change lies between /),
    });
    expect(steady.document.skills[0]).toMatchObject({
      verdict: "regressed",
      reason: "1 case broken, none fixed, no mixed results",
    });
  });

  test("scripted replies have no luck: one case that broke is a regression", async () => {
    const mock = { model: "mock" };
    const { document } = await diff(
      fileOf(makeCells(ten()), mock),
      fileOf(makeCells(ten("f")), mock),
      "--json",
    );
    expect(document.skills[0]).toMatchObject({
      verdict: "regressed",
      reason: "1 case broken, none fixed, no mixed results",
    });
  });

  test("another model pairs with it, and what else differs is reported", async () => {
    const after = fileOf(makeCells(["k", "k"]), {
      model: "openai/b",
      parameters: { temperature: 1 },
      maxRepairs: 1,
      concurrency: 8,
    });
    const { stdout } = await diff(fileOf(makeCells(["k", "k"])), after);
    const renamed = await diff(
      fileOf(makeCells(["k"])),
      fileOf(makeCells(["k"]), { answeredBy: ["gpt-5-mini-2026-09-01"] }),
    );

    expect(stdout).toContain("## routed cases of plans with openai/gpt-5-mini → openai/b\n");
    expect(stdout).toContain("different model: Before openai/gpt-5-mini, After openai/b");
    expect(stdout).toContain("different limit of repairs: Before 5, After 1");
    expect(stdout).toContain("different concurrency: Before 4, After 8; latencies do not compare");
    expect(stdout).toContain("different parameters: ");
    expect(stdout).not.toContain("different model behind");
    expect(renamed.stdout).toContain(
      "different model behind openai/gpt-5-mini: Before gpt-5-mini-2026-01-15, After gpt-5-mini-2026-09-01",
    );
  });

  test("plans of a service and of a model do not compare, whatever the figures", async () => {
    const before = fileOf(makeCells(ten()));
    const after = fileOf(makeCells(ten("f", "f", "f", "f", "f", "f", "f", "f")), {
      model: "sse http://127.0.0.1:1/",
      target: "sse",
    });

    const { document, exitCode } = await diff(before, after, "--json", "--fail-on-regression");

    expect(exitCode).toBe(3);
    expect(document.skills).toMatchObject([{ verdict: "not-comparable", paired: { tasks: 0 } }]);
    expect(document.skills[0].reason).toBe(
      "the plans of one come from a model, of the other from a service, which tidies plans up before they are checked",
    );
    expect(JSON.stringify(document.skills)).not.toMatch(/"sense":"(better|worse)"/);
  });

  test("reports of different levels, and of different benches, have nothing to compare", async () => {
    const file = fileOf(makeCells(["k"]));
    const tasks = reportFile(skillParts({ tasks: { a: "p" } }));
    const { exitCode, document } = await diff(file, tasks, "--json");
    const apart = await diff(file, fileOf(makeCells(["k"]), { bench: "others" }), "--json");

    expect(exitCode).toBe(2);
    expect(document.error.message).toBe(
      "a.json is a report of level planbench, b.json of unit: they cannot be compared",
    );
    expect((await diff(tasks, file, "--json")).exitCode).toBe(2);
    expect(apart.document.error).toMatchObject({
      message: "a.json and b.json have nothing in common",
      hint: "a.json has routed cases of plans with openai/gpt-5-mini; b.json has routed cases of others with openai/gpt-5-mini",
    });
  });
});
