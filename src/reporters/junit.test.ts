import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { Report } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { junitReporter } from "./junit.ts";
import {
  askedTasks,
  failures,
  hiddenCharacters,
  hostileTexts,
  sampleCell,
  sampleReport,
  sampleSkill,
  stored,
} from "./sample-report.ts";

const schema = readFileSync(fileURLToPath(new URL("../../test/fixtures/junit.xsd", import.meta.url)), "utf8");

const render = (cells: readonly TaskResult[] = failures, report: Report = sampleReport()) =>
  [...junitReporter.render(report, () => stored(cells))].join("");

/** What the common schema has against these documents. */
async function faultsOf(...documents: string[]): Promise<string[]> {
  const xml = documents.map((contents, at) => ({ fileName: `report-${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ rawMessage }) => rawMessage);
}

const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
const oneRun = sampleReport({ run: { ...sampleReport().run, runs: 1 } });

test("one suite per skill and one case per cell, named by task and trial, in seconds", () => {
  const text = render([sampleCell(), sampleCell({ trial: 2 })]);

  expect(text).toContain(
    '<testsuite name="my_calc" tests="2" failures="0" errors="0" skipped="0" time="0.169"',
  );
  expect(text).toContain('<testcase name="coding_001 #1" classname="my_calc/coding-easy" time="0.084"/>');
  expect(text).toContain('<testcase name="coding_001 #2" classname="my_calc/coding-easy" time="0.084"/>');
});

test("a suite says how its skill was contained", () => {
  expect(render()).toContain(
    '<property name="containment" value="process, network: open, answer keys readable"/>',
  );
});

test("with one run a case bears the name of its task alone", () => {
  expect(render([sampleCell()], oneRun)).toContain('<testcase name="coding_001" ');
});

test("fail is a failure, error and timeout are errors, invalid is skipped, and the counts agree", async () => {
  const cells = [
    sampleCell(),
    sampleCell({ taskId: "f", status: "fail", reason: "expected 2, got 3" }),
    sampleCell({
      taskId: "e",
      status: "error",
      error: { code: "crash", message: "exit 1" },
      stderrTail: "Traceback\n  ValueError\n",
    }),
    sampleCell({
      taskId: "t",
      status: "timeout",
      error: { code: "deadline", message: "no answer within 5 ms" },
    }),
    sampleCell({ taskId: "i", status: "invalid", error: { code: "scorer-crashed", message: "exit 3" } }),
  ];
  const report = sampleReport({ reports: [sampleSkill(), sampleSkill({ skillId: "other" })] });
  const text = [...junitReporter.render(report, (id) => stored(id === "other" ? [] : cells))].join("");

  expect(text).toContain('<testsuites name="eval-skills" tests="5" failures="1" errors="2" skipped="1"');
  expect(text).toContain('<testsuite name="my_calc" tests="5" failures="1" errors="2" skipped="1"');
  expect(text).toContain(
    '<testsuite name="other" tests="0" failures="0" errors="0" skipped="0" time="0.000"',
  );
  expect(text).toContain('<failure message="expected 2, got 3" type="fail">expected 2, got 3\noutput: {');
  expect(text).toContain('<error message="crash: exit 1" type="crash">');
  expect(text).toContain("<system-err>Traceback\n  ValueError</system-err>");
  expect(text).toContain('<error message="deadline: no answer within 5 ms" type="deadline">');
  expect(text).toContain('<skipped message="scorer-crashed: exit 3"/>');
  expect(await faultsOf(text)).toEqual([]);
});

test("attempts before the last one are told where there were several", () => {
  const attempts = [
    { n: 1, status: "error", code: "crash", latencyMs: 38.2, message: "exit 1" },
    { n: 2, status: "timeout", code: "deadline", latencyMs: 10_000, message: "no answer" },
  ] as const;
  const cell = sampleCell({ status: "timeout", error: { code: "deadline", message: "no answer" }, attempts });

  expect(render([cell])).toContain(
    "attempt 1: error after 38 ms, crash: exit 1\nattempt 2: timeout after 10000 ms",
  );
});

test("a failure carries what the task asked for", async () => {
  const text = render(failures, sampleReport({ tasks: askedTasks }));

  expect(text).toContain(
    "expected 120, got 119\ninput: {&quot;n&quot;:5}\nexpected: 120\noutput: {&quot;result&quot;:&quot;119&quot;}</failure>",
  );
  expect(text).toMatch(/\ninput: x{499}…\nexpected: \{&quot;keywords/);
  expect(await faultsOf(text)).toEqual([]);
});

test("fault row 39: NUL, ]]>, markup and control characters leave a document that the common schema accepts", async () => {
  const texts = [...hostileTexts, "\ufffe\uffff", "\ud800", "a\u0000b", "&amp;<![CDATA[x]]>", "\u0085\u2028"];
  const documents = texts.map((text) =>
    render(
      [
        sampleCell({ taskId: text, status: "fail", reason: text, output: text, stderrTail: text }),
        sampleCell({ taskId: text, status: "error", error: { code: "crash", message: text } }),
        sampleCell({ taskId: text, status: "invalid", error: { code: "contaminated", message: text } }),
      ],
      sampleReport({
        reports: [sampleSkill({ skillId: text, benchmarkId: text, skillVersion: text })],
        tasks: [{ id: text, description: text, input: { [text]: text }, expected: text, isShortened: false }],
      }),
    ),
  );

  expect(await faultsOf(...documents)).toEqual([]);
  for (const document of documents) expect(document).not.toMatch(hiddenCharacters);
});

test("fault row 39: any text stays text", async () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 });
  const documents = fc
    .sample(fc.tuple(text, text), 60)
    .map(([taskId, reason]) => render([sampleCell({ taskId, reason, status: "fail" })]));

  expect(await faultsOf(...documents)).toEqual([]);
});

test("a long answer is cut, and the document stays small", () => {
  const text = render([
    sampleCell({ status: "fail", reason: "x".repeat(1_000_000), output: "y".repeat(1_000_000) }),
  ]);

  expect(text.length).toBeLessThan(20_000);
});

test("many cells pass by one at a time", () => {
  const text = sampleCell();
  let pulled = 0;
  let written = 0;
  let mostAhead = 0;
  function* cells() {
    for (let n = 0; n < 20_000; n++) {
      pulled++;
      yield text;
    }
  }

  for (const piece of junitReporter.render(sampleReport(), cells)) {
    if (!piece.includes("<testcase")) {
      if (written === 0) pulled = 0; // they were counted before
      continue;
    }
    written++;
    mostAhead = Math.max(mostAhead, pulled - written);
  }

  expect(written).toBe(20_000);
  expect(mostAhead).toBe(0);
});

test("results whose run is not recorded have no facts of a run", async () => {
  const { unrecordedRun } = await import("../contract/unrecorded-run.ts");
  const text = render(
    [sampleCell()],
    sampleReport({ run: unrecordedRun, reports: [sampleSkill({ timestamp: "" })] }),
  );

  expect(text).not.toContain("timestamp");
  expect(text).not.toContain("runId");
  expect(await faultsOf(text)).toEqual([]);
});
