import { describe, expect, test } from "vitest";
import { answering, countingTasks, quickProject } from "./built-cli.ts";
import { skillReport } from "./report-of.ts";

/** Answers right, but for one call in four, drawn by the number of the call: the same behaviour, never the same results. */
const flaky = (seed: number) =>
  answering(`
    globalThis.calls = (globalThis.calls ?? ${seed}) + 1;
    return { result: (globalThis.calls * 2654435761 >>> 7) % 4 === 0 ? -1 : input.n };
  `);

describe("report diff on two real runs", () => {
  test("a flaky skill that behaves as before is inconclusive, whatever its figures say", async () => {
    await using project = await quickProject();
    const tasks = await project.write("tasks.json", countingTasks(12));
    for (const [name, seed] of [
      ["before", 0],
      ["after", 1000],
    ] as const) {
      await project.skill("flaky", flaky(seed), {
        config: { type: "subprocess", lifecycle: "persistent" },
      });
      const flags = [
        "--tasks",
        tasks,
        "--runs",
        "3",
        "--concurrency",
        "1",
        "--output-dir",
        name,
        "--format",
        "json",
      ];
      expect((await project.run(["eval", "--skills", "skills/flaky", ...flags])).code).toBe(0);
    }

    const { code, document } = await project.run([
      ..."report diff before/eval-result.json after/eval-result.json --fail-on-regression --json".split(" "),
    ]);

    const [skill] = document.skills;
    expect(skill).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringMatching(/^could be chance: /),
      paired: { tasks: 12 },
    });
    expect(skill.paired.shifted.length).toBeGreaterThan(0);
    expect(skill.metrics.completionRate.a).toBeLessThan(1);
    expect(["no-difference-found", "same"]).toContain(skill.metrics.completionRate.sense);
    expect(code).toBe(0);
  });

  test("case 11: a planted regression is found; exit 1 with --fail-on-regression, 0 without", async () => {
    await using project = await quickProject();
    const tasks = await project.write("tasks.json", countingTasks(12));
    const evaluate = (dir: string) =>
      project.run([
        "eval",
        "--skills",
        "skills/calc",
        "--tasks",
        tasks,
        "--output-dir",
        dir,
        "--format",
        "json",
      ]);
    await project.skill("calc", answering("return { result: input.n };"));
    await evaluate("v1");
    await project.skill("calc", answering("return { result: input.n % 2 ? input.n : 'wrong' };"));
    await evaluate("v2");
    for (const [dir, names] of [
      ["v1", ["v1", "baseline"]],
      ["v2", ["v2", "latest"]],
    ] as const)
      for (const name of names)
        await project.write(`reports/${name}.json`, await project.read(dir, "eval-result.json"));
    const line = (text: string) => project.run(text.split(" "));

    const informs = await line(
      "report diff ./reports/v1.json ./reports/v2.json --label-a v1.0 --label-b v2.0 --output ./reports/diff.md",
    );
    const fails = await line(
      "report diff ./reports/v1.json ./reports/v2.json --label-a v1.0 --label-b v2.0 --fail-on-regression",
    );
    const checked = await line(
      "report diff ./reports/baseline.json ./reports/latest.json --label-a baseline --label-b latest --output ./reports/regression-check.md --fail-on-regression",
    );

    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(
      /^calc {2}regressed {2}completion ↓ −50\.0 pp worse\n {2}fell by 50\.0 points, more than chance explains; /,
    );
    expect(await project.read("reports/regression-check.md")).toMatch(
      /^# baseline → latest: 1 skill regressed\n/,
    );
    expect(informs.code).toBe(0);
    expect(await project.read("reports/diff.md")).toBe(
      fails.stdout.replace("- **failed**: calc on tasks.json regressed\n\n", ""),
    );
    expect(fails.code).toBe(1);
    expect(fails.stdout).toMatch(/^# v1\.0 → v2\.0: 1 skill regressed\n/);
    expect(fails.stdout).toMatch(/\| Completion +\| 100\.0% \| +50\.0% \| ↓ −50\.0 pp worse +\|/);
    expect(fails.stdout).toContain("### Broken: 6 tasks\n\n- t2: 100.0% → 0.0%\n");
  });
});

describe("reports in every format", () => {
  test("eval writes them, and report convert makes the same ones of the JSON", async () => {
    await using project = await quickProject();
    await project.skill("calc", answering("return { result: input.n % 2 ? input.n : '=cmd() ]]>' };"));
    const tasks = await project.write("tasks.json", countingTasks(4));
    const formats = ["json", "markdown", "html", "csv", "junit"];

    const { code } = await project.run([
      "eval",
      "--skills",
      "skills/calc",
      "--tasks",
      tasks,
      "--format",
      ...formats,
    ]);

    expect(code).toBe(0);
    const pairs = [
      ["markdown", "md"],
      ["html", "html"],
      ["csv", "csv"],
      ["junit", "xml"],
    ] as const;
    for (const [format, extension] of pairs) {
      const argv = ["report", "convert", "--input", "reports/eval-result.json", "--format", format];
      // The file that a case is defined in is known to the run alone.
      const written = (await project.read(`reports/eval-result.${extension}`)).replaceAll(
        ' file="tasks.json"',
        "",
      );
      expect((await project.run(argv)).stdout, format).toBe(written);
      expect((await project.run([...argv, "--json"])).document.content, format).toBe(written);
    }
    const line =
      "report convert --input ./reports/eval-result.json --format html --output ./reports/eval-result.html";
    expect((await project.run(line.split(" "))).code).toBe(0);
  });
});

describe("on GitHub Actions", () => {
  test("what a skill says can never be a command to the runner, in any output", async () => {
    await using project = await quickProject();
    const evil = "::error::x\n::stop-commands::y\n##[add-mask]z";
    await project.skill(
      "evil",
      `#!/bin/sh\nprintf '%s\\n' '${evil}' >&2\nprintf '%s\\n' '${evil}'\nexit 3\n`,
    );
    const task = { id: evil, inputData: {}, expectedOutput: { type: "exact", value: evil }, tags: [evil] };
    const tasks = await project.write("tasks.json", [task]);
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: project.at("summary.md") };
    const evaluate = ["eval", "--skills", "skills/evil", "--tasks", tasks];
    const convert = ["report", "convert", "--input", "reports/eval-result.json", "--format"];

    const spoken = [];
    for (const argv of [
      [...evaluate, "--verbose"],
      [...evaluate, "--json"],
      [...convert, "markdown"],
      [...convert, "csv"],
      [...convert, "junit"],
      [...convert, "html"],
    ])
      spoken.push(await project.run(argv, { env }));

    for (const { stdout, stderr } of spoken)
      for (const line of `${stdout}\n${stderr}`.split(/[\r\n]/)) {
        expect(line).not.toContain("##[");
        if (/^\s*::/.test(line))
          expect(line).toMatch(/^::(warning|error|notice) title=[^:,]*(,file=[^:,]*)?::/);
      }
    expect(skillReport(spoken[1]?.document, "evil").cells).toMatchObject([{ caseId: evil }]);
  });
});
