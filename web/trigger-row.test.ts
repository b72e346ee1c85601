import { expect, test } from "vitest";
import {
  fullTriggerReport,
  sampleEntry,
  sampleLines,
  sampleQueries,
} from "../src/reporters/sample-trigger-report.ts";
import { triggeringQueries } from "./shown-query.ts";
import { sortTriggerRows, type TriggerColumn } from "./sort-trigger-rows.ts";
import { triggeringRows, triggerRows } from "./trigger-row.ts";

const rows = triggerRows(fullTriggerReport);
const triggering = fullTriggerReport.results.map((result) =>
  sampleEntry(result, [...sampleQueries(result.skillId)]),
);

function ids(by: TriggerColumn, isDescending = false): string[] {
  return sortTriggerRows(rows, { by, isDescending }).map(({ skillId }) => skillId);
}

test("both kinds of report give the same rows, as far as they tell, and leave out what was skipped", () => {
  const told = triggeringRows({ triggering });

  expect(rows.map(({ skillId }) => skillId)).toEqual(["refactor", "contract-review", "doc-editor", "slides"]);
  expect(told.map(({ skillId, passed, recall }) => [skillId, passed, recall.rate])).toEqual(
    rows.map(({ skillId, passed, recall }) => [skillId, passed, recall.rate]),
  );
  expect(told[0]).toMatchObject({ invalidRate: undefined, p95Ms: undefined });
  expect(triggeringQueries({ triggering })).toHaveLength(sampleLines.length);
});

test("skills sort by each figure; an unknown one is last either way", () => {
  expect(ids("plan")[0]).toBe("refactor");
  expect(ids("skill")[0]).toBe("contract-review");
  expect(ids("recall")[0]).toBe("slides");
  expect(ids("p95", true)[0]).toBe("refactor");
  expect(ids("cost").slice(-2).sort()).toEqual(ids("cost", true).slice(-2).sort());
});
