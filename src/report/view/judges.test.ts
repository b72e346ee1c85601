import { expect, test } from "vitest";
import { skillParts } from "../../../test/sample-report-file.ts";
import { sampleView } from "../../../test/sample-view.ts";
import { verdictMark } from "./verdict-words.ts";

const effort = {
  ...{ model: "lab/small", cells: 16, failed: 4, failureRate: 0.25, calls: 32, latencyMs: 348 },
  ...{ promptTokens: null, completionTokens: null, costUsd: 0.008, trustedDespite: null },
};
const canaries = { asked: 13, answered: 13, drift: 0.1, flipRate: 0, problem: null };
const problem = "the judge lab/small is off by 0.50 on answers of known score";
const failed = { ...effort, canaries: { ...canaries, drift: 0.5, problem } };

const viewed = (exitCode: 0 | 3, judges: object[], parts = skillParts({ tasks: { a: "pp" } })) =>
  sampleView([parts, { exitCode, judges: judges as never }]);

test("judges are shown with what they took and how far they can be trusted", () => {
  const shown = viewed(0, [
    { ...effort, canaries },
    { ...effort, canaries: null },
    failed,
    { ...failed, trustedDespite: problem },
  ]);

  expect(shown.facts.find(({ isNote }) => isNote)).toMatchObject({
    ...{ label: "Judged by", value: "lab/small", note: "16 cells, 32 calls, $0.008" },
  });
  const took = ["lab/small", 16, 0.25, 32, 348, 0.008];
  expect(shown.sections()).toMatchObject([
    {
      title: "Judges",
      blocks: [
        {
          rows: [
            [...took, "13 of 13", 0.1, 0, "yes"],
            [...took, "not asked", null, null, null],
            [...took, "13 of 13", 0.5, 0, "no"],
            [...took, "13 of 13", 0.5, 0, "no, trusted anyway"],
          ],
        },
      ],
    },
  ]);
});

test("a run whose judge failed says so, and how its verdicts are accepted", () => {
  const view = viewed(3, [failed], skillParts({ tasks: { a: "ii" } }));

  expect(verdictMark(view)).toBe("?");
  expect(view.verdict.reasons[0]).toBe(
    `${problem}: use another judge, or accept its verdicts with --trust-judge`,
  );
});

test.each<[string, object, string[]]>([
  [
    "failed its canaries",
    { ...failed, trustedDespite: problem },
    [`trusted anyway: ${problem} (--trust-judge)`],
  ],
  [
    "was not asked about any this time",
    { ...effort, canaries: null, trustedDespite: problem },
    [`trusted anyway: ${problem} (--trust-judge)`],
  ],
  ["is sound", { ...effort, canaries }, []],
])("a verdict of a trusted judge that %s says so first", (_, judge, reasons) => {
  expect(viewed(0, [judge]).verdict).toMatchObject({ state: "passed", reasons });
});
