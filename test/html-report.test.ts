import { afterAll, describe, expect, test } from "vitest";
import { asJson, detailsIn } from "../src/contract/agent-details.ts";
import type { CaseReport } from "../src/contract/document.ts";
import { type CellResult, parseCell } from "../src/contract/result.ts";
import type { Block, LevelView } from "../src/contract/view.ts";
import { agentLevel } from "../src/levels/agent/level.ts";
import { levels } from "../src/levels/levels.ts";
import { rendered } from "../src/report/formats/format.contract.ts";
import { htmlFormat } from "../src/report/formats/html.ts";
import { runTimeline } from "../src/report/timeline/run-timeline.ts";
import { startBrowser } from "./browser.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { type LevelSample, levelSample, sampleView } from "./level-samples.ts";
import { recordedRun } from "./recorded-run.ts";
import { foreignElements, openAll, openPage } from "./report-on-page.ts";
import { cellReader } from "./sample-document.ts";
import { hostile, manyCells } from "./sample-variants.ts";
import { toyLevel } from "./toy-level.ts";

// The globals of the page, where the functions given to `evaluate` run.
// biome-ignore lint/suspicious/noExplicitAny: tests are checked as programs of Node
declare const window: any, document: any, getComputedStyle: any;

const browser = await startBrowser();
afterAll(() => browser?.close());
const toy = await levelSample(toyLevel);
const allLevels = [...levels, toyLevel].map((level) => [level.name, level] as const);

describe.skipIf(browser === null)("the HTML report in a browser", () => {
  const open = (sample: LevelSample, options = {}) =>
    openPage(browser as NonNullable<typeof browser>, rendered(htmlFormat, sample), options);

  test.each(allLevels)("a report of %s: verdict, subjects, matrix, results and details", async (_, level) => {
    const sample = await levelSample(level);
    const { verdict, subjects } = sampleView(sample);
    const cells = [...sample.cells()].map(parseCell);
    await using view = await open(sample);
    const { page } = view;

    expect((await page.locator("h1").textContent())?.toLowerCase()).toBe(verdict.words.toLowerCase());
    expect(await page.locator("#plain").count()).toBe(0);
    expect(await page.locator(".summary .name").count()).toBe(subjects.length);
    const entries = new Set(
      cells.map(({ skillId, model, arm, caseId }) => [skillId, model, arm, caseId].join()),
    );
    expect(await page.locator(".field").count()).toBe(entries.size);
    expect(await page.locator(".cells .cell").count()).toBe(Math.min(50, cells.length));
    expect(await page.locator(".cells .status-repaired").first().textContent()).toContain(
      "passed on attempt 2",
    );

    await page.locator(".none-passed .field").first().click();
    await expect.poll(view.cases).toHaveLength(2);
    expect(await page.locator(".entry-head").textContent()).toMatch(/fail|error|timed out|no verdict/);
    await openAll(page);
    expect(await page.locator(".cells .details").count()).toBe(2);
    for (const width of [1190, 900, 400]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(view.misdeeds).toEqual([]);
  });

  test.each(allLevels)("hostile text in a report of %s stays text, and fits a phone", async (_, level) => {
    const sample = hostile(await levelSample(level));
    await using view = await open(sample, { viewport: { width: 400, height: 740 } });

    await openAll(view.page);
    expect(await foreignElements(view.page)).toEqual([]);
    expect(view.misdeeds).toEqual([]);
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });

  test("fault row 37: hostile text stays text, wherever it stands", async () => {
    await using view = await open(hostileSample());
    const { page } = view;

    await page.getByRole("button", { name: "Show all" }).first().click();
    await expect.poll(() => page.locator(".summary .name").count()).toBe(hostileTexts.length);
    let seen = 0;
    for (let isLast = false; !isLast; ) {
      await openAll(page);
      seen += await page.locator(".cells .details").count();
      expect(await foreignElements(page)).toEqual([]);
      const next = page.getByRole("navigation", { name: "Pages of results" }).getByText("Next");
      isLast = await next.isDisabled();
      if (!isLast) await next.click();
    }

    expect(seen).toBe(hostileTexts.length);
    expect(view.misdeeds).toEqual([]);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("fault row 37: hostile text stays text without script, too", async () => {
    await using view = await open(hostileSample(), { javaScriptEnabled: false });

    expect(await foreignElements(view.page)).toEqual([]);
    expect(await view.page.locator("#plain table").last().isVisible()).toBe(true);
    expect(view.misdeeds).toEqual([]);
  });

  test("an address shows the same again: search, filters, order and open results", async () => {
    await using view = await open(toy);
    const { page } = view;

    await page.getByRole("searchbox").fill("MIRROR case");
    await page
      .getByRole("group", { name: "Status" })
      .getByRole("button", { name: /^failed/ })
      .click();
    await page
      .getByRole("group", { name: "Status" })
      .getByRole("button", { name: /^error/ })
      .click();
    await page.getByRole("columnheader", { name: "Trial" }).getByRole("button").click();
    await page.getByRole("columnheader", { name: "Trial" }).getByRole("button").click();
    await expect
      .poll(view.cases)
      .toEqual(["case-fails", "case-flaky", "case-breaks", "case-fails", "case-breaks"]);
    await page.locator(".cells .expand").nth(1).press("Enter");
    await expect.poll(() => page.locator(".cells .details").count()).toBe(1);
    await expect.poll(view.hash).toContain("cell=");

    await using again = await open(toy, { hash: view.hash() });
    expect(await again.cases()).toEqual(await view.cases());
    expect(await again.page.locator(".details-row").count()).toBe(1);
    expect(await again.page.getByRole("searchbox").inputValue()).toBe("MIRROR case");
    await again.page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(again.cases).toHaveLength(28);
    expect([...view.misdeeds, ...again.misdeeds]).toEqual([]);
  });

  test("a result among 5,000 is found by its words, by its page and by its link", async () => {
    const many = manyCells(toy, 5_000);
    await using view = await open(many);
    const { page } = view;
    const found = page.getByRole("status");

    expect(await found.textContent()).toBe("1–50 of 5,000 results");
    const results = page.getByRole("navigation", { name: "Pages of results" });
    await results.getByText("Last").click();
    await expect.poll(async () => (await view.cases()).at(-1)).toBe("case-2499");
    await page.getByRole("searchbox").fill("echo case-1234");
    await expect.poll(view.cases).toEqual(["case-1234"]);
    await page.locator(".cells .expand").click();
    const link = (await page.locator(".details a").getAttribute("href")) ?? "";

    await using linked = await open(many, { hash: link });
    const details = linked.page.locator(".details-row");
    await expect.poll(() => details.count()).toBe(1);
    await expect.poll(() => details.evaluate((row) => row.getBoundingClientRect().top)).toBeLessThan(900);
    expect(await linked.cases()).toContain("case-1234");
    expect(await found.textContent()).toBe("1 result found among 5,000");
    expect([...view.misdeeds, ...linked.misdeeds]).toEqual([]);
  });

  test("every difference is shown, down to the characters of changed words", async () => {
    const expected = { name: "the quick fox", tags: ["a", "b"], gone: 1, same: true };
    const actual = { name: "the quiet fox", tags: ["a", "c", "d"], same: true, 你好: "多\n行" };
    const [cell] = [...toy.cells()].map(parseCell).filter(({ status }) => status === "fail");
    if (cell === undefined) throw new Error("the sample has a cell that failed");
    const cases = [...toy.report.cases].map((one) => ({ ...one, expected }));
    await using view = await open({
      ...toy,
      report: { ...toy.report, cases },
      cells: cellReader([{ ...cell, output: actual }]),
    });

    await view.page.locator(".cells .expand").click();
    const differences = view.page.locator(".difference");
    expect(await differences.locator(".path").allTextContents()).toEqual([
      ...["$.name", "$.tags[1]", "$.tags[2]not expected", "$.gonemissing", '$["你好"]not expected'],
    ]);
    expect(await differences.first().locator("mark").allTextContents()).toEqual(["ck", "et"]);
    expect(await differences.last().locator("dd").textContent()).toBe("多\n行");
  });

  test("the keyboard alone leads through the matrix and opens a field", async () => {
    await using view = await open(toy);
    const { page } = view;
    const focused = () => page.evaluate(() => document.activeElement.title);

    await page.locator(".field").first().focus();
    expect(await focused()).toBe("case-passes, mirror: passed");
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
    expect(await focused()).toBe("case-flaky, mirror: failed in 1 of 2 trials");
    expect(await page.locator(".field[tabindex='0']").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(view.cases).toEqual(["case-flaky", "case-flaky"]);
    expect(view.hash()).toBe("#subject=mirror&case=case-flaky");
  });

  test("200 subjects fit: the matrix scrolls in its box, and names stay in sight", async () => {
    await using view = await open(manySubjects(200), { viewport: { width: 800, height: 740 } });
    const { page } = view;

    expect(await page.locator(".field").count()).toBe(200 * 7);
    const last = page.locator(".matrix tbody tr").first().locator(".field").last();
    await last.scrollIntoViewIfNeeded();
    const name = page.locator(".matrix tbody th").first();
    expect(await name.evaluate((head) => head.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(800);
    expect(view.misdeeds).toEqual([]);
  });

  test("a run too large for a page shows what did not pass and says where the rest is", async () => {
    await using view = await open(manyCells(toy, 60_000));

    const notice = await view.page.locator(".notice-invalid").first().textContent();
    expect(notice).toContain(
      "60,000 results are too many for a page: it holds 600 of those that did not pass",
    );
    expect(notice).toContain("--format ndjson");
    expect(await view.page.locator(".field").count()).toBe(0);
  });

  test("is light or dark as the system asks, and as the reader chooses", async () => {
    await using view = await open(toy, { colorScheme: "dark" });
    const ground = () => view.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

    const dark = await ground();
    await view.page.getByRole("button", { name: "light", exact: true }).click();
    const light = await ground();
    expect(brightness(dark)).toBeLessThan(0.2);
    expect(brightness(light)).toBeGreaterThan(0.9);
    await view.page.getByRole("button", { name: "system" }).click();
    expect(await ground()).toBe(dark);
  });

  test("a passed run of an agent is read from the request to the answer, long output on demand", async () => {
    const sample = await levelSample(agentLevel);
    const [passed] = [...sample.cells()].map(parseCell).filter(({ status }) => status === "pass");
    if (passed === undefined) throw new Error("a sample has passed cells");
    const run = recordedRun([
      [0, "run_started"],
      [1, "turn_started"],
      [1, "model_request"],
      [1, "action_planned", { action: { type: "run_script", payload: runPayload } }],
      [1, "action_executed", { action: "run_script", result: { exit_code: 3 } }],
      [1, "observation_recorded", { call_id: "c7", summary: printed }],
      [0, "run_finished"],
    ]);
    const details = asJson({ ...detailsIn(passed), timeline: runTimeline(run), runDir: "runs/x" });
    await using view = await open({ ...sample, cells: cellReader([{ ...passed, details }]) });
    await view.page.locator(".cells .expand").first().click();
    const events = view.page.locator(".timeline li");
    const shown = (await events.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

    expect(shown[0]).toContain("user 请把表单填好");
    expect(shown.find((text) => text.includes("turn 1"))).toContain("prompt: 5,120 characters");
    expect(shown.find((text) => text.includes("fill.py"))).toContain("runs scripts/fill.py --all of pdf");
    expect(shown.find((text) => text.includes("exit code"))).toContain("exit code 3");
    expect(shown.find((text) => text.includes("answer"))).toContain("## Done");
    const output = events.filter({ hasText: "result" });
    expect(await output.locator("pre").isVisible()).toBe(false);
    await output.locator("summary").click();
    expect(await output.locator("pre").textContent()).toContain("line 300");
    expect(await output.textContent()).toMatch(/… [\d,]+ more characters/);
    expect(await view.page.locator(".block-timeline").textContent()).toContain(
      "All of it: eval-skills agent replay runs/x --full",
    );
    for (const width of [1280, 400]) {
      await view.page.setViewportSize({ width, height: 740 });
      expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(view.misdeeds).toEqual([]);
  });

  test("prints all results in light colours, without what only serves a screen", async () => {
    await using view = await open(manyCells(toy, 120), { colorScheme: "dark" });
    expect(await view.cases()).toHaveLength(50);

    await view.page.emulateMedia({ media: "print" });
    await expect.poll(view.cases).toHaveLength(120);
    for (const screenOnly of [".filters", ".theme", ".contents"])
      expect(await view.page.locator(screenOnly).first().isVisible()).toBe(false);
    expect(await view.page.locator(".verdict .facts").isVisible()).toBe(true);
    const ink = await view.page.evaluate(() => getComputedStyle(document.documentElement).color);
    expect(brightness(ink)).toBeLessThan(0.3);
    await view.page.emulateMedia({ media: "screen" });
    await expect.poll(view.cases).toHaveLength(50);
  });

  test("a report that cannot be read leaves the plain tables, and says so", async () => {
    const html = rendered(htmlFormat, toy).replace('{"verdict":', '{"verdict":,');
    await using view = await openPage(browser as NonNullable<typeof browser>, html);

    expect(await view.page.locator(".fault").textContent()).toContain("Only the plain tables can be shown");
    expect(await view.page.locator("#plain table").first().isVisible()).toBe(true);
  });
});

const runPayload = { skill: { name: "pdf" }, relative_path: "scripts/fill.py", args: ["--all"] };
const printed = Array.from({ length: 3000 }, (_, at) => `<b>line ${at}</b>`).join("\n");

/** A block of every kind with this text wherever possible. */
function blocksWith(text: string): Block[] {
  const blocks: Block[] = [
    { kind: "text", text, tone: "bad" },
    { kind: "facts", facts: [{ label: text, value: text, note: text }] },
    { kind: "table", columns: [{ label: text }], rows: [[text]] },
    {
      kind: "diff",
      expected: { [text]: text, same: [text] },
      actual: { other: text, same: [`${text} ${text}`] },
    },
    { kind: "code", code: text, language: text },
    {
      kind: "timeline",
      events: [{ atMs: 1, label: text, text, tone: "warn", quote: `${text}\n`.repeat(9), cut: 1 }],
      note: text,
    },
    { kind: "matrix", rows: [text], columns: [text], cells: [[{ value: text, tone: "good" }]] },
    { kind: "bars", bars: [{ label: text, value: 1, note: text }] },
  ];
  return blocks.map((block) => ({ ...block, title: text }));
}

/** Every hostile text in every place of a report that holds untrusted text. */
function hostileSample(): LevelSample {
  const view: LevelView = {
    headline: ({ skillId }) => [{ label: "name", value: skillId, note: skillId ?? "" }],
    columns: [{ id: "own", label: "Own", isFilter: true, value: ({ reason }) => reason, tone: () => "bad" }],
    explain: ({ reason }) => blocksWith(reason ?? ""),
    subjectBlocks: ({ skillId }) => blocksWith(skillId ?? ""),
    caseVerdicts: ({ skillId }) =>
      new Map([
        [
          skillId ?? "",
          { status: "fail", words: skillId ?? "", reason: skillId, blocks: blocksWith(skillId ?? "") },
        ],
      ]),
    sections: () =>
      hostileTexts.slice(0, 20).map((text) => ({ title: text, note: text, blocks: blocksWith(text) })),
  };
  const [cell] = [...toy.cells()].map(parseCell);
  const [one] = toy.report.cases;
  const [subject] = toy.report.subjects;
  if (cell === undefined || one === undefined || subject === undefined) throw new Error("an empty sample");
  const texts = [...hostileTexts];
  const cells = texts.map(
    (text, at): CellResult => ({
      ...cell,
      ...{ key: `sha256:${at}${text}`, skillId: text, caseId: text, status: "fail", reason: text },
      ...{ output: { [text]: [text] }, stderrTail: text, warnings: [text] },
      attempts: [1, 2].map((n) => ({ n, status: "error", code: "crash", latencyMs: 1, message: text })),
    }),
  );
  const cases = texts.map(
    (text): CaseReport => ({
      ...one,
      ...{ id: text, title: text, input: { [text]: text }, expected: text, tags: [text], isShortened: true },
    }),
  );
  return {
    level: { ...toyLevel, view },
    report: {
      ...toy.report,
      cases,
      subjects: texts.map((text) => ({ ...subject, skillId: text })),
      warnings: texts,
      skipped: texts.map((text) => ({
        level: "toy",
        suite: text,
        skillId: text,
        caseId: text,
        reason: text,
      })),
      run: { ...toy.report.run, id: texts.join(" "), command: texts.join(" "), store: texts.join(" ") },
    },
    cells: cellReader(cells),
  };
}

/** The sample with so many subjects, each of them like its first. */
function manySubjects(count: number): LevelSample {
  const [subject] = toy.report.subjects;
  if (subject === undefined) throw new Error("the sample has a subject");
  const own = [...toy.cells()].map(parseCell).filter(({ skillId }) => skillId === subject.skillId);
  const names = Array.from({ length: count }, (_, at) => `skill-with-a-long-name-${at}`);
  return {
    ...toy,
    report: { ...toy.report, subjects: names.map((skillId) => ({ ...subject, skillId })) },
    cells: cellReader(
      names.flatMap((skillId) => own.map((cell) => ({ ...cell, skillId, key: `${skillId} ${cell.key}` }))),
    ),
  };
}

/** How bright a computed colour is, 0 to 1. */
function brightness(colour: string): number {
  const parts = colour.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  return parts.reduce((sum, part) => sum + part, 0) / (3 * 255);
}
