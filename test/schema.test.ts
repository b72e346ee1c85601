import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { planSchema } from "../src/config/plan/plan-schema.ts";
import { answering, countingTasks, quickProject } from "./built-cli.ts";
import { examined } from "./examined-skill.ts";
import { promptToolFiles, promptToolFolder } from "./prompt-tool-files.ts";

const root = join(import.meta.dirname, "..");
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

test("the files of the package are what the command prints", async () => {
  await using project = await quickProject();

  const { document, code } = await project.run(["schema", "--json"]);
  const bare = await project.run(["schema"]);

  expect(code).toBe(0);
  expect(document).toMatchObject({ schemaVersion: 1, command: "schema" });
  expect(JSON.parse(bare.stdout)).toEqual({ schemas: document.schemas });
  const names = Object.keys(document.schemas).map((name) => `${name}.schema.json`);
  expect(readdirSync(join(root, "schemas")).sort()).toEqual(names.sort());
  for (const [name, schema] of Object.entries(document.schemas))
    expect(readJson(join(root, `schemas/${name}.schema.json`))).toEqual(schema);
  expect(readJson(join(root, "package.json")).files).toContain("schemas");
});

test("one schema is printed as it stands, ready to be saved", async () => {
  await using project = await quickProject();

  const { stdout, stderr } = await project.run(["schema", "skill"]);
  const wrapped = await project.run(["schema", "skill", "--json"]);

  expect(JSON.parse(stdout)).toMatchObject({ $id: "urn:eval-skills:schema:skill" });
  expect(stderr).toBe("");
  expect(wrapped.document).toEqual({
    schemaVersion: 1,
    command: "schema",
    name: "skill",
    schema: JSON.parse(stdout),
  });
});

test("a report that was really written fits its schema, and so does what create makes", async () => {
  await using project = await quickProject();
  await project.skill("counter", answering("return input.n;"));
  await project.write("tasks.json", countingTasks(3));
  const { code } = await project.run([
    ...["eval", "--skills", "skills/counter", "--tasks", "tasks.json", "--runs", "2", "--format", "json"],
  ]);
  expect(code).toBe(0);
  await project.run(["create", "--name", "made", "--from-template", "python_script"]);
  const fits = (name: string, file: string) => {
    const check = new Ajv({ strict: false, allErrors: true }).compile(
      readJson(join(root, `schemas/${name}.schema.json`)),
    );
    check(readJson(project.at(file)));
    return check.errors ?? [];
  };

  expect(fits("report", "reports/eval-result.json")).toEqual([]);
  expect(fits("skill", "skills/made/skill.json")).toEqual([]);
  expect(fits("adapter-config", "skills/made/adapter.config.json")).toEqual([]);
  expect(fits("benchmark", "skills/made/tests/basic.eval.json")).toEqual([]);
});

test.each([
  ["skil", "did you mean skill?"],
  ["ah32.skill.v2", "did you mean ah32.skill.v1?"],
  ["trajectory", "known: skill, "],
])("%s is exit 2 and names what there is", async (name, hint) => {
  await using project = await quickProject();

  const { code, document } = await project.run(["schema", name, "--json"]);

  expect(code).toBe(2);
  expect(document).toMatchObject({
    exitCode: 2,
    error: { code: "usage", hint: expect.stringContaining(hint) },
  });
});

test("the schema of plans is printed like the others", async () => {
  await using project = await quickProject();

  const { stdout, code } = await project.run(["schema", "ah32.plan.v1"]);

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(planSchema);
});

test("an output schema that comes with the package need not lie in the skill", async () => {
  const output = { markers: ["x"], output_schema: "ah32.plan.v1" };

  expect((await examined(promptToolFiles({ output }), { folder: promptToolFolder })).lines).toEqual([]);
});
