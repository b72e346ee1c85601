import { expect, test } from "vitest";
import { githubAnnotations, githubSummary } from "./github.ts";
import { failures, hiddenCharacters, hostileTexts, sampleReport, stored } from "./sample-report.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  sampleEntry,
  sampleQueries,
} from "./sample-trigger-report.ts";
import { triggerAnnotations, triggerJobSummary } from "./trigger-github.ts";

const file = () => "skills/refactor/eval.yaml";

test("no verdict and the gate come first, then queries with their text, then how many more", () => {
  const lines = [...triggerAnnotations(fullTriggerReport, sampleQueries, file)];

  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(/^::error title=No verdict::No verdict: 4 queries inconclusive\./);
  expect(lines[1]).toMatch(/^::error title=Gate failed::Gate failed: recall ≥ 0\.9/);
  expect(lines).toContain(
    "::error title=refactor%3A trigger query failed,file=skills/refactor/eval.yaml::explain what this file does – should_not_match: would load, yes 8/8 [0.676–1] (Asks about the structure of a file.)",
  );
  expect(lines.at(-1)).toBe(
    "::notice title=eval-skills trigger::and 1 more query that did not pass; see the report",
  );
});

test("in a run that passes they are warnings", () => {
  const gate = { on: "point", passed: true, below: [], inconclusive: [] } as const;
  const report = {
    ...fullTriggerReport,
    gate: { ...gate, below: [], inconclusive: [] },
    exitCode: 0 as const,
  };

  expect([...triggerAnnotations(report, sampleQueries)][0]).toMatch(
    /^::warning title=refactor%3A trigger query/,
  );
});

test("the page of the job has the summary, who is taken for whom, and what did not pass", () => {
  const text = [...triggerJobSummary(fullTriggerReport, sampleQueries)].join("");

  expect(text).toContain("# Trigger report: 32 of 41 passed\n");
  expect(text).toContain("## Who was chosen for whose requests\n");
  expect(text).toContain("\n## slides\n\n- **failed** present these numbers to the board\n");
  expect(text).toContain("\nFiles: reports/trigger-result-2026-03-01T07-24-31-007Z.json, ");
});

test("eval annotates its queries after its tasks, and counts what has no room", () => {
  const triggering = fullTriggerReport.results.map((result) =>
    sampleEntry(result, [...sampleQueries(result.skillId)]),
  );
  const report = sampleReport({ triggering, exitCode: 1 });

  const lines = [...githubAnnotations(report, () => stored(failures))];

  expect(lines[0]).toBe(
    "::error title=Triggering failed::4 trigger queries failed: refactor (1), contract-review (1), doc-editor (1), slides (1). Trigger gate failed: contract-review (recall 0.8 is below 0.9).",
  );
  expect(lines[3]).toBe(
    "::error title=refactor%3A trigger query inconclusive::make this module easier to test – should_match: undecided, yes 4/8 [0.215–0.785] (Testability is not named on the card, though restructuring is.)",
  );
  expect(lines.at(-1)).toBe(
    "::notice title=eval-skills::and 2 more trigger queries that did not pass; see the report",
  );
  expect([...githubSummary(report, () => stored(failures))].join("")).toContain("\n## Triggering\n");
});

test("hostile text can neither end a command nor begin another", () => {
  for (const text of [...hostileTexts, "%0A::error::x", "x\n::set-env name=A::b", "##[group]"]) {
    const { report, queriesOf } = hostileTriggerReport(text);
    for (const line of triggerAnnotations(report, queriesOf, () => text)) {
      expect(line).toMatch(/^::(?:error|notice) title=[^:,]*(?:,file=[^:,]*)?::/);
      expect(line).not.toMatch(hiddenCharacters);
      expect(line).not.toContain("\n");
      expect(line).not.toContain("##[");
    }
  }
});
