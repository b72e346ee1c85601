import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentCell, agentDocument as fileOf } from "../../../test/agent-document.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import { reportFile, skillParts } from "../../../test/sample-report-file.ts";
import type { ReportFile } from "../../contract/document.ts";
import type { CellResult, Verdict } from "../../contract/result.ts";

/** Cases c0, c1, …, given as one word each, a letter per trial: `pff`, or `?` without a verdict. */
function makeCells(words: readonly string[], given: Parameters<typeof agentCell>[0] = {}): CellResult[] {
  const statuses: Record<string, Verdict> = { p: "pass", f: "fail", "?": "invalid" };
  return words.flatMap((word, n) =>
    [...word].map((letter, at) =>
      agentCell({ caseId: `c${n}`, trial: at + 1, status: statuses[letter] ?? "pass", ...given }),
    ),
  );
}

const real = { model: "openai/a", suite: "live" } as const;
const ten = (...first: string[]) => [...first, ...Array<string>(10 - first.length).fill("p")];

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

describe("report diff of reports of agent eval", () => {
  test("identical ones are unchanged; cases pair by suite, id and digest, per model", async () => {
    const file = await fileOf([
      ...makeCells(ten("f")),
      ...makeCells(ten("fp"), real),
      ...makeCells(["p"], { suite: "other" }),
    ]);

    const { exitCode, document } = await diff(file, file, "--fail-on-regression", "--json");

    expect(exitCode).toBe(0);
    expect(document.warnings).toEqual([]);
    expect(document.skills).toMatchObject([
      { name: "mock", suite: "smoke", verdict: "unchanged", reason: "10 of 10 cases equal" },
      { name: "openai/a", suite: "live", paired: { tasks: 10, meanDelta: 0 } },
      { name: "mock", suite: "other" },
    ]);
    expect(document.skills.map(({ metrics }: { metrics: object }) => Object.keys(metrics))).toEqual([
      ["passRate", "errorRate", "recall", "precision"],
      ["passRate", "errorRate", "latencyMs", "latencyP95Ms", "recall", "precision"],
      ["passRate", "errorRate", "recall", "precision"],
    ]);
  });

  test("a script has no luck: one case that broke is a regression; of a model asked once it could be chance", async () => {
    const scripted = await diff(
      await fileOf(makeCells(ten())),
      await fileOf(makeCells(ten("f"))),
      "--fail-on-regression",
    );
    const lucky = await diff(
      await fileOf(makeCells(ten(), real)),
      await fileOf(makeCells(ten("f"), real)),
      "--fail-on-regression",
    );
    const strict = await diff(
      await fileOf(makeCells(ten(), real)),
      await fileOf(makeCells(ten("f"), real)),
      "--strict",
    );

    expect(scripted.exitCode).toBe(1);
    expect(scripted.stdout).toContain(
      "# Before → After: 1 suite regressed\n\n- **failed**: smoke with mock regressed\n\n## smoke with mock\n",
    );
    expect(scripted.stdout).toContain("1 case broken, none fixed, no mixed results");
    expect(scripted.stdout).toContain("Over 10 cases the pass rate changed by −10.0 pp");
    expect(scripted.stdout).toContain("- c0: 100.0% → 0.0%");
    expect(lucky.exitCode).toBe(0);
    expect(lucky.stdout).toContain("1 suite inconclusive");
    expect(strict.stdout).toContain("strict: 1 case broken");
  });

  test("a changed case is not compared, a case without a verdict neither, and that is said", async () => {
    const before = makeCells(["p", "p", "p"]);
    const after = makeCells(["f", "?", "p"]).map((one, n) =>
      n === 0 ? { ...one, caseDigest: "sha256:new" } : one,
    );

    const { document } = await diff(await fileOf(before), await fileOf(after), "--json");

    expect(document.skills[0].paired).toMatchObject({ tasks: 1, broken: [] });
    expect(document.warnings).toEqual([
      "smoke with mock: 2 cases not compared: 1 edited, 1 without a valid result on one side",
    ]);
  });

  test("baselines without skills are left out; a suite that is gone is removed", async () => {
    const baseline = makeCells(["f"], { ...real, arm: "absent" });
    const before = await fileOf([...makeCells(["p"], real), ...makeCells(["p"])]);

    const { exitCode, stdout } = await diff(
      before,
      await fileOf([...makeCells(["p"], real), ...baseline]),
      "--fail-on-regression",
    );
    const short = await diff(before, before, "--output", "d.md");

    expect(exitCode).toBe(1);
    expect(stdout).toContain("# Before → After: 1 suite removed, 1 unchanged\n");
    expect(stdout).toContain("## Removed\n\n- smoke with mock\n");
    expect(short.stdout).toMatch(/^live with openai\/a {2}unchanged {2}pass rate = 0\.0 pp/);
  });

  test("one model on each side pairs with another, and what else differs is reported", async () => {
    const before = await fileOf(makeCells(["ppp", "ppp"], real));
    const after = await fileOf(makeCells(["fff", "fff"], { ...real, model: "openai/b", grader: "2" }));

    const { stdout } = await diff(before, after);

    expect(stdout).toContain("## live with openai/a → openai/b\n");
    expect(stdout).toContain("different models: Before openai/a, After openai/b");
    expect(stdout).toContain("different grader: Before 1, After 2");
    expect(stdout).toContain("### Broken: 2 cases");
  });

  test("reports of different levels have nothing to compare", async () => {
    const { exitCode, document } = await diff(
      await fileOf(makeCells(["p"])),
      reportFile(skillParts({ tasks: { a: "p" } })),
      "--json",
    );
    const apart = await diff(
      await fileOf(makeCells(["p"])),
      await fileOf(makeCells(["p"], { suite: "x" })),
      "--json",
    );

    expect(exitCode).toBe(2);
    expect(document.error.message).toBe(
      "a.json is a report of level agent, b.json of unit: they cannot be compared",
    );
    expect(apart.document.error).toMatchObject({
      message: "a.json and b.json have nothing in common",
      hint: "a.json has smoke with mock; b.json has x with mock",
    });
  });
});
