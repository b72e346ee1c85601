import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askingProject } from "../../../test/asking-project.ts";
import { reportFormats } from "../../contract/format.ts";

/** A project of which only skills, tasks and cases ask, so that something can be left out. */
async function quietlyConfigured() {
  const project = await askingProject();
  writeFileSync(join(project.cwd, "eval-skills.config.yaml"), "telemetry: { mode: off }\n");
  const read = (path: string) => readFileSync(join(project.cwd, path), "utf8");
  return { ...project, read };
}

describe("--skip-ungranted", () => {
  test.each([
    [
      "eval --skills skills/weather skills/quiet --tasks bench/named.json",
      { skillId: "weather" },
      "env:GITHUB_TOKEN@weather",
    ],
    ["eval --skills skills/quiet --tasks bench/mixed.json", { caseId: "outside" }, "read:"],
    [
      "run --skills-dir skills --tasks bench/named.json",
      { skillId: "served" },
      "env:PLAN_TOKEN@served, host:mcp.example:443",
    ],
    ["agent eval evals/sends evals/suite.yaml", { caseId: "sends" }, "host:api.example.com"],
    ["agent eval talks", { caseId: "late" }, "read:"],
  ])("%s leaves out what asks, runs the rest, and says so", async (line, left, asked) => {
    await using project = await quietlyConfigured();
    const [, one] = JSON.parse(
      project
        .read("bench/tasks.json")
        .replace(/]$/, ',{"id":"plain","inputData":{},"expectedOutput":{"type":"exact","value":"x"}}]'),
    );
    const [outside] = JSON.parse(project.read("bench/tasks.json"));
    writeFileSync(
      join(project.cwd, "bench/mixed.json"),
      JSON.stringify([one, { ...outside, id: "outside" }]),
    );
    writeFileSync(
      join(project.cwd, "talks/plain.yaml"),
      JSON.stringify({
        kind: "conversation",
        id: "plain",
        input: "hello",
        mock: { turns: [{ final: "done" }] },
      }),
    );

    const { document } = await project.run(`${line} --skip-ungranted --json`);

    const { skipped, subjects } = document.report ?? document;
    expect(skipped).toContainEqual(
      expect.objectContaining({ ...left, reason: expect.stringContaining(`not granted: ${asked}`) }),
    );
    expect(subjects.length).toBeGreaterThan(0);
  });

  test("is refused where nothing is left, and says how to see what is missing", async () => {
    await using project = await quietlyConfigured();
    for (const line of [
      "planbench plans/bench.yaml",
      "eval --skills skills/weather --tasks bench/named.json",
    ]) {
      const { exitCode, document } = await project.run(`${line} --skip-ungranted --json`);
      expect([line, exitCode, document.error.code]).toEqual([line, 2, "nothing-to-do"]);
      expect(document.error.hint).toContain("without --skip-ungranted");
    }
  });

  test("leaves no trace of the project's own asks: what its configuration asks for cannot be left out", async () => {
    await using project = await askingProject();
    const line = "eval --skills skills/weather skills/quiet --tasks bench/named.json --skip-ungranted --json";
    const { exitCode, document } = await project.run(line);
    expect([exitCode, document.error.code]).toEqual([2, "grant-missing"]);
    expect(document.error.message).not.toContain("weather");
  });

  test("every format shows what was left out, and what was granted", async () => {
    await using project = await quietlyConfigured();
    const formats = reportFormats.filter((format) => format !== "csv").join(" ");
    const line = `eval --skills skills/weather skills/quiet skills/served --tasks bench/named.json --format ${formats}`;

    const { stdout } = await project.run(`${line} --skip-ungranted --grant env:GITHUB_TOKEN@weather`);

    const files = readdirSync(join(project.cwd, "reports")).filter((name) => name.startsWith("eval-result."));
    const texts = [
      ...files.map((name) => [name, project.read(`reports/${name}`)] as const),
      ["stdout", stdout] as const,
    ];
    expect(texts).toHaveLength(9);
    for (const [name, text] of texts) {
      const plain = text.replaceAll("\\", "").replace(/\s+/g, " ");
      expect([name, plain.includes("GITHUB_TOKEN"), plain.includes("not granted: env:PLAN_TOKEN")]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });
});

test("the user's own file grants by path and by glob, to no other project, and reports say so", async () => {
  await using project = await quietlyConfigured();
  const line = "eval --skills skills/weather --tasks bench/named.json --json";
  const granting = (where: string) =>
    project.configureUser({ grants: { [where]: ["env:GITHUB_TOKEN@weather"] } });

  granting(`${project.cwd}-other`);
  expect((await project.run(line)).document.error.code).toBe("grant-missing");
  for (const where of [project.cwd, `${join(project.cwd, "..")}/*`, "/**"]) {
    granting(where);
    const { exitCode, document, stderr } = await project.run(line);
    expect([where, exitCode, document.run.grants]).toMatchObject([
      where,
      0,
      [{ value: "GITHUB_TOKEN", by: "user file" }],
    ]);
    expect(stderr.match(/passes GITHUB_TOKEN to skill weather\n/g)).toHaveLength(1);
  }
});
