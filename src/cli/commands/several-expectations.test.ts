import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { skillManifest } from "../../../test/eval-project.ts";
import { reportFormats } from "../../contract/format.ts";

const tasks = `
- id: tea # what most people ask for
  inputData: { drink: tea }
  expect:
    - { type: json_schema, schema: { type: object, required: [minutes] } }
    - { type: contains, keywords: [oolong] }
    - anyOf: [{ value: { minutes: 7 } }, { type: regex, patterns: [Minutes] }]
- id: refused
  inputData: { drink: lava }
  expect:
    - { type: error, code: module-error }
    - { type: error, contains: lava }
`;

async function teaProject() {
  const cli = await capturedCli();
  mkdirSync(join(cli.cwd, "skill"));
  const files = {
    "skill/skill.json": JSON.stringify({
      ...skillManifest,
      adapterType: "custom",
      entrypoint: "./skill.mjs",
    }),
    "skill/skill.mjs": `export function invoke({ drink }) {
  if (drink === "lava") throw new Error("nobody drinks lava");
  return { minutes: 3 };
}`,
    "tea.eval.yaml": tasks,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cli.cwd, name), text);
  const evaluate = (...more: string[]) =>
    cli.run(["eval", "--skills", "skill", "--tasks", "tea.eval.yaml", "--sandbox", "process", ...more]);
  return { ...cli, evaluate };
}

test("every expectation of a task is decided, and shown on its own in every format", async () => {
  await using project = await teaProject();

  const { exitCode, stderr, stdout } = await project.evaluate(
    "--format",
    ...reportFormats,
    "--min-completion",
    "1",
  );

  expect(exitCode, stderr).toBe(1);
  expect(stdout).toContain("2 of 3 expectations not met");
  const shown = (name: string) => readFileSync(join(project.cwd, "reports", name), "utf8");
  const { cells } = JSON.parse(shown("eval-result.json"));
  const [tea, refused] = cells;
  expect(tea).toMatchObject({ status: "fail", score: 1 / 3, details: { scorerType: "several" } });
  expect(tea.details.expectations).toMatchObject([
    { scorerType: "json_schema", passed: true },
    { scorerType: "contains", passed: false, score: 0 },
    { passed: false, anyOf: [{ scorerType: "exact_match" }, { scorerType: "regex" }] },
  ]);
  expect(refused).toMatchObject({ status: "pass", score: 1 });
  for (const name of ["eval-result.md", "eval-result.xml", "eval-result.html", "eval-result.sarif"])
    expect(shown(name), name).toContain("expectations not met");
  for (const name of ["eval-result.md", "eval-result.xml", "eval-result.html"])
    expect(shown(name), name).toContain("no alternative is met");
  expect(shown("eval-result.csv")).toContain("1 pass; 2 fail; 3 fail");
});

test("what was stored is scored again by what is expected now", async () => {
  await using project = await teaProject();
  await project.evaluate("--format", "json");
  const report = readFileSync(join(project.cwd, "reports/eval-result.json"), "utf8");
  writeFileSync(
    join(project.cwd, "tea.eval.yaml"),
    tasks.replace("oolong", "'3'").replace("minutes: 7", "minutes: 3"),
  );

  const { exitCode, stderr } = await project.run([
    "eval",
    "--rescore",
    JSON.parse(report).run.id,
    "--min-completion",
    "1",
  ]);

  expect(exitCode, stderr).toBe(0);
});
