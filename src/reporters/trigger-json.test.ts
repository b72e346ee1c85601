import { expect, test } from "vitest";
import { TriggerReportFile } from "../contract/trigger-report.ts";
import { hostileTexts } from "./sample-report.ts";
import { fullTriggerReport, hostileTriggerReport, sampleQueries } from "./sample-trigger-report.ts";
import { triggerJsonReporter } from "./trigger-json.ts";

const render = (report = fullTriggerReport, queriesOf = sampleQueries) =>
  [...triggerJsonReporter.render(report, queriesOf)].join("");

test("the document is the report with its queries, and reads back as one", () => {
  const { results, ...rest } = fullTriggerReport;

  const document = JSON.parse(render());

  expect(document).toEqual({
    ...rest,
    results: results.map((result) => ({ ...result, queries: sampleQueries(result.skillId) })),
  });
  expect(TriggerReportFile.parse(document)).toEqual(document);
});

test("members stand in the order of the reference, whatever order they came in", () => {
  const { exitCode, ...rest } = fullTriggerReport;

  const document = JSON.parse(render({ exitCode, ...rest }));

  expect(Object.keys(document).join(" ")).toBe(
    "schemaVersion command tool run passed total gate results confusion warnings files exitCode",
  );
  expect(Object.keys(document.results[0]).slice(0, 12).join(" ")).toBe(
    "skillId skillDigest judge skipped queries passed failed inconclusive metrics confusion invalidRate usd",
  );
});

test("each query is one line, and a skill without queries has an empty list", () => {
  expect(render().match(/^ {8}\{"skillId":"refactor",/gm)).toHaveLength(20);
  expect(render()).toContain('"skipped": "no-block",\n      "queries": [],\n');
});

test("a terminal that shows the document is not steered by it", () => {
  for (const text of hostileTexts) {
    const { report, queriesOf } = hostileTriggerReport(text);
    const document = render(report, queriesOf);

    expect(document).not.toContain("\u001b");
    expect(JSON.parse(document).results[0].queries[0].query).toBe(text);
  }
});

test("queries pass by one at a time", () => {
  const [line] = sampleQueries("refactor");
  let pulled = 0;
  function* many() {
    for (; pulled < 10_000; pulled++) if (line !== undefined) yield line;
  }
  let written = 0;
  let mostAhead = 0;

  for (const piece of triggerJsonReporter.render(fullTriggerReport, (id) =>
    id === "refactor" ? many() : [],
  ))
    if (piece.startsWith('{"skillId"')) mostAhead = Math.max(mostAhead, pulled - written++);

  expect(written).toBe(10_000);
  expect(mostAhead).toBeLessThanOrEqual(1);
});
