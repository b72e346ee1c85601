import { expect, test } from "vitest";
import { judgeSection } from "./markdown-judges.ts";
import { sampleReport } from "./sample-report.ts";

const judge = {
  model: "lab/judge|1",
  cells: 4,
  failed: 1,
  failureRate: 0.25,
  calls: 14,
  latencyMs: 5120,
  promptTokens: 900,
  completionTokens: 80,
  costUsd: 0.00421,
  canaries: { asked: 8, answered: 8, drift: 0.05, flipRate: 0.2 },
};

test("every judge has a row: what it took, how often it had no verdict, how it did on its canaries", () => {
  const text = [...judgeSection({ ...sampleReport(), judges: [judge] })].join("");

  expect(text).toContain("lab/judge\\|1");
  expect(text).toMatch(
    /\| +4 \| +25\.0% \| +14 \| +5\.1 s \| +\\\$0\.0042 \| +8 of 8 \| +0\.05 \| +20\.0% \|/,
  );
});

test("what is not known is not shown as zero, and a judge without canaries says so", () => {
  const text = [
    ...judgeSection({ ...sampleReport(), judges: [{ ...judge, costUsd: null, canaries: null }] }),
  ].join("");

  expect(text).toMatch(/\| +– \| +not asked \| +– \| +– \|/);
});

test("a report no model judged in has no such section", () => {
  expect([...judgeSection(sampleReport())]).toEqual([]);
});
