import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  cellReader,
  hostileText,
  sampleCells,
  sampleDocument,
  sampleJudgmentCell,
  sampleUnitCell,
} from "../../../test/sample-document.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { CellResult } from "../../contract/result.ts";
import { levels } from "../../levels/levels.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { jsonFormat } from "../formats/json.ts";
import { ndjsonFormat } from "../formats/ndjson.ts";
import { readReport } from "./read-report.ts";

/** Reads this content as a file of this name; its cells at once, for the file is gone afterwards. */
async function read(content: unknown, { name = "r.json", known = levels } = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  const { report, cells } = readReport(path, known, `./${name}`);
  return { report, cells: [...cells()].map((text): unknown => JSON.parse(text)) };
}

const written = (
  format: typeof jsonFormat | typeof ndjsonFormat,
  cells: readonly CellResult[] = sampleCells,
) => [...format.render({ report: sampleDocument(), cells: cellReader(cells) })].join("");

const whole = { ...sampleDocument(), cells: sampleCells };
const withCells = (...cells: unknown[]) => ({ ...sampleDocument(), cells });
const asLines = (...cells: unknown[]) => {
  const counts = { total: cells.length, pass: cells.length, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const subjects = sampleDocument()
    .subjects.slice(0, 1)
    .map((subject) => ({ ...subject, counts }));
  return [sampleDocument({ subjects }), ...cells].map((one) => JSON.stringify(one)).join("\n");
};

describe("what is read", () => {
  test("json and ndjson, back as they were written and equal", async () => {
    const document = await read(written(jsonFormat));
    const lines = await read(written(ndjsonFormat), { name: "r.ndjson" });

    expect(document).toEqual({ report: sampleDocument(), cells: sampleCells });
    expect(lines).toEqual(document);
  });

  test.each([
    ["lines under another name", written(ndjsonFormat), "r.txt"],
    ["lines without a break at their end", written(ndjsonFormat).trimEnd(), "r.ndjson"],
    [
      "lines with empty ones between them",
      `${written(ndjsonFormat).replaceAll("\n", "\n\n")}\r\n`,
      "r.ndjson",
    ],
    ["a document under another name", written(jsonFormat), "r.txt"],
    ["a document on one line", JSON.stringify(whole), "r.txt"],
    ["a document under the name of lines", JSON.stringify(whole), "r.ndjson"],
    ["a document in capitals", written(jsonFormat), "R.JSON"],
    ["a document with a byte order mark", `\ufeff${written(jsonFormat)}`, "r.json"],
    ["lines with a byte order mark", `\ufeff${written(ndjsonFormat)}`, "r.ndjson"],
  ])("%s", async (_, text, name) => {
    expect(await read(text, { name })).toEqual({ report: sampleDocument(), cells: sampleCells });
  });

  test.each(["r.json", "r.txt"])("what run --json prints, with the report inside, as %s", async (name) => {
    const printed = {
      schemaVersion: 2,
      command: "run",
      found: 2,
      report: whole,
      selection: { schemaVersion: 1 },
    };

    expect(await read(printed, { name })).toEqual({ report: sampleDocument(), cells: sampleCells });
  });

  test("a run over nothing", async () => {
    const empty = sampleDocument({ suites: [], subjects: [], gates: [], cases: [], skipped: [] });

    expect(await read({ ...empty, cells: [] })).toEqual({ report: empty, cells: [] });
    expect(await read(JSON.stringify(empty), { name: "r.ndjson" })).toEqual({ report: empty, cells: [] });
  });

  test.each([
    ["r.json", jsonFormat],
    ["r.ndjson", ndjsonFormat],
  ])("cells by level, suite and subject, as often as asked, from %s", async (name, format) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, name);
    await writeFile(path, written(format));
    const { cells } = readReport(path, levels);
    const keys = (filter?: Parameters<typeof cells>[0]) =>
      [...cells(filter)].map((text) => Number(JSON.parse(text).key.slice("sha256:".length)));

    expect(keys()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(keys({ level: "unit" })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(keys({ suite: "triggering" })).toEqual([6, 7]);
    expect(keys({ subject: "calc" })).toEqual([0, 1, 2, 3, 6, 7]);
    expect(keys({ level: "unit", suite: "coding-easy", subject: hostileText })).toEqual([4, 5]);
    expect(keys({ level: "unit", suite: "triggering" })).toEqual([]);
    expect(keys()).toHaveLength(8);
  });

  test("cells of subjects in turn come subject by subject, those of a subject in their order", async () => {
    const cells = [1, 2].flatMap((trial) =>
      ["x", "y"].map((skillId) => sampleUnitCell({ skillId, trial, key: `${skillId}${trial}` })),
    );

    expect((await read(withCells(...cells))).cells).toMatchObject(
      ["x1", "x2", "y1", "y2"].map((key) => ({ key })),
    );
  });

  test("a cell keeps the order of its members, and those we do not know", async () => {
    const { key, ...rest } = sampleUnitCell();
    const cell = { ofALaterVersion: { by: "someone" }, ...rest, key };

    for (const { cells } of [await read(withCells(cell)), await read(asLines(cell), { name: "r.ndjson" })])
      expect(JSON.stringify(cells)).toBe(JSON.stringify([cell]));
  });

  test("a cell without an answer may have no details", async () => {
    const cell = sampleUnitCell({ status: "error", cause: "crash", details: {} });

    expect((await read(withCells(cell))).cells).toEqual([cell]);
  });

  test("a document far above the limit of files that people write, and lines longer than a page of them", async () => {
    const filler = "x".repeat(1_000_000);
    const many = Array.from({ length: 66 }, (_, n) => sampleUnitCell({ trial: n + 1, output: filler }));

    expect((await read(withCells(...many))).cells).toHaveLength(66);
    expect((await read(asLines(...many.slice(0, 3)), { name: "r.ndjson" })).cells).toEqual(many.slice(0, 3));
  });

  test("characters that lie across the pieces a file is read in", async () => {
    const texts = ["", "a", "ab", "abc"].map((shift, at) =>
      sampleUnitCell({ trial: at + 1, output: shift + "天气😀".repeat(20_000) }),
    );

    expect((await read(asLines(...texts), { name: "r.ndjson" })).cells).toEqual(texts);
  });
});

describe("what is refused, with code, file and place", () => {
  test("lines that were cut off between two cells", async () => {
    const lines = written(ndjsonFormat).trimEnd().split("\n");

    await expect(read(lines.slice(0, -1).join("\n"), { name: "r.ndjson" })).rejects.toMatchObject({
      code: "report-invalid",
      exitCode: 2,
      message: "./r.ndjson has 7 cells, and its subjects count 8: it is not complete",
    });
  });

  const cell = sampleUnitCell();
  const { run, ...withoutRun } = whole;

  test.each<[string, unknown, string]>([
    ["a wrong status", withCells({ ...cell, status: "great" }), "$.cells[0].status"],
    ["a cell without a key", withCells(cell, { ...cell, trial: 2, key: undefined }), "$.cells[1].key"],
    ["text for a number", withCells({ ...cell, latencyMs: "12" }), "$.cells[0].latencyMs"],
    ["a list of something else", withCells(1), "$.cells[0]"],
    [
      "details that the level does not have",
      withCells({ ...cell, details: {} }),
      "$.cells[0].details.scorerType",
    ],
    ["a cell of a suite that is not listed", withCells({ ...cell, suite: "other" }), "$.cells[0].suite"],
    [
      "a cell of a level that its suite is not of",
      withCells({ ...cell, level: "agent" }),
      "$.cells[0].suite",
    ],
    ["the same cell twice", withCells(cell, { ...cell, key: "sha256:other" }), "$.cells[1]"],
    ["a report without cells", sampleDocument(), "$.cells"],
    ["a report without a run", withoutRun, "$.run"],
    ["a total below 0", { ...whole, total: -1 }, "$.total"],
    [
      "a fault inside what run prints",
      { command: "run", report: { ...whole, passed: null } },
      "$.report.passed",
    ],
    [
      "a cell inside it",
      { command: "run", report: withCells({ ...cell, trial: "1" }) },
      "$.report.cells[0].trial",
    ],
    ["schema version 1", { ...whole, schemaVersion: 1 }, "$.schemaVersion"],
    ["an error", { schemaVersion: 1, command: "eval", error: { code: "usage" } }, "$.error"],
    ["a bare list", [{ skillId: "calc", taskResults: [] }], "$"],
  ])("%s", async (_, content, jsonPath) => {
    await expect(read(content)).rejects.toMatchObject({
      code: "report-invalid",
      exitCode: 2,
      path: "./r.json",
      jsonPath,
    });
  });

  const oldReport = {
    schemaVersion: 1,
    command: "eval",
    tool: {},
    run: {},
    reports: [],
    passed: 1,
    total: 1,
  };
  const refused: [content: unknown, message: string][] = [
    [oldReport, "./r.json has schema version 1; this version of eval-skills reads version 2"],
    [
      { ...whole, schemaVersion: "3" },
      './r.json has schema version "3"; this version of eval-skills reads version 2',
    ],
    [{ schemaVersion: 1, command: "eval", error: {} }, "./r.json holds an error of eval, not a report"],
    [{ schemaVersion: 1, command: "select", skills: [] }, "./r.json is output of select, not a report"],
    [{ id: "my-benchmark", tasks: [] }, "./r.json is not a report"],
    [[], "./r.json is not a report"],
    ["null", "./r.json is not a report"],
    ['{"a": 1,}', "./r.json: invalid JSON at line 1, column 8: trailing comma before }"],
    ['{"a": 1, "a": 2}', "./r.json: invalid JSON at line 1, column "],
    ["", "./r.json: invalid JSON"],
    ['<?xml version="1.0"?>', "./r.json is not a JSON or NDJSON report"],
    [withCells({ ...cell, suite: "other" }), "./r.json: no suite other of level unit is listed"],
    [
      withCells(cell, sampleJudgmentCell({ caseId: "a" }), cell),
      "./r.json has two cells for trial 1 of a (calc), the first at $.cells[0]",
    ],
  ];
  test.each(refused.map(([content, message]) => [message, content] as const))(
    "%s",
    async (message, content) => {
      await expect(read(content)).rejects.toMatchObject({
        code: "report-invalid",
        path: "./r.json",
        message: expect.stringContaining(message),
      });
    },
  );

  test("a report of an earlier version says what to do, and so does what is not a report", async () => {
    await expect(read(oldReport)).rejects.toMatchObject({
      hint: "run the evaluation again to get a new report",
    });
    await expect(read([])).rejects.toMatchObject({ hint: expect.stringContaining("eval-result.json") });
  });

  test("a level that this version does not know, with those it does", async () => {
    await expect(read(whole, { known: [unitLevel] })).rejects.toMatchObject({
      code: "report-invalid",
      message: "./r.json has a suite of level trigger, which this version does not know",
      jsonPath: "$.suites[1].level",
      hint: "levels: unit",
    });
  });

  test.each<[string, string, string, string]>([
    ["a broken line", `${asLines(cell)}\n{"a": 1,}`, "line 3", "invalid JSON at line 3, column 8"],
    ["a line that is cut off", asLines(cell).slice(0, -10), "line 2", "invalid JSON at line 2, column "],
    [
      "a broken first line",
      `{"a": 1,}\n${JSON.stringify(cell)}`,
      "line 1",
      "invalid JSON at line 1, column 8",
    ],
    ["a key twice in a line", `${asLines()}\n{"a":1,"a":2}`, "line 2", "invalid JSON at line 2, column "],
    [
      "a wrong status",
      asLines(cell, { ...cell, status: "great" }),
      "line 3: $.status",
      "line 3: $.status may not be",
    ],
    [
      "a wrong detail",
      asLines({ ...cell, details: { weight: 1 } }),
      "line 2: $.details.scorerType",
      "missing",
    ],
    [
      "a cell of a suite that is not listed",
      asLines({ ...cell, suite: "x" }),
      "line 2: $.suite",
      "no suite x of",
    ],
    [
      "the same cell twice",
      asLines(cell, cell),
      "line 3",
      "two cells for trial 1 of a (calc), the first at line 2",
    ],
    ["a list in a line", asLines([cell]), "line 2: $", "line 2: $ must be a map, not a list"],
    ["a first line of version 1", JSON.stringify(oldReport), "$.schemaVersion", "has schema version 1"],
    [
      "a first line without a run",
      JSON.stringify({ ...sampleDocument(), run }).replace('"run"', '"ran"'),
      "$.run",
      "$.run",
    ],
  ])("of lines: %s", async (_, text, jsonPath, message) => {
    await expect(read(text, { name: "r.ndjson" })).rejects.toMatchObject({
      code: "report-invalid",
      path: "./r.ndjson",
      jsonPath,
      message: expect.stringContaining(message),
    });
  });

  test.each(["r.json", "r.ndjson"])("what is not UTF-8, a missing file and a folder, as %s", async (name) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, name);
    const refusal = (message: string) =>
      expect.objectContaining({ code: "report-invalid", path: name, message: `${name} ${message}` });

    expect(() => readReport(path, levels, name)).toThrow(refusal("does not exist"));
    await writeFile(path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    expect(() => readReport(path, levels, name)).toThrow(refusal("is not UTF-8 text"));
    await mkdir(join(folder.path, `folder.${name}`));
    expect(() => readReport(join(folder.path, `folder.${name}`), levels, name)).toThrow(
      refusal("is not a regular file"),
    );
  });

  test("a document that no text can hold, whatever it is called", async () => {
    await using folder = await temporaryFolder();
    for (const name of ["huge.json", "huge.txt"]) {
      const path = join(folder.path, name);
      await writeFile(path, "{\n");
      await truncate(path, 600 * 1024 * 1024);

      expect(() => readReport(path, levels, name)).toThrow(
        expect.objectContaining({ code: "report-invalid", message: `${name} is larger than 500 MiB` }),
      );
    }
  });
});
