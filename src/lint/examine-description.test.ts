import { expect, test } from "vitest";
import { examined } from "../../test/examined-skill.ts";
import { placeholderIn } from "../skills/skill-description.ts";

const template = "my-skill: describe what it does and when to use it";
const finding = "SKD08 SKILL.md: description is still the template's placeholder";

test("the template's description is reported, with its location, also where something else is wrong", async () => {
  const file = (name: string, description: string) => ({
    "SKILL.md": `---\nname: ${name}\ndescription: "${description}"\n---\nDo it.\n`,
  });

  const { diagnostics, lines } = await examined(file("my-skill", template));
  expect(lines).toEqual([finding]);
  expect(diagnostics).toMatchObject([{ severity: "warning", line: 3, jsonPath: "$.description" }]);

  expect((await examined(file("other", template))).lines).toEqual([
    'SKM05 name "other" does not match folder "my-skill"',
    finding,
  ]);
  expect((await examined(file("my-skill", "Adds numbers. Use it for sums."))).lines).toEqual([]);
});

test.each([
  [
    "unit",
    {
      id: "my-skill",
      name: "My Skill",
      version: "1.0.0",
      description: template,
      adapterType: "http",
      entrypoint: "http://localhost:1",
    },
  ],
  [
    "prompt-tool",
    {
      schema_version: "ah32.skill.v1",
      meta: { id: "my-skill", name: "My Skill", description: template },
      entry: { system_prompt: "SYSTEM.md" },
    },
  ],
])("so is that of a %s", async (_, manifest) => {
  const { lines } = await examined({ "skill.json": JSON.stringify(manifest), "SYSTEM.md": "Do it." });

  expect(lines).toContain("SKD08 skill.json: description is still the template's placeholder");
});

test.each([
  ["TODO", "TODO"],
  ["TODO: say something", "TODO"],
  ["[TODO: Complete and informative explanation]", "TODO"],
  ["FIXME", "FIXME"],
  ["Your description here.", "Your description here."],
  ["A brief description", "A brief description"],
  ["Replace with description of the skill and when Claude should use it.", "Replace with description"],
  ["Describe what this skill does", "Describe what this skill does"],
  ["Lorem ipsum dolor", "Lorem ipsum"],
])("%s is a placeholder", (description, words) => {
  expect(placeholderIn(description)).toBe(words);
});

test.each([
  ["Keeps a todo list and shows what is due."],
  ["Finds TODO comments and FIXME markers in a code base."],
  ["Writes a description here and there, for products."],
  ["Writes the meta description of a page."],
])("%s is none", (description) => {
  expect(placeholderIn(description)).toBeNull();
});
