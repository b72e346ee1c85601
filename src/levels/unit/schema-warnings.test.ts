import { expect, test } from "vitest";
import { sampleCell, sampleSkill, sampleTask } from "../../../test/sample-cell.ts";
import { checkInputs, outputCheck } from "./schema-warnings.ts";

const slowSchema = { type: "string", pattern: "^(a+)+$" };
const slowText = `${"a".repeat(40)}!`;

test("a schema of outputs that takes too long is tried once, and then holds up no further cell", async () => {
  const cell = sampleCell();
  const check = await outputCheck([{ ...sampleSkill(), outputSchema: slowSchema }]);
  const began = performance.now();

  for (let n = 0; n < 5; n++)
    expect(check(cell, slowText)).toEqual([expect.stringContaining("could not be checked")]);

  expect(performance.now() - began).toBeLessThan(3000);
});

test("a schema of inputs that takes too long does not hold up the start task by task", async () => {
  const tasks = Array.from({ length: 5 }, () => sampleTask({ inputData: slowText }));
  const began = performance.now();

  const warnings = await checkInputs([{ ...sampleSkill(), inputSchema: slowSchema }], tasks);

  expect(warnings).toEqual([expect.stringContaining("5 of 5 tasks")]);
  expect(performance.now() - began).toBeLessThan(3000);
});

test("inputs that do not fit are one warning per skill, and skills that take them have none", async () => {
  const skill = sampleSkill();
  const wants = (id: string, member: string) => ({
    ...skill,
    id,
    inputSchema: { type: "object", required: [member] },
  });
  const tasks = [
    ...Array.from({ length: 8 }, () => sampleTask({ id: "good", inputData: { query: "x" } })),
    sampleTask({ id: "bad", inputData: {} }),
    sampleTask({ id: "worse", inputData: 7 }),
  ];

  expect(await checkInputs([wants("a", "query"), wants("b", "text"), skill], tasks)).toEqual([
    "the inputs of 2 of 10 tasks do not match the inputSchema of a, first bad: (root) must have required property 'query'; fix inputSchema in its skill.json, or the tasks",
    "the inputs of 10 of 10 tasks do not match the inputSchema of b, first good: (root) must have required property 'text'; fix inputSchema in its skill.json, or the tasks",
  ]);
});
