import { expect, test } from "vitest";
import { sharedToolNames } from "./shared-tool-names.ts";

function skill(id: string, ...names: string[]) {
  const tools = names.map((name) => ({
    name,
    description: "",
    parameters: null,
    script: `scripts/${name}.py`,
  }));
  return { id, manifest: `/skills/${id}/skill.json`, tools };
}

function sharedNames(...skills: ReturnType<typeof skill>[]): string[] {
  return sharedToolNames(skills).map(({ skill: { id }, message }) => `${id}: ${message}`);
}

test("a name that several skills have is reported for each of them, with all the others", () => {
  expect(
    sharedNames(
      skill("finance-audit", "data_parser"),
      skill("et-analyzer", "x", "data_parser"),
      skill("a", "data_parser"),
    ),
  ).toEqual([
    "finance-audit: tool data_parser also in a, et-analyzer",
    "et-analyzer: tool data_parser also in a, finance-audit",
    "a: tool data_parser also in et-analyzer, finance-audit",
  ]);
});

test("names that differ in case only are reported with the other's spelling", () => {
  expect(sharedNames(skill("a", "Parse"), skill("b", "parse"))).toEqual([
    "a: tool Parse also in b (as parse)",
    "b: tool parse also in a (as Parse)",
  ]);
});

test("names of one skill's own, and skills of one id, are not a finding here", () => {
  expect(sharedNames(skill("a", "x", "X", "x"), skill("b", "y"), skill("c"))).toEqual([]);
  expect(sharedNames(skill("a", "x"), skill("a", "x"))).toEqual([]);
});

test("it says where the name is declared and which name would be unique", () => {
  const [first] = sharedToolNames([skill("et-analyzer", "x", "parse"), skill("b", "parse")]);
  expect(first).toMatchObject({
    place: { file: "skill.json", jsonPath: "$.tools[1]" },
    hint: "prefix it: et_analyzer_parse",
  });
  const [long] = sharedToolNames([skill("a".repeat(60), "parse"), skill("b", "parse")]);
  expect(long?.hint).toBe(`prefix it: ${"a".repeat(60)}_<verb>`);
  expect(sharedToolNames([skill("9-lives", "parse"), skill("b", "parse")])[0]?.hint).toBe(
    "prefix it: 9_lives_<verb>",
  );
});
