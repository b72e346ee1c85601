import { expect, test } from "vitest";
import { cellReader, sampleCells, sampleDocument } from "../../../test/sample-document.ts";
import type { Rendered } from "../../contract/format.ts";
import { ndjsonFormat } from "./ndjson.ts";

const render = (report: Rendered = sampleDocument(), cells = cellReader(sampleCells)) =>
  [...ndjsonFormat.render({ report, cells })].join("");

test("the first line is the report without its cells, every other line is a cell, in their order", () => {
  const text = render();
  const [head = "", ...cells] = text.trimEnd().split("\n");

  expect(text.endsWith("\n")).toBe(true);
  expect(JSON.parse(head)).toEqual(sampleDocument());
  expect(cells.map((line) => JSON.parse(line))).toEqual(sampleCells);
});

test("cases that come one at a time are in the report", () => {
  function* cases() {
    yield* sampleDocument().cases;
  }
  const text = render({ ...sampleDocument(), cases: cases() }, () => []);

  expect(JSON.parse(text).cases).toEqual(sampleDocument().cases);
});

test("a cell is passed on exactly as it was stored", () => {
  const stored = ['{"caseId":"t1","latencyMs":1.50}', '{"caseId":"t2",  "odd":"spacing"}'];

  expect(
    render(sampleDocument(), () => stored)
      .split("\n")
      .slice(1),
  ).toEqual([...stored, ""]);
});

test("cells are read one at a time, each written before the next is read", () => {
  let pulled = 0;
  function* cells() {
    for (; pulled < 10_000; ) yield `{"n":${pulled++}}`;
  }
  let [written, maxAhead] = [0, 0];

  for (const piece of ndjsonFormat.render({ report: sampleDocument(), cells })) {
    if (piece.startsWith('{"n"')) written++;
    maxAhead = Math.max(maxAhead, pulled - written);
  }

  expect(written).toBe(10_000);
  expect(maxAhead).toBe(0);
});

test("a run over nothing is one line", () => {
  expect(render(sampleDocument({ subjects: [], cases: [] }), () => []).match(/\n/g)).toHaveLength(1);
});

test("no text of a stranger breaks a line or steers a terminal", () => {
  const text = render();

  expect(text.trimEnd().split(/[\r\n\u0085\u2028\u2029]/)).toHaveLength(1 + sampleCells.length);
  expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}|\p{Zp}/u);
});
