import { expect, test } from "vitest";
import type { TriggerCause, TriggerGateResult, TriggerResult } from "../../contract/trigger-report.ts";
import { triggerExitCode } from "./trigger-exit-code.ts";

interface Ended {
  /** Really failed, apart from those without a usable answer. */
  failed?: number;
  causes?: Partial<Record<TriggerCause, number>>;
  gate?: Partial<TriggerGateResult>;
  skipped?: TriggerResult["skipped"];
}

const strict = { allowInvalid: false, allowInconclusive: false, requireTriggering: false };

function exitCode(
  { failed = 0, causes = {}, gate = {}, skipped = null }: Ended,
  flags: Partial<typeof strict> = {},
) {
  const counts = { undecided: 0, "judge-error": 0, uncalibrated: 0, "no-verdict": 0, ...causes };
  const result = { failed: failed + counts["no-verdict"], skipped } as TriggerResult;
  const held: TriggerGateResult = { on: "point", passed: true, below: [], inconclusive: [], ...gate };
  return triggerExitCode({ results: [result], gate: held, causes: counts }, { ...strict, ...flags });
}

const below = { passed: false, below: ["crane"] };
const unknown = { passed: false, inconclusive: ["crane"] };

test.each<[string, Ended, Partial<typeof strict>, number]>([
  ["all passed", {}, {}, 0],
  ["a query failed", { failed: 1 }, {}, 1],
  ["a gate failed", { gate: below }, {}, 1],
  ["a gate that cannot be told", { gate: unknown }, {}, 3],
  ["a gate that cannot be told, accepted", { gate: unknown }, { allowInvalid: true }, 0],
  ["undecided", { causes: { undecided: 1 } }, {}, 3],
  ["undecided, accepted", { causes: { undecided: 1 } }, { allowInconclusive: true }, 0],
  ["undecided, all accepted", { causes: { undecided: 1 } }, { allowInvalid: true }, 0],
  ["an error is not undecided", { causes: { "judge-error": 1 } }, { allowInconclusive: true }, 3],
  ["an uncalibrated judge is not undecided", { causes: { uncalibrated: 1 } }, { allowInconclusive: true }, 3],
  ["no usable answer is not undecided", { causes: { "no-verdict": 1 } }, { allowInconclusive: true }, 3],
  ["no usable answer, accepted", { causes: { "no-verdict": 1 } }, { allowInvalid: true }, 0],
  ["no verdict beats a failure", { failed: 1, causes: { "judge-error": 1 } }, {}, 3],
  [
    "a failure stays where the rest is accepted",
    { failed: 1, causes: { "no-verdict": 1 } },
    { allowInvalid: true },
    1,
  ],
  ["a skip", { skipped: "no-block" }, {}, 0],
  ["a skip that is forbidden", { skipped: "empty-lists" }, { requireTriggering: true }, 1],
  [
    "a single case is no skip that could be forbidden",
    { skipped: "single-case" },
    { requireTriggering: true },
    0,
  ],
])("%s", (_, ended, flags, expected) => {
  expect(exitCode(ended, flags)).toBe(expected);
});
