import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import * as z from "zod";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import { cellReader, sampleDocument, sampleUnitCell } from "../../../test/sample-document.ts";
import type { ReportDocument } from "../../contract/document.ts";
import type { RenderOptions } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleInterval, sampleSubject } from "../../store/samples.ts";
import { viewReport } from "../view/view-report.ts";
import { junitFormat } from "./junit.ts";

const schema = readFileSync(new URL("../../../test/fixtures/junit.xsd", import.meta.url), "utf8");

/** A level whose baseline is there to compare with. */
const level: Level = {
  name: "unit",
  nouns: { case: ["task", "tasks"], subject: "skill" },
  details: z.any(),
  metrics: [{ name: "completionRate", unit: "share", better: "up", isMain: true }],
  view: {
    isReference: ({ arm }) => arm === "absent",
    skipReasons: { "no-block": "the skill has no queries" },
  },
};

const oneTrial = { trials: 1, suite: "coding-easy", skillId: "calc" };

function render(
  cells: readonly CellResult[],
  given: Partial<ReportDocument> = {},
  options: Partial<RenderOptions> = {},
): string {
  const report = sampleDocument({ subjects: [sampleSubject(oneTrial, 0.5)], skipped: [], ...given });
  return [...junitFormat.render(viewReport(report, cellReader(cells), [level], options))].join("");
}

/** The errors that the common schema reports for these documents. */
async function findFaults(...documents: string[]): Promise<string[]> {
  const xml = documents.map((contents, at) => ({ fileName: `report-${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ rawMessage }) => rawMessage);
}

test("a suite has the id of the suite, and says of its subject what a reader must know", () => {
  const containment = {
    level: "process",
    backend: "prlimit",
    network: "open",
    unproven: [],
  } as const;
  const interval = sampleInterval(0.1, 0.9);
  const completionRate = { value: 0.5, interval, n: 3, better: "up" } as const;
  const text = render([sampleUnitCell({ containment })], {
    subjects: [sampleSubject({ ...oneTrial, metrics: { completionRate } })],
  });

  expect(text).toContain(
    '<testsuite name="coding-easy" tests="1" failures="0" errors="0" skipped="0" time="0.100" timestamp="2026-03-01T07:24:10">',
  );
  for (const [name, value] of Object.entries({
    subject: "calc",
    containment: "process, network: open, answer keys readable",
    seed: "0",
    completionRate: "0.5",
    completionRateLower: "0.1",
    completionRateUpper: "0.9",
  }))
    expect(text).toContain(`<property name="${name}" value="${value}"/>`);
  expect(text).not.toContain('name="model"');
});

test("fail is a failure, all that broke is an error, and the counts agree", async () => {
  const cells = [
    sampleUnitCell({ caseId: "p" }),
    sampleUnitCell({ caseId: "f", status: "fail", reason: "expected 2, got 3\nbecause" }),
    sampleUnitCell({
      ...{ caseId: "e", status: "error", cause: "crash", reason: "exit 1" },
      stderrTail: "Traceback\n\tValueError\n",
    }),
    sampleUnitCell({ caseId: "t", status: "timeout", cause: "deadline", reason: "no answer within 5 ms" }),
    sampleUnitCell({ caseId: "i", status: "invalid", cause: "scorer-crashed", reason: "exit 3" }),
    sampleUnitCell({ skillId: "other", caseId: "p" }),
  ];
  const text = render(cells, {
    skipped: [{ level: "unit", suite: "queries", skillId: "none", caseId: null, reason: "no-block" }],
  });

  expect(text).toContain('<testsuites name="eval-skills" tests="7" failures="1" errors="3" skipped="1"');
  expect(text).toContain('<testsuite name="coding-easy" tests="5" failures="1" errors="3" skipped="0"');
  expect(text).toContain('<testcase name="p" classname="coding-easy.other" time="0.100"/>');
  expect(text).toContain('<failure message="expected 2, got 3" type="fail">expected 2, got 3\nbecause\n');
  expect(text).toContain('<error message="crash: exit 1" type="crash">');
  expect(text).toContain("<system-err>Traceback\n    ValueError</system-err>");
  expect(text.match(/Traceback/g)).toHaveLength(1);
  expect(text).toContain('<error message="deadline: no answer within 5 ms" type="deadline">');
  expect(text).toContain('<error message="scorer-crashed: exit 3" type="invalid">');
  expect(text).toContain(
    '<testcase name="none" classname="queries.none" time="0.000">\n      <skipped message="the skill has no queries"/>',
  );
  expect(await findFaults(text)).toEqual([]);
});

test("a skill that was not loaded is an error of its own", async () => {
  const text = render([sampleUnitCell()], {
    notLoaded: [{ path: "skills/<x>", code: "SKD02", reason: 'skill.json:1:1: "bad"' }],
  });

  expect(text).toContain('<testsuites name="eval-skills" tests="2" failures="0" errors="1"');
  expect(text).toContain('<testsuite name="skills not loaded" tests="1" failures="0" errors="1"');
  expect(text).toContain('<testcase name="skills/&lt;x&gt;" classname="skills not loaded" time="0.000">');
  expect(text).toContain('<error message="skill.json:1:1: &quot;bad&quot;" type="SKD02"/>');
  expect(await findFaults(text)).toEqual([]);
});

test("a test case is named by its case, its title and, where there are several, its trial", () => {
  const one = { ...sampleDocument().cases[0], id: "a", title: "Adds\ntwo numbers" };
  const named = (trials: number, title: string) =>
    render([sampleUnitCell({ trial: 2 })], {
      subjects: [sampleSubject({ ...oneTrial, trials })],
      cases: [{ ...one, title }] as ReportDocument["cases"],
    }).match(/<testcase name="([^"]*)"/)?.[1];

  expect(named(1, "Adds\ntwo numbers")).toBe("a: Adds two numbers");
  expect(named(3, "Adds")).toBe("a: Adds (trial 2)");
  expect(named(1, "many words ".repeat(20))).toMatch(/^a: (many words )+…$/);
});

test("a failure carries what the case asked for, what came and every attempt", () => {
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 38.2, message: "exit 1" } as const;
  const text = render(
    [
      sampleUnitCell({
        ...{ status: "fail", reason: "wrong", output: { value: 119 } },
        attempts: [attempt, { ...attempt, n: 2, status: "answered", code: null, message: null }],
      }),
    ],
    {},
    { fileOf: () => "suite.json" },
  );

  expect(text).toContain(' file="suite.json">');
  expect(text).toMatch(/wrong\nInput\n {2}\{\n {4}&quot;n&quot;: 5/);
  expect(text).toContain("$.value: expected 120, got 119");
  expect(text).toMatch(/error \(crash\) +38 ms +exit 1/);
});

test("a pass after a retry is a pass that says so", () => {
  const attempt = { n: 1, status: "timeout", code: "deadline", latencyMs: 9, message: "no answer" } as const;
  const attempts = [attempt, { ...attempt, n: 2, status: "answered", code: null, message: null } as const];

  expect(render([sampleUnitCell({ attempts })])).toContain(
    "<system-out>passed on attempt 2\nattempt 1: timeout (deadline: no answer)</system-out>",
  );
});

test("what is only there to compare with fails no build, unless nothing can be compared", () => {
  const cells = [
    sampleUnitCell({ arm: "absent", caseId: "a", status: "fail", reason: "wrong" }),
    sampleUnitCell({ arm: "absent", caseId: "b", status: "invalid", cause: "judge-unavailable" }),
  ];
  const text = render(cells, { subjects: [sampleSubject({ ...oneTrial, arm: "absent" })] });

  expect(text).toContain('tests="2" failures="0" errors="1" skipped="1"');
  expect(text).toContain('<skipped message="failed, only for comparison: wrong"/>');
});

test("subjects whose cells come in turns have all of them, in suites that count right", async () => {
  const cells = ["calc", "other", "calc"].map((skillId, at) => sampleUnitCell({ skillId, caseId: `c${at}` }));
  const text = render(cells);

  expect(text.match(/<testsuite name="coding-easy" tests="1"/g)).toHaveLength(3);
  expect(text.match(/<testcase /g)).toHaveLength(3);
  expect(await findFaults(text)).toEqual([]);
});

test("fault row 39: NUL, ]]>, markup and control characters leave a document that the common schema accepts", async () => {
  const texts = [
    ...fewHostileTexts,
    "\ufffe\uffff",
    "\ud800",
    "a\u0000b",
    "&amp;<![CDATA[x]]>",
    "\u0085\u2028",
  ];
  const documents = texts.map((text) =>
    render(
      [
        sampleUnitCell({ caseId: text, status: "fail", reason: text, output: text, stderrTail: text }),
        sampleUnitCell({ suite: text, skillId: text, status: "error", cause: "crash", reason: text }),
      ],
      { skipped: [{ level: text, suite: null, skillId: text, caseId: text, reason: text }] },
    ),
  );

  expect(await findFaults(...documents)).toEqual([]);
  for (const document of documents) expect(document).not.toMatch(hiddenCharacters);
});

test("fault row 39: any text stays text", async () => {
  const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const text = fc.string({ unit: anyCharacter, maxLength: 40 });
  const documents = fc
    .sample(fc.tuple(text, text), 60)
    .map(([caseId, reason]) => render([sampleUnitCell({ caseId, reason, status: "fail" })]));

  expect(await findFaults(...documents)).toEqual([]);
});

test("a long answer is cut, and the document stays small", () => {
  const long = { status: "fail", reason: "x".repeat(60_000), output: "y\n".repeat(60_000) } as const;

  expect(render([sampleUnitCell(long)]).length).toBeLessThan(20_000);
});

test("many cells pass by one at a time", () => {
  const count = 20_000;
  const text = JSON.stringify(sampleUnitCell());
  let [pulled, written, maxAhead] = [0, 0, 0];
  function* cells() {
    pulled = 0; // they are read twice: once to count them
    for (; pulled < count; ) {
      pulled++;
      yield text;
    }
  }

  const report = sampleDocument({ subjects: [sampleSubject(oneTrial)], skipped: [] });
  for (const piece of junitFormat.render(viewReport(report, cells, [level])))
    if (piece.includes("<testcase")) maxAhead = Math.max(maxAhead, pulled - ++written);

  expect(written).toBe(count);
  expect(maxAhead).toBe(0);
});
