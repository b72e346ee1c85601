import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { levelSample, sampleView } from "../../../test/level-samples.ts";
import { hostile, manyCells } from "../../../test/sample-variants.ts";
import { toyLevel } from "../../../test/toy-level.ts";
import { parseCell } from "../../contract/result.ts";
import type { PageData } from "../view/page-document.ts";
import { rendered } from "./format.contract.ts";
import { htmlFormat, readPageTemplate } from "./html.ts";

const sample = await levelSample(toyLevel);
const page = rendered(htmlFormat, hostile(sample));

/** What the script of a page gets. */
function dataIn(html: string): PageData {
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(html) ?? [];
  return JSON.parse(data) as PageData;
}

test("the policy allows our one script and our one style by their hashes, and nothing else", () => {
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const scripts = [...page.matchAll(/<script(?! type="application\/json")[^>]*>([\s\S]*?)<\/script>/g)];
  const styles = [...page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)];

  expect(scripts).toHaveLength(1);
  expect(styles).toHaveLength(1);
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `style-src '${hash(styles[0]?.[1])}'`,
    `script-src '${hash(scripts[0]?.[1])}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<script"));
});

test("markup has no handlers, no inline styles and no addresses", () => {
  const markup = page.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "");
  for (const [tag] of markup.matchAll(/<[a-z][^>]*>/gi))
    expect(tag).not.toMatch(/\s(on\w+|style|src|href)=/i);
  expect(markup).not.toMatch(/<(img|svg|iframe|link|base|form|object|embed|a)\b/i);
});

test("the page without a report stays small: no schema of the contract is in it", () => {
  const { beforeTitle, beforePlain, beforeReport, end } = readPageTemplate();
  expect(gzipSync(beforeTitle + beforePlain + beforeReport + end).length).toBeLessThan(40_000);
});

test("every cell is a row that leads to its subject and its case", () => {
  const { subjects, cases, cells } = dataIn(rendered(htmlFormat, sample));
  const named = cells.map(([subject, one, trial, status]) =>
    [subjects[subject]?.shortName, cases[one]?.id, trial, status].join(" "),
  );

  const stored = [...sample.cells()].map(parseCell);
  expect(named).toEqual(
    stored.map(({ skillId, caseId, trial, status }) => [skillId, caseId, trial, status].join(" ")),
  );
});

test("what trials of a case share is said once", async () => {
  const { report, cells, level } = sample;
  const long = "a long question ".repeat(100);
  const cases = [...report.cases].map((one) => ({ ...one, input: long, expected: { answer: long } }));
  const data = dataIn(rendered(htmlFormat, { level, cells, report: { ...report, cases } }));

  expect(JSON.stringify(data.cells)).not.toContain(long.trim());
  const failed = data.cells.find(([, , , status]) => status === "fail");
  expect(failed?.[11]?.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["reason", "input", "caseDiff"]),
  );
});

test("a figure has the limit that a gate sets to it", () => {
  const { subjects, gates } = dataIn(rendered(htmlFormat, sample));

  expect(subjects[0]?.facts[0]?.limit).toEqual({ threshold: 0.9, passed: false });
  expect(gates.map(({ passed, enforced }) => [passed, enforced])).toEqual([[false, true]]);
});

test("more cells than a page takes: it holds some that did not pass of every subject, and says so", () => {
  const many = manyCells(sample, 60_000);
  const data = dataIn(rendered(htmlFormat, many));

  expect(data.cellsInAll).toBe(60_000);
  expect(data.cells.length).toBeLessThanOrEqual(2000);
  const failed = sampleView(many).subjects.flatMap(({ state }, at) => (state === "failed" ? [at] : []));
  expect([...new Set(data.cells.map(([subject]) => subject))].sort()).toEqual(failed);
  expect(data.cells.every(([, , , status]) => status !== "pass")).toBe(true);
  expect(data.cases.length).toBeLessThanOrEqual(data.cells.length);
});

function hash(text = ""): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
