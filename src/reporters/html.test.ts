import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { htmlReporter } from "./html.ts";
import { readPageTemplate } from "./html-template.ts";
import { unitPageData } from "./page-data.ts";
import {
  askedTasks,
  failures,
  hostileTexts,
  sampleCell,
  sampleReport,
  sampleSkill,
  stored,
} from "./sample-report.ts";
import { fullTriggerReport, sampleEntry, sampleQueries } from "./sample-trigger-report.ts";

const hostileCells = hostileTexts.map((text) =>
  sampleCell({ taskId: text, status: "fail", reason: text, output: text, tags: [text] }),
);
const cells = stored([...failures, ...hostileCells, sampleCell()]);
const counts = { total: 18, pass: 1, fail: 16, error: 0, timeout: 1, invalid: 0 };
const report = sampleReport({ warnings: [...hostileTexts], reports: [sampleSkill({ counts })] });
const page = [...htmlReporter.render(report, () => cells)].join("");

test("the data of the page is the whole report with its cells", () => {
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];

  expect(JSON.parse(data)).toEqual(JSON.parse([...unitPageData(report, () => cells)].join("")));
  expect(JSON.parse(data)).toEqual({
    ...report,
    reports: [{ ...report.reports[0], taskResults: cells }],
  });
});

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

test("hostile text stands in the plain table as text", () => {
  const [, plain = ""] = /<div id="plain">([\s\S]*?)<\/div>\s*<script/.exec(page) ?? [];
  expect(plain).toContain("<td>&lt;img src=x onerror=alert(1)&gt;</td>");
  expect(plain).toContain("<td>abc\\u{202e}txt.exe</td>");
  expect(plain).not.toContain("\u202e");
});

test("the plain table tells what each task asked for, as long as its file tells it", () => {
  const asked = [...htmlReporter.render({ ...report, tasks: askedTasks }, () => cells)].join("");
  const [, table = ""] = /<h2>Results<\/h2>([\s\S]*?)<\/table>/.exec(asked) ?? [];

  expect(table).toContain('<td class="text">{&quot;n&quot;:5}</td><td class="text">120</td></tr>');
  expect(table).toContain(`${"x".repeat(119)}…</td><td class="text">{&quot;keywords&quot;`);
  for (const line of table.match(/<tr>.*<\/tr>/g) ?? []) expect(line.match(/<t[dh]/g)).toHaveLength(9);
  expect(page).not.toContain(">Input</th>");
});

test("the plain page speaks of a gate only where one was asked for", () => {
  const plain = (given: Partial<typeof report>) =>
    [...htmlReporter.render({ ...report, ...given }, () => cells)].join("");

  expect(plain({})).toContain("<p>Gate passed: ");
  expect(plain({ gate: { ...report.gate, enforced: false } })).not.toContain("<p>Gate ");
});

test("the plain page tells of trigger tests, and only where there were some", () => {
  const triggering = fullTriggerReport.results.map((result) =>
    sampleEntry(result, [...sampleQueries(result.skillId)]),
  );
  const told = [...htmlReporter.render({ ...report, triggering }, () => cells)].join("");
  const [, section = ""] = /<h2>Triggering<\/h2>([\s\S]*?)<\/section>/.exec(told) ?? [];

  expect(section).toContain("<p>passed 32/41 (5 failed, 4 inconclusive)</p>");
  expect(section).toContain("<td>router (lexical), no model configured</td><td>4, 1, 0</td>");
  expect(section).toContain('<td class="text">explain what this file does</td>');
  expect(page).not.toContain("<h2>Triggering</h2>");
});

test("the page without a report stays small: no schema of the contract is in it", () => {
  const { beforeTitle, beforePlain, beforeReport, end } = readPageTemplate();
  expect(gzipSync(beforeTitle + beforePlain + beforeReport + end).length).toBeLessThan(48_000);
});

test("an unknown figure is a dash in the plain table", () => {
  const unknown = sampleSkill({
    summary: { ...sampleSkill().summary, completionRate: null, flakeRate: null },
  });
  const text = [...htmlReporter.render(sampleReport({ reports: [unknown] }), () => [])].join("");

  expect(text).toContain("<td>– (no verdict)</td>");
  expect(text).toContain('<td class="number">–</td>');
});

test("cells pass through one at a time: what is held at once does not grow with them", () => {
  const count = 20_000;
  const counts = { total: count, pass: count, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const big = sampleReport({ reports: [sampleSkill({ counts })] });
  const cell = sampleCell();
  const text = JSON.stringify(cell);
  let read = 0;
  let written = 0;
  let ahead = 0;
  function* many() {
    for (let n = 0; n < count; n++) {
      read++;
      yield cell;
    }
  }
  for (const piece of htmlReporter.render(big, many)) {
    if (piece.includes(text)) written++;
    if (written > 0) ahead = Math.max(ahead, read - written);
  }
  expect(written).toBe(count);
  // The plain table has read its 500 before.
  expect(ahead).toBeLessThanOrEqual(501);
});

function hash(text: string | undefined): string {
  return `sha256-${createHash("sha256")
    .update(text ?? "")
    .digest("base64")}`;
}
