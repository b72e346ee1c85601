import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleResult } from "../../store/samples.ts";
import { warningFold } from "./cell-warnings.ts";

const odd = "answered, then exit 7";

function warn(cells: readonly { caseId: string; warnings: string[] }[]): string[] {
  const fold = warningFold();
  for (const cell of cells) fold.add(sampleResult({ ...cell, skillId: "calc", status: "pass" }));
  return fold.warnings();
}

test("what results warn of is a sentence per text, whatever their verdict", () => {
  expect(
    warn([
      { caseId: "b", warnings: [odd] },
      { caseId: "a", warnings: [odd, "usage is not an object and was ignored"] },
      { caseId: "a", warnings: [odd] },
      { caseId: "c", warnings: [] },
    ]),
  ).toEqual([`calc: ${odd} (3 results: a, b)`, "calc: usage is not an object and was ignored (1 result: a)"]);
});

test("what the sandbox hid from results is a warning like theirs", () => {
  const fold = warningFold();
  const hid = { status: "invalid", cause: "sandbox-hid", reason: "it hides /srv/x", score: null } as const;
  fold.add(sampleResult({ ...hid, caseId: "a", skillId: "calc" }));
  fold.add(
    sampleResult({ ...hid, cause: "skill-changed", reason: "it changed", caseId: "a", skillId: "calc" }),
  );
  expect(fold.warnings()).toEqual(["calc: it hides /srv/x (1 result: a)"]);
});

test("of many cases the first three are named", () => {
  const cells = ["d", "c", "b", "a"].map((caseId) => ({ caseId, warnings: [odd] }));

  expect(warn(cells)).toEqual([`calc: ${odd} (4 results: a, b, c, …)`]);
});

test("twenty texts at most are kept, and the order of results does not matter", () => {
  const cells = Array.from({ length: 90 }, (_, at) => ({
    caseId: `t${at % 7}`,
    warnings: [`text ${at % 30}`],
  }));
  const expected = warn(cells);

  expect(expected).toHaveLength(20);
  fc.assert(
    fc.property(fc.shuffledSubarray(cells, { minLength: cells.length }), (shuffled) => {
      expect(warn(shuffled)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
