import { expect, test } from "vitest";
import { examined } from "../../test/examined-skill.ts";

const head = "---\nname: my-skill\ndescription: Does it.\n---\n";

test.each([
  ["nothing", "", ["SKM11 body: 0 lines, recommended at least 1"]],
  ["blank lines", "\n \n\t\n", ["SKM11 body: 0 lines, recommended at least 1"]],
  ["500 lines", "Do it.\n".repeat(500), []],
  ["501 lines", "Do it.\n".repeat(501), ["SKM11 body: 501 lines, recommended at most 500"]],
  [
    "501 lines that end in CRLF",
    "Do it.\r\n".repeat(501),
    ["SKM11 body: 501 lines, recommended at most 500"],
  ],
  [
    "too much of everything",
    `${"Do it now, and do it well. ".repeat(10)}\n`.repeat(600),
    ["SKM11 body: 600 lines, recommended at most 500"],
  ],
  ["40,001 characters", "x".repeat(40_001), ["SKM11 body: 40001 characters, recommended at most 40000"]],
  [
    "40,000 characters of two code units each",
    "😀".repeat(40_000),
    [expect.stringMatching(/^SKM11 body: \d+ tokens, recommended at most 5000$/)],
  ],
  ["5,000 tokens", " word".repeat(5000), []],
  ["more tokens than words", "𓀀".repeat(1251), ["SKM11 body: 5004 tokens, recommended at most 5000"]],
  ["5,001 tokens", " word".repeat(5001), ["SKM11 body: 5001 tokens, recommended at most 5000"]],
])("a body of %s", async (_, body, expected) => {
  expect((await examined({ "SKILL.md": head + body })).lines).toEqual(expected);
});

test("the body is looked at where fields are wrong too, and in a skill that is called", async () => {
  const broken = await examined({ "SKILL.md": "---\nname: Other\ndescription: Does it.\n---\n" });
  expect(broken.lines).toContain("SKM11 body: 0 lines, recommended at least 1");

  const unit = await examined({
    "SKILL.md": head,
    "skill.json": JSON.stringify({ id: "my-skill", adapterType: "subprocess" }),
  });
  expect(unit.lines).toContain("SKM11 body: 0 lines, recommended at least 1");
});
