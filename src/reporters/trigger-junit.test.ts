import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { junitReporter } from "./junit.ts";
import { hiddenCharacters, hostileTexts, sampleReport } from "./sample-report.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  sampleEntry,
  sampleQueries,
} from "./sample-trigger-report.ts";
import { triggerJunitReporter } from "./trigger-junit.ts";

const schema = readFileSync(fileURLToPath(new URL("../../test/fixtures/junit.xsd", import.meta.url)), "utf8");

/** What the common schema has against these documents. */
async function faultsOf(...documents: string[]): Promise<string[]> {
  const xml = documents.map((contents, at) => ({ fileName: `report-${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ rawMessage }) => rawMessage);
}

const text = [...triggerJunitReporter.render(fullTriggerReport, sampleQueries)].join("");

test("one suite per skill and one case per query, and the counts agree", async () => {
  expect(text).toContain(
    '<testsuites name="eval-skills trigger" tests="42" failures="5" errors="4" skipped="1"',
  );
  expect(text).toContain(
    '<testsuite name="refactor" tests="20" failures="2" errors="3" skipped="0" time="74.800"',
  );
  expect(text.match(/<testcase /g)).toHaveLength(42);
  expect(text).toContain(
    '<testcase name="should_match: rename the confusing variables in parser.ts" classname="refactor/triggering" time="3.740"/>',
  );
  expect(await faultsOf(text)).toEqual([]);
});

test("a wrong side and no usable answer are failures, an open query is an error, a skip is seen", () => {
  expect(text).toContain(
    '<failure message="should_not_match: would load, yes 8/8 [0.676–1]" type="fail">should_not_match: would load, yes 8/8 [0.676–1]\nquery: explain what this file does\nid: q7\n1. yes: Asks',
  );
  expect(text).toContain(
    '<failure message="should_match: no usable answer, 8 of 8 invalid replies meant yes" type="no-verdict">',
  );
  expect(text).toContain('<error message="should_match: undecided, yes 4/8 [0.215–0.785]" type="undecided">');
  expect(text).toContain(' type="judge-error">');
  expect(text).toContain('<testsuite name="weather" tests="1" failures="0" errors="0" skipped="1"');
  expect(text).toContain('<skipped message="no-block: no triggering block"/>');
});

test("eval tells the queries of a skill in a suite of their own", async () => {
  const triggering = fullTriggerReport.results.map((result) =>
    sampleEntry(result, [...sampleQueries(result.skillId)]),
  );
  const document = [...junitReporter.render(sampleReport({ triggering }), () => [])].join("");

  expect(document).toContain('<testsuites name="eval-skills" tests="41" failures="5" errors="4" skipped="0"');
  expect(document).toContain('<testsuite name="refactor triggering" tests="20" failures="2" errors="3"');
  expect(document).toContain('<property name="judge" value="router (lexical), no model configured"/>');
  expect(document).toContain('message="should_match: no usable answer 8 of 8 times" type="no-verdict"');
  expect(document).not.toContain("weather triggering");
  expect(await faultsOf(document)).toEqual([]);
});

test("fault row 39: any text of a stranger leaves a document that the common schema accepts", async () => {
  const texts = [
    ...hostileTexts,
    "\ufffe\uffff",
    "\ud800",
    "&amp;<![CDATA[x]]>",
    "\u0085\u2028",
    "x".repeat(4000),
  ];
  const documents = texts.map((hostile) => {
    const { report, queriesOf } = hostileTriggerReport(hostile);
    return [...triggerJunitReporter.render(report, queriesOf)].join("");
  });

  expect(await faultsOf(...documents)).toEqual([]);
  for (const document of documents) expect(document).not.toMatch(hiddenCharacters);
});
