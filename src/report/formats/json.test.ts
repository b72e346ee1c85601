import { expect, test } from "vitest";
import { fewHostileTexts } from "../../../test/hostile-texts.ts";
import {
  cellReader,
  hostileText,
  sampleCells,
  sampleDocument,
  sampleUnitCell,
} from "../../../test/sample-document.ts";
import { ReportFile } from "../../contract/document.ts";
import type { Rendered } from "../../contract/format.ts";
import { jsonFormat } from "./json.ts";

const render = (report: Rendered = sampleDocument(), cells = cellReader(sampleCells)) =>
  [...jsonFormat.render({ report, cells })].join("");

test("the document is the report with its cells, as its contract says", () => {
  const document = JSON.parse(render());

  expect(document).toEqual({ ...sampleDocument(), cells: sampleCells });
  expect(ReportFile.parse(document)).toEqual(document);
});

test("members are in the order of the reference, whatever order they came in", () => {
  const { exitCode, total, run, ...rest } = sampleDocument();

  expect(Object.keys(JSON.parse(render({ exitCode, total, ...rest, run }))).join(" ")).toBe(
    "schemaVersion tool run suites subjects gates cases cells judges skipped notLoaded passed total warnings files exitCode",
  );
});

test("each cell is one line, exactly as it was stored, in its order", () => {
  const stored = ['{"caseId":"t1","latencyMs":1.50}', '{"caseId":"t2",  "odd":"spacing"}', '{"caseId":"t0"}'];

  expect(render(sampleDocument(), () => stored)).toContain(
    `\n  "cells": [\n    ${stored[0]},\n    ${stored[1]},\n    ${stored[2]}\n  ],\n`,
  );
});

test("subjects, gates and cases are one per line too, and the rest is indented by two spaces", () => {
  const text = render();
  const lines = text.split("\n");

  for (const part of ["subjects", "gates", "cases", "cells"] as const) {
    const items: unknown[] = JSON.parse(text)[part];
    const from = lines.indexOf(`  "${part}": [`) + 1;
    expect(lines.slice(from, from + items.length).map((line) => JSON.parse(line.replace(/,$/, "")))).toEqual(
      items,
    );
    expect(lines[from + items.length]).toMatch(/^ {2}\],?$/);
  }
  expect(text.startsWith('{\n  "schemaVersion": 2,\n  "tool": {\n    "name": "eval-skills",\n')).toBe(true);
  expect(text.endsWith('\n  "exitCode": 1\n}\n')).toBe(true);
});

test("cells are read one at a time, and none before its turn", () => {
  let pulled = 0;
  function* cells() {
    for (; pulled < 100_000; ) {
      pulled++;
      yield JSON.stringify({ caseId: `case_${pulled}` });
    }
  }

  let maxAhead = 0;
  let written = 0;
  for (const piece of jsonFormat.render({ report: sampleDocument(), cells })) {
    if (piece.startsWith('{"caseId"')) written++;
    maxAhead = Math.max(maxAhead, pulled - written);
  }

  expect(written).toBe(100_000);
  expect(maxAhead).toBe(1);
});

test("cases are read one at a time as well", () => {
  const [one] = sampleDocument().cases;
  let [pulled, written, maxAhead] = [0, 0, 0];
  function* cases() {
    for (; pulled < 10_000; pulled++) if (one !== undefined) yield one;
  }

  for (const piece of jsonFormat.render({ report: { ...sampleDocument(), cases: cases() }, cells: () => [] }))
    if (piece.startsWith('{"suite":"coding-easy","level"')) maxAhead = Math.max(maxAhead, pulled - written++);

  expect(written).toBe(10_000);
  expect(maxAhead).toBeLessThanOrEqual(1);
});

test("a reader who leaves early pulls no more cells", () => {
  let pulled = 0;
  function* cells() {
    for (;;) yield `{"n":${pulled++}}`;
  }

  for (const _ of jsonFormat.render({ report: sampleDocument(), cells })) if (pulled === 3) break;

  expect(pulled).toBe(3);
});

test("a run over nothing has empty lists", () => {
  const empty = sampleDocument({
    suites: [],
    subjects: [],
    gates: [],
    cases: [],
    skipped: [],
    passed: 0,
    total: 0,
  });
  const text = render(empty, () => []);

  expect(text).toContain('\n  "subjects": [],\n  "gates": [],\n  "cases": [],\n  "cells": [],\n');
  expect(JSON.parse(text)).toEqual({ ...empty, cells: [] });
});

test("fault row 48: the same inputs give the same bytes", () => {
  expect(render(structuredClone(sampleDocument()))).toBe(render());
});

test("fault row 39: hostile names come back from the document unchanged", () => {
  for (const hostile of fewHostileTexts) {
    const document = JSON.parse(
      render(
        sampleDocument({ warnings: [hostile], suites: [], files: [hostile] }),
        cellReader([sampleUnitCell({ caseId: hostile, output: { [hostile]: hostile } })]),
      ),
    );

    expect(document).toMatchObject({ warnings: [hostile], files: [hostile] });
    expect(document.cells[0]).toMatchObject({ caseId: hostile, output: { [hostile]: hostile } });
  }
});

test("a terminal that shows the document is not steered by it", () => {
  const text = render();

  expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}|\p{Zp}/u);
  expect(text).toContain("a\\u0085b\\u202etxt.exe\\u2028=cmd()");
  expect(JSON.parse(text).cells[1].reason).toBe(hostileText);
});
