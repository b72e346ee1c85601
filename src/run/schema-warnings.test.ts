import { expect, test } from "vitest";
import { sampleCell, sampleTask } from "../../test/sample-cell.ts";
import { checkInputs, outputCheck } from "./schema-warnings.ts";

const slowSchema = { type: "string", pattern: "^(a+)+$" };
const slowText = `${"a".repeat(40)}!`;

test("a schema of outputs that takes too long is tried once, and then holds up no further cell", async () => {
  const cell = sampleCell();
  const check = await outputCheck([{ ...cell.skill, outputSchema: slowSchema }]);
  const began = performance.now();

  for (let n = 0; n < 5; n++)
    expect(check(cell, slowText)).toEqual([expect.stringContaining("could not be checked")]);

  expect(performance.now() - began).toBeLessThan(3000);
});

test("a schema of inputs that takes too long does not hold up the start task by task", async () => {
  const tasks = Array.from({ length: 5 }, () => sampleTask({ inputData: slowText }));
  const began = performance.now();

  const warnings = await checkInputs([{ ...sampleCell().skill, inputSchema: slowSchema }], tasks);

  expect(warnings).toHaveLength(5);
  expect(performance.now() - began).toBeLessThan(3000);
});
