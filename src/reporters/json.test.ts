import { expect, test } from "vitest";
import { jsonReporter } from "./json.ts";
import { failures, hostileTexts, sampleCell, sampleReport, sampleSkill, stored } from "./sample-report.ts";

const render = (report = sampleReport(), cells = stored(failures)) =>
  [...jsonReporter.render(report, () => cells)].join("");

test("the document is the report with its cells", () => {
  const report = sampleReport({ warnings: ["one"] });

  const document = JSON.parse(render(report));

  expect(document).toEqual({ ...report, reports: [{ ...sampleSkill(), taskResults: failures }] });
});

test("members stand in the order of the reference, whatever order they came in", () => {
  const { exitCode, ...rest } = sampleReport();

  const document = JSON.parse(render({ exitCode, ...rest }));

  expect(Object.keys(document).join(" ")).toBe(
    "schemaVersion command tool run passed total gate reports triggering warnings files exitCode",
  );
  expect(Object.keys(document.reports[0]).join(" ")).toBe(
    "skillId skillVersion skillDigest benchmarkId benchmarkVersion timestamp counts summary latency tokenCost byTag taskResults",
  );
});

test("each cell is one line, exactly as it was stored", () => {
  const cells = ['{"taskId":"t1","latencyMs":1.50}', '{"taskId":"t2",  "odd":"spacing"}'];

  const lines = render(sampleReport(), cells).split("\n");

  expect(lines).toContain(`        ${cells[0]},`);
  expect(lines).toContain(`        ${cells[1]}`);
});

test("the envelope is indented by two spaces and ends with a newline", () => {
  const text = render();

  expect(text.startsWith('{\n  "schemaVersion": 1,\n')).toBe(true);
  expect(text).toContain('\n  "reports": [\n    {\n      "skillId": "my_calc",\n');
  expect(text).toContain('\n      "counts": {\n        "total": 60,\n');
  expect(text.endsWith('\n  "exitCode": 0\n}\n')).toBe(true);
});

test("cells are read one at a time, and none before its turn", () => {
  let pulled = 0;
  function* cells() {
    for (; pulled < 100_000; ) {
      pulled++;
      yield JSON.stringify({ taskId: `task_${pulled}` });
    }
  }

  let mostAhead = 0;
  let written = 0;
  for (const piece of jsonReporter.render(sampleReport(), cells)) {
    if (piece.startsWith('{"taskId"')) written++;
    mostAhead = Math.max(mostAhead, pulled - written);
  }

  expect(written).toBe(100_000);
  expect(mostAhead).toBe(1);
});

test("a reader who leaves early pulls no more cells", () => {
  let pulled = 0;
  function* cells() {
    for (;;) yield `{"n":${pulled++}}`;
  }

  for (const _ of jsonReporter.render(sampleReport(), cells)) if (pulled === 3) break;

  expect(pulled).toBe(3);
});

test("no cells and no skills are empty lists", () => {
  expect(JSON.parse(render(sampleReport(), [])).reports[0].taskResults).toEqual([]);
  expect(JSON.parse(render(sampleReport({ reports: [] }))).reports).toEqual([]);
});

test("several skills each get their own cells", () => {
  const report = sampleReport({ reports: [sampleSkill({ skillId: "a" }), sampleSkill({ skillId: "b" })] });
  const text = [...jsonReporter.render(report, (skillId) => stored([sampleCell({ skillId })]))].join("");

  const document = JSON.parse(text) as { reports: { skillId: string; taskResults: { skillId: string }[] }[] };

  expect(document.reports.map((skill) => [skill.skillId, skill.taskResults[0]?.skillId])).toEqual([
    ["a", "a"],
    ["b", "b"],
  ]);
});

test("fault row 48: the same inputs give the same bytes", () => {
  expect(render(structuredClone(sampleReport()))).toBe(render(sampleReport()));
});

test("fault row 39: hostile names come back from the document unchanged", () => {
  for (const hostile of hostileTexts) {
    const report = sampleReport({ reports: [sampleSkill({ skillId: hostile })], warnings: [hostile] });

    const document = JSON.parse(render(report, stored([sampleCell({ taskId: hostile })])));

    expect(document.warnings).toEqual([hostile]);
    expect(document.reports[0].skillId).toBe(hostile);
    expect(document.reports[0].taskResults[0].taskId).toBe(hostile);
  }
});
