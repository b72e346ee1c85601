import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { caseProject } from "../../../test/case-project.ts";
import { planSchema } from "../plan/plan-schema.ts";
import { tableViolations } from "../plan/plan-tables.ts";
import { findNamedSchema, findOutputSchema } from "./find-output-schema.ts";

const readSchema = (title: string) => ({ title, type: "object" });
const nothing: Record<string, string> = {};

async function project(files: Record<string, unknown>) {
  const made = await caseProject(files);
  const locations = (given = nothing, skillDir: string | null = made.at("skills/k")) => ({
    given,
    skillDir,
    cwd: made.at("."),
  });
  return { ...made, locations };
}

test("a schema is looked for where the user says, in the skill, in the project, in the package", async () => {
  await using here = await project({
    "own.json": readSchema("given"),
    "skills/k/schemas/a.schema.json": readSchema("skill"),
    "schemas/a.schema.json": readSchema("project"),
    "schemas/skill.schema.json": readSchema("ours"),
  });
  const readTitle = (name: string, locations = here.locations()) =>
    (findOutputSchema(name, locations).schema as { title: string }).title;

  expect(readTitle("a", here.locations({ a: here.at("own.json") }))).toBe("given");
  expect(readTitle("a")).toBe("skill");
  expect(readTitle("a", here.locations({}, null))).toBe("project");
  expect(readTitle("skill")).toBe("ours");
  expect(readTitle("a/b", here.locations({ "a/b": here.at("own.json") }))).toBe("given");
  expect(findOutputSchema("ah32.plan.v1", here.locations())).toEqual({
    name: "ah32.plan.v1",
    schema: planSchema,
    check: tableViolations,
    path: null,
  });
});

test("one that is nowhere is reported with every location, and no name leads out of a folder", async () => {
  await using here = await project({ "secret.schema.json": {}, "skills/k/x": "" });
  expect(() => findOutputSchema("plan", here.locations())).toThrow(
    expect.objectContaining({
      code: "schema-not-found",
      exitCode: 2,
      message:
        "schema not found: plan; searched skills/k/schemas/plan.schema.json, schemas/plan.schema.json, plan.schema.json in the package",
      hint: "add schemas/plan.schema.json, or pass --schema plan=<file>",
    }),
  );
  for (const name of ["../secret", "..", ".", "", "a/b", "a\\b", "/etc/passwd", "a\u0000b", "__proto__"])
    expect(() => findOutputSchema(name, here.locations())).toThrow(
      expect.objectContaining({ code: "schema-not-found" }),
    );
});

test("what is found must be a schema, inside the skill", async () => {
  await using here = await project({
    "outside.json": {},
    "skills/k/schemas/text.schema.json": "{",
    "skills/k/schemas/list.schema.json": "[]",
    "skills/k/schemas/typo.schema.json": { tpye: "object" },
  });
  symlinkSync(here.at("outside.json"), here.at("skills/k/schemas/link.schema.json"));
  const codes = ["text", "list", "typo", "link"].map((name) => {
    try {
      return findOutputSchema(name, here.locations()).name;
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
  expect(codes).toEqual(["schema-invalid", "schema-invalid", "schema-invalid", "path-outside-skill"]);
});

test("a file names a schema by a path that counts from itself, or by name", async () => {
  await using here = await project({
    "bench/schemas/mine.schema.json": readSchema("beside"),
    "schemas/shared.schema.json": readSchema("project"),
  });
  const find = (words: string, given = nothing) =>
    findNamedSchema(words, here.at("bench"), here.locations(given, null));

  expect(find("schemas/mine.schema.json")).toMatchObject({
    schema: { title: "beside" },
    path: here.at("bench/schemas/mine.schema.json"),
  });
  expect(find("../schemas/shared.schema.json")).toMatchObject({ schema: { title: "project" } });
  expect(find("shared")).toMatchObject({ schema: { title: "project" } });
  for (const words of [
    "ah32.plan.v1",
    "schemas/ah32.plan.v1.schema.json",
    "./schemas/ah32.plan.v1.schema.json",
  ])
    expect(find(words)).toMatchObject({ name: "ah32.plan.v1", path: null });
  expect(find("mine", { mine: here.at("schemas/shared.schema.json") })).toMatchObject({
    schema: { title: "project" },
  });
  for (const words of ["schemas/none.schema.json", "none.json", "../x/none.json"])
    expect(() => find(words)).toThrow(expect.objectContaining({ code: "schema-not-found" }));
});
