import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { levelMaterials } from "../../test/level-materials.ts";
import { type LevelSample, levelSample, sampleView } from "../../test/level-samples.ts";
import { hostile } from "../../test/sample-variants.ts";
import { toyLevel } from "../../test/toy-level.ts";
import { gateLevels } from "../contract/configured-gate.ts";
import { ReportFile } from "../contract/document.ts";
import { parseCell } from "../contract/result.ts";
import { commonColumns } from "../report/view/common-columns.ts";
import { levels as ownLevels } from "./levels.ts";

const levels = [...ownLevels, toyLevel];

test("every level has a sample, and no two levels share a name", () => {
  expect(levelMaterials.map(({ level }) => level)).toEqual(levels);
  expect(new Set(levels.map(({ name }) => name)).size).toBe(levels.length);
});

test("gates of the configuration can name every level", () => {
  expect([...gateLevels]).toEqual(ownLevels.map(({ name }) => name));
});

/** Everything that a view can be asked for, as JSON. */
function askAll(sample: LevelSample): string {
  const view = sampleView(sample);
  const cases = new Map([...sample.report.cases].map((one) => [one.id, one]));
  return JSON.stringify([
    view.verdict,
    view.facts,
    view.subjects.map((subject) => [
      subject.facts,
      subject.tally,
      view.subjectBlocks(subject),
      view.failures(subject, 100),
    ]),
    view.sections(),
    [...view.results()].map((cell) => [
      view.explain(cell, cases.get(cell.caseId)),
      view.explain(cell, undefined),
      view.columns.map((column) => [column.id, column.value(cell)]),
    ]),
  ]);
}

describe.each(levels.map((level) => [level.name, level] as const))("the level contract: %s", (_, level) => {
  test("its sample is a report as a file holds it, whatever its texts are", async () => {
    const sample = await levelSample(level);
    for (const { report, cells } of [sample, hostile(sample)]) {
      const file = { ...report, cases: [...report.cases], cells: [...cells()].map(parseCell) };

      expect(ReportFile.parse(file)).toEqual(file);
      for (const { details } of file.cells) expect(level.details.parse(details)).toEqual(details);
    }
  });

  test("it says what its cases, subjects and figures are called", () => {
    const { nouns, metrics } = level;

    for (const noun of [...nouns.case, nouns.subject]) expect(noun).toMatch(/^[a-z][a-z -]*$/);
    expect(metrics.length).toBeGreaterThan(0);
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
    for (const { name, label } of metrics) expect([name, label]).toEqual([name, expect.stringMatching(/\S/)]);
    expect(metrics.some(({ isMain }) => isMain)).toBe(true);
  });

  test("its columns have names of their own that CSV can use", () => {
    const columns = level.view?.columns ?? [];
    const ids = [...commonColumns, ...columns].map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, label } of columns) {
      expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(label).toMatch(/\S/);
    }
  });

  test("the facts beside the names of subjects have the same labels for all of them", async () => {
    for (const sample of [await levelSample(level), await levelSample(level, { endsOf: () => [] })]) {
      const labels = sampleView(sample).subjects.map(({ facts }) => facts.map(({ label }) => label));

      expect(labels[0]?.length).toBeGreaterThan(0);
      expect(new Set(labels.map((own) => own.join(", "))).size).toBe(1);
    }
  });

  test("figures that are gated or compared are among those it names", async () => {
    const { report } = await levelSample(level);
    const names = new Set(level.metrics.map(({ name }) => name));

    for (const { metric } of report.gates) expect(names).toContain(metric);
    for (const { name, isMain, isCompared } of level.metrics)
      if (isMain || isCompared)
        for (const { metrics } of report.subjects) expect(metrics).toHaveProperty(name);
  });

  test("its view answers for a run over nothing, and for one without any verdict", async () => {
    const none = await levelSample(level, { endsOf: () => [] });
    const bare = { ...none, report: { ...none.report, suites: [], subjects: [], cases: [] } };
    const unknown = await levelSample(level, { endsOf: () => ["invalid", "invalid"] });

    for (const sample of [none, bare, unknown]) expect(askAll(sample)).not.toContain("passed on attempt");
    expect(askAll(bare)).not.toBe("");
  });

  test.each([
    ["no details and no output", { details: {}, output: null }],
    ["no output", { output: null }],
    ["a list for an output", { output: [1, null, { a: [] }] }],
    ["another output", { output: { record: 1, attempts: {}, actual: "x", runDir: 1 } }],
  ])("its view answers for foreign cells with %s", async (_, foreign) => {
    const { cells, report, ...rest } = await levelSample(level);
    const subjects = report.subjects.map((subject) => ({ ...subject, metrics: {}, details: {} }));
    const sample = (given: LevelSample["report"]): LevelSample => ({
      ...rest,
      report: given,
      cells: (filter) =>
        [...cells(filter)].map((text) => JSON.stringify({ ...JSON.parse(text), ...foreign })),
    });

    expect(askAll(sample(report))).toContain("case");
    expect(
      askAll(sample({ ...report, subjects, run: { ...report.run, settings: {}, conditions: {} } })),
    ).toContain("case");
  });

  test("what it says is in words: no NaN, no object as text", async () => {
    const text = askAll(await levelSample(level));

    expect(text).not.toMatch(/\bNaN\b|\[object Object\]/);
  });
});

test("neither the view nor a format knows a level by name", () => {
  const names = ownLevels.map(({ name }) => name);
  const named = new RegExp(`["'\`](${names.join("|")})["'\`]|\\b(${names.join("|")})(Level|View)\\b`);
  const found = ["../report/view/", "../report/formats/"].flatMap((folder) => {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => file.endsWith(".ts") && !/\.(test|contract)\.ts$/.test(file))
      .filter((file) => named.test(readFileSync(`${root}${file}`, "utf8")));
  });

  expect(found).toEqual([]);
});
